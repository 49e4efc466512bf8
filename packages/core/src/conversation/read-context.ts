import { readCarryOver } from "../carry-over/read-carry-over.ts";
import type { CarriedSegment } from "../carry-over/segments.ts";
import type { ContextRows } from "../contract/memory-store.ts";
import { callOf } from "../memory/call-options.ts";
import type { Engine } from "../memory/engine.ts";
import { codeOf, degradingRead, runWithin, throwIfAborted } from "../memory/resilience.ts";
import { cutAtGrapheme } from "../text/graphemes.ts";
import { cutAtSentence } from "../text/sentences.ts";
import { ROUGH_FACTOR } from "../text/tokens.ts";
import { MAX_APP_FACTS } from "./choose-facts.ts";
import { isFoldDue } from "./is-fold-due.ts";
import { type ConversationScope, checkOwner } from "./scope.ts";
import type { WindowLimits } from "./window.ts";

/** Tokens of the prompt that one retriever's text may fill. */
const MAX_RETRIEVED_TOKENS = 2_000;
const MAX_CHARS_PER_TOKEN = 8;

const EMPTY: ContextRows = { conversation: null, turns: [], summary: null, facts: [] };

/** What was read for a turn. */
export interface TurnContext {
  rows: ContextRows;
  /** Text of the app's retrievers. */
  retrieved: string[];
  /** What the login's other conversations bring. */
  carried: CarriedSegment[];
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
  const call = callOf(options.signal);
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
    // A tier that is off is off as a whole: what was folded before isn't shown either.
    return policy.conversation.enabled ? rows : { ...rows, summary: null };
  };
  const [rows, retrieved, carried] = await Promise.all([
    degradingRead(engine, "begin", read, EMPTY),
    options.facts ? runRetrievers(scope, options.query, options.signal) : [],
    options.facts ? readCarryOver(scope, options.signal) : [],
  ]);
  return { rows, retrieved, carried, degraded: rows === EMPTY };
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

/** A retrieved text within what one may fill, cut with a mark. */
function bounded(text: string, { countTokens }: Engine): string {
  // What is surely too long isn't counted to its end.
  const start = cutAtGrapheme(text, MAX_RETRIEVED_TOKENS * MAX_CHARS_PER_TOKEN);
  const shown = cutAtSentence(start, MAX_RETRIEVED_TOKENS, countTokens);
  return shown.length < text.length ? `${shown} […]` : text;
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
        const ask = (ends: AbortSignal) => retriever({ query, conversation, signal: ends });
        return await runWithin(ask, { ms: engine.readTimeoutMs, what: "a retriever", signal });
      } catch (error) {
        throwIfAborted(signal, "begin");
        engine.emit({ type: "memory.read_failed", operation: "retriever", code: codeOf(error) }, error);
        return null;
      }
    }),
  );
  return texts.flatMap((text) => (typeof text === "string" && text.trim() !== "" ? [bounded(text, engine)] : []));
}
