import type { ModelLimits } from "../budget/model-limits.ts";
import { type ShareName, type Shares, splitBudget } from "../budget/shares.ts";
import type { CarriedSegment } from "../carry-over/segments.ts";
import type { Explanation, InjectedItem, SearchHit } from "../contract/conversation.ts";
import type { Fact } from "../contract/fact.ts";
import type { ContextRows } from "../contract/memory-store.ts";
import type { SummaryRow } from "../contract/store-rows.ts";
import { zoneOf } from "../extract/zone-of.ts";
import type { Engine } from "../memory/engine.ts";
import { factLine, memoryBlock, recalledLine, retrievedId } from "../prompt/memory-block.ts";
import { Breath } from "../search/breath.ts";
import { cutAtSentence } from "../text/sentences.ts";
import { ROUGH_FACTOR, roughTokens } from "../text/tokens.ts";
import { type ChosenFacts, chooseFacts } from "./choose-facts.ts";
import { messageTokens } from "./message-text.ts";
import { selectWindow, type Window, type WindowLimits } from "./window.ts";

/** What a prompt is planned from. */
export interface PlanInput {
  conversation: string;
  rows: ContextRows;
  /** Text of the app's retrievers. */
  retrieved: readonly string[];
  /** What the login's other conversations bring, oldest first. */
  carried: readonly CarriedSegment[];
  /** Past messages that were asked for, best first. */
  recalled: readonly SearchHit[];
  /** What to recall by. */
  query: string;
  signal: AbortSignal | undefined;
  /** What the model takes in all. */
  model: ModelLimits;
  /** What the policy allows of the history. */
  window: WindowLimits;
  /** Tokens that this turn's own messages take, roughly. */
  ownTokens: number;
}

/** The system block and the window of one prompt, and why they hold what they hold. */
export interface PromptPlan {
  text: string;
  injected: InjectedItem[];
  facts: Fact[];
  window: Window;
  explain(): Explanation;
}

/** What of each kind is shown within its part of the budget. */
interface Fitted {
  summary: SummaryRow | null;
  carried: readonly CarriedSegment[];
  facts: ChosenFacts;
  recalled: readonly SearchHit[];
  window: Window;
}

/**
 * Plans what a model is shown of the memory: one budget, split by the policy's shares, unused shares passed on. Where
 * everything fits with room to spare by a rough count, nothing is counted exactly. Changes nothing.
 */
export async function planPrompt(engine: Engine, input: PlanInput): Promise<PromptPlan> {
  const budget = Math.max(0, input.model.budget - input.ownTokens * ROUGH_FACTOR);
  const about = { facts: input.rows.facts, query: input.query };
  const chosen = await chooseFacts(engine, about, new Breath(input.signal, "the prompt"));
  const window = selectWindow(input.rows.turns, input.window, engine.countTokens);
  const { recalled } = input;
  const carried = newestWithin(input.carried, engine.policy.summarize.maxTokens, engine.countTokens);
  const whole: Fitted = { summary: input.rows.summary, carried, facts: chosen, recalled, window };
  const shares = engine.policy.budget;
  const fitted = fitsRoughly(whole, budget, shares) ? whole : fit(engine, input, whole, budget);
  const block = memoryBlock({
    conversation: input.conversation,
    carried: fitted.carried,
    summary: fitted.summary,
    facts: fitted.facts.shown,
    factsTotal: fitted.facts.total,
    nearFacts: fitted.facts.near,
    recalled: fitted.recalled,
    // Found out only where it is needed.
    ...(recalled.length === 0 ? {} : { timeZone: zoneOf(engine, input.rows.conversation?.metadata) }),
    retrieved: input.retrieved,
  });
  return {
    text: block.text,
    injected: block.injected,
    facts: [...fitted.facts.shown, ...fitted.facts.near],
    window: fitted.window,
    // Counting costs more than reading: it is done for those who ask.
    explain: () => explain(engine, input, fitted, whole, budget),
  };
}

/** The newest segments whose tokens together stay within `limit`, oldest first. What is left out stays so from turn to turn. */
function newestWithin(
  segments: readonly CarriedSegment[],
  limit: number,
  count: (text: string) => number,
): readonly CarriedSegment[] {
  return takeWhileFits(segments.toReversed(), limit, ({ text }) => count(text)).toReversed();
}

function fitsRoughly({ summary, carried, facts, recalled, window }: Fitted, budget: number, shares: Shares): boolean {
  const rough: Record<ShareName, number> = {
    summary: (summary === null ? 0 : roughTokens(summary.text)) + sum(carried, ({ text }) => roughTokens(text)),
    facts:
      sum(facts.shown, (fact) => roughTokens(factLine(fact))) + sum(facts.near, (fact) => roughTokens(factLine(fact))),
    // As long in any time zone.
    recall: sum(recalled, (hit) => roughTokens(recalledLine(hit))),
    history: window.tokens,
  };
  return (Object.keys(rough) as ShareName[]).every((name) => rough[name] * ROUGH_FACTOR <= shares[name] * budget);
}

