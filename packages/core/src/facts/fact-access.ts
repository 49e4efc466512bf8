import type { FactAuthor } from "../contract/fact.ts";
import type { Origin } from "../contract/origin.ts";
import type { FactOwner } from "../contract/owner.ts";
import type { FactQuery } from "../contract/store-facts.ts";
import type { FactSet } from "../contract/store-rows.ts";
import { callOf } from "../memory/call-options.ts";
import type { Engine } from "../memory/engine.ts";
import type { FactContext } from "./fact-owner.ts";

/** What is looked up of turns that were recorded. */
export interface RecordedTurns {
  /** Id of the newest one in which the person said these words. */
  quoted(quote: string): Promise<string | undefined>;
  /** What is said in one; nothing where it is gone. */
  words(turn: string): Promise<string>;
}

/** Who writes, and what the claim rests on. */
export interface Writer {
  author: FactAuthor;
  origin: Origin;
  /** Whose facts; reads the store where only the store knows the subject. */
  context: () => Promise<FactContext>;
  /** The conversation it is written in. */
  conversation?: string | undefined;
  /** The turn under way, where there is one. */
  turn?: { id: string; startedAt: string } | undefined;
  /** The conversation's recorded turns, where a quote that no turn under way holds is looked up. */
  recorded?: RecordedTurns;
  /** When the work began that it is written in: what was erased since doesn't take it in. */
  beganAt?: string | undefined;
}

/** Facts of one owner that are read at a time: far above the agent's cap, and a bound for people's own. */
export const READ_LIMIT = 1_000;

/** Facts of one owner with all their history. */
export const HISTORY_LIMIT = 100_000;

/** How often a commit is tried against writers of the same owner. */
export const CONFLICT_TRIES = 8;

/** The ids of a context, as events carry them. */
export const eventIds = ({ conversation, subject }: FactContext) => ({
  ...(conversation === undefined ? {} : { conversation }),
  ...(subject === undefined ? {} : { subject }),
});

/** The facts of one owner that answer a query. */
export async function readOwner(
  engine: Engine,
  owner: FactOwner,
  query: FactQuery,
  signal?: AbortSignal,
): Promise<FactSet> {
  const store = await engine.store();
  const [set] = await store.readFacts([owner], query, callOf(signal));
  return set ?? { owner, version: 0, facts: [], total: 0 };
}
