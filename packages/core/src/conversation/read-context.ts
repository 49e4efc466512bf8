import type { Explanation, InjectedItem } from "../contract/conversation.ts";
import type { Fact } from "../contract/fact.ts";
import type { ContextRows } from "../contract/memory-store.ts";
import type { FactSet } from "../contract/store-rows.ts";
import { codeOf, degradingRead, withDeadline } from "../memory/resilience.ts";
import { memoryBlock } from "../prompt/memory-block.ts";
import { ROUGH_FACTOR } from "../text/tokens.ts";
import { isFoldDue } from "./fold.ts";
import { type ConversationScope, checkOwner } from "./scope.ts";
import type { WindowLimits } from "./window.ts";

/** App facts that a prompt may hold; they are not counted against `maxMemories`. */
const MAX_APP_FACTS = 200;

const EMPTY: ContextRows = { conversation: null, turns: [], summary: null, facts: [] };

/** What was read for a turn. */
export interface TurnContext {
  rows: ContextRows;
  /** Text of the app's retrievers. */
  retrieved: string[];
  /** Nothing could be read. */
  degraded: boolean;
}

/** Reads all that a turn needs in one trip, and runs the app's retrievers beside it. */
export async function readContext(
  scope: ConversationScope,
  options: { query: string; limits: WindowLimits; facts: boolean; signal?: AbortSignal | undefined },
): Promise<TurnContext> {
  const { engine, owner, ref } = scope;
  const { policy } = engine;
  const call = options.signal === undefined ? {} : { signal: options.signal };
  const read = async () => {
    const store = await engine.store();
    const rows = await store.readContext(
      owner,
      {
        now: engine.now(),
        ...(ref.subject === undefined ? {} : { subject: ref.subject }),
        window: policy.conversation.enabled
          ? {
              afterSummary: true,
              maxMessages: options.limits.maxMessages,
              // The store cuts by rough counts; it may read too much, never too little.
              maxTokens: options.limits.maxTokens * ROUGH_FACTOR,
            }
          : null,
        facts:
          options.facts && policy.longTerm.enabled
            ? { limit: Math.max(policy.longTerm.maxMemories, MAX_APP_FACTS) }
            : null,
      },
      call,
    );
    checkOwner(scope, rows.conversation, rows.subject);
    return rows;
  };
  const [rows, retrieved] = await Promise.all([
    degradingRead(engine, "begin", read, EMPTY),
    options.facts ? runRetrievers(scope, options.query, options.signal) : [],
  ]);
  return { rows, retrieved, degraded: rows === EMPTY };
}

/**
 * {@link readContext}, after a fold that is still due: where no background work could do it, it is done here within
 * the deadline. A summarizer that failed lately is left in peace until the next sweep.
 */
export async function readFoldedContext(
  scope: ConversationScope,
  options: Parameters<typeof readContext>[1],
): Promise<TurnContext> {
  const { engine, owner } = scope;
  const context = await readContext(scope, options);
  if (engine.summarizer === undefined || !isFoldDue(engine, context.rows.turns)) return context;
  const folded = await engine.background.foldNow(owner.conversation);
  return folded ? readContext(scope, options) : context;
}

/** What the app's retrievers have to say; one that throws or takes too long is left out and reported. */
async function runRetrievers(
  scope: ConversationScope,
  query: string,
  signal: AbortSignal | undefined,
): Promise<string[]> {
  const { engine } = scope;
  const retrievers = engine.options.retrievers ?? [];
  if (retrievers.length === 0) return [];
  const conversation = scope.bind(scope.current);
  const texts = await Promise.all(
    retrievers.map(async (retriever) => {
      try {
        const input = { query, conversation, ...(signal === undefined ? {} : { signal }) };
        return await withDeadline(Promise.resolve(retriever(input)), engine.readTimeoutMs, "a retriever");
      } catch (error) {
        engine.emit({ type: "memory.read_failed", operation: "retriever", code: codeOf(error) });
        return null;
      }
    }),
  );
  return texts.filter((text) => typeof text === "string" && text.trim() !== "") as string[];
}

/** The system block of one call, what is in it, and why. */
export interface SystemBlock {
  text: string;
  injected: InjectedItem[];
  facts: Fact[];
  explanation: Explanation["items"];
}

/** Chooses what of the facts and the summary is shown, and writes the block. */
export function buildSystem(scope: ConversationScope, rows: ContextRows, retrieved: readonly string[]): SystemBlock {
  const { engine, owner } = scope;
  const { chosen, left, total } = chooseFacts(rows.facts, engine.policy.longTerm.maxMemories);
  const block = memoryBlock({
    conversation: owner.conversation,
    summary: rows.summary,
    facts: chosen,
    factsTotal: total,
    retrieved,
  });
  const entry = (fact: Fact, included: boolean, reason: string) => ({
    kind: "fact" as const,
    id: fact.id,
    included,
    reason,
    tokens: engine.countTokens(typeof fact.value === "string" ? fact.value : JSON.stringify(fact.value)),
  });
  // Counting tokens costs more than reading the facts; it is done for those who ask.
  const explanation = (): Explanation["items"] => [
    ...chosen.map((fact) =>
      entry(fact, true, fact.scope === "app" ? "app facts are always shown" : "among the most recent"),
    ),
    ...left.map((fact) => entry(fact, false, "more recent facts filled maxMemories")),
    ...(rows.summary
      ? [
          {
            kind: "summary" as const,
            id: owner.conversation,
            included: true,
            reason: "stands for the folded turns",
            tokens: rows.summary.tokens,
          },
        ]
      : []),
  ];
  return {
    text: block.text,
    injected: block.injected,
    facts: chosen,
    get explanation() {
      return explanation();
    },
  };
}

function chooseFacts(sets: readonly FactSet[], maxMemories: number): { chosen: Fact[]; left: Fact[]; total: number } {
  const app = sets.filter((set) => set.owner.scope === "app").flatMap((set) => set.facts);
  const others = sets
    .filter((set) => set.owner.scope !== "app")
    .flatMap((set) => set.facts)
    .sort((a, b) => (a.updatedAt < b.updatedAt ? 1 : a.updatedAt > b.updatedAt ? -1 : a.id < b.id ? -1 : 1));
  const total = sets.reduce((sum, set) => sum + set.total, 0);
  return {
    chosen: [...app.slice(0, MAX_APP_FACTS), ...others.slice(0, maxMemories)],
    left: others.slice(maxMemories),
    total,
  };
}