const sum = <Item>(items: readonly Item[], of: (item: Item) => number): number =>
  items.reduce((total, item) => total + of(item), 0);

function fit(engine: Engine, input: PlanInput, whole: Fitted, budget: number): Fitted {
  const count = engine.countTokens;
  const lines = (facts: readonly Fact[]) => sum(facts, (fact) => count(factLine(fact)));
  const allowed = splitBudget(budget, engine.policy.budget, {
    summary: (whole.summary === null ? 0 : count(whole.summary.text)) + sum(whole.carried, ({ text }) => count(text)),
    facts: lines(whole.facts.shown) + lines(whole.facts.near),
    recall: sum(whole.recalled, (hit) => count(recalledLine(hit))),
    history: sum(whole.window.turns, (entry) => messageTokens(entry.messages, count)),
  });
  const shown = takeWhileFits(whole.facts.shown, allowed.facts, (fact) => count(factLine(fact)));
  const near = takeWhileFits(whole.facts.near, allowed.facts - lines(shown), (fact) => count(factLine(fact)));
  const { summary } = whole;
  const shownSummary =
    summary && allowed.summary > 0 ? { ...summary, text: cutAtSentence(summary.text, allowed.summary, count) } : null;
  // The conversation's own past comes before that of others.
  const left = allowed.summary - (shownSummary === null ? 0 : count(shownSummary.text));
  return {
    summary: shownSummary,
    carried: newestWithin(whole.carried, left, count),
    facts: { ...whole.facts, shown, near },
    recalled: takeWhileFits(whole.recalled, allowed.recall, (hit) => count(recalledLine(hit))),
    window: selectWindow(
      input.rows.turns,
      { ...input.window, maxTokens: Math.min(input.window.maxTokens, allowed.history) },
      count,
    ),
  };
}

/** The first items whose tokens together stay within `limit`. */
function takeWhileFits<Item>(items: readonly Item[], limit: number, tokens: (item: Item) => number): Item[] {
  const taken: Item[] = [];
  let used = 0;
  for (const item of items) {
    used += tokens(item);
    if (used > limit) break;
    taken.push(item);
  }
  return taken;
}

function explain(engine: Engine, input: PlanInput, fitted: Fitted, whole: Fitted, budget: number): Explanation {
  const count = engine.countTokens;
  const overBudget = "its part of the budget is full";
  const factItem = (fact: Fact, kept: boolean, reason: string): Explanation["items"][number] => ({
    kind: "fact",
    id: fact.id,
    included: kept,
    reason: kept ? reason : overBudget,
    tokens: count(factLine(fact)),
  });
  const { facts } = whole;
  const items: Explanation["items"] = [
    ...facts.shown.map((fact) =>
      factItem(
        fact,
        fitted.facts.shown.includes(fact),
        fact.scope === "app" ? "app facts come first" : "among the most recent",
      ),
    ),
    ...facts.near.map((fact) => factItem(fact, fitted.facts.near.includes(fact), "near what was asked")),
    ...facts.left.map((fact) => ({ ...factItem(fact, false, ""), reason: "more recent facts filled maxMemories" })),
    ...whole.recalled.map((hit) => {
      const included = fitted.recalled.includes(hit);
      const reason = included ? "recalled for what was asked" : overBudget;
      return { kind: "recalled-turn" as const, id: hit.turn, included, reason, tokens: count(recalledLine(hit)) };
    }),
    ...input.retrieved.map((text, index) => ({
      kind: "retrieved" as const,
      id: retrievedId(index),
      included: true,
      reason: "a retriever found it for this reply",
      tokens: count(text),
    })),
    ...fitted.window.turns.map(({ turn, messages }) => ({
      kind: "history" as const,
      id: turn.id,
      included: true,
      reason: "fits the window",
      tokens: messageTokens(messages, count),
    })),
    ...fitted.window.leftOut.map((turn) => ({
      kind: "history" as const,
      id: turn.id,
      included: false,
      reason: "newer turns filled the window",
      tokens: turn.tokens,
    })),
  ];
  for (const segment of input.carried) {
    const included = fitted.carried.includes(segment);
    const reason = included ? "said before in this login" : overBudget;
    items.push({ kind: "carry-over", id: segment.conversation, included, reason, tokens: count(segment.text) });
  }
  if (whole.summary) {
    const reason = fitted.summary === null ? overBudget : "stands for the folded turns";
    items.push({
      kind: "summary",
      id: input.conversation,
      included: fitted.summary !== null,
      reason,
      tokens: count((fitted.summary ?? whole.summary).text),
    });
  }
  const used = sum(items, (item) => (item.included ? item.tokens : 0));
  return { budget: { total: budget, used }, items };
}
