import type { Fact } from "../contract/fact.ts";
import type { ConversationOwner, FactOwner } from "../contract/owner.ts";
import { quoteStands } from "../conversation/quote.ts";
import { MemoryError } from "../errors/memory-error.ts";
import type { Engine } from "../memory/engine.ts";
import { extractTerms } from "../search/terms.ts";
import { meaningOf } from "../text/words.ts";
import { CONFLICT_TRIES, HISTORY_LIMIT, readOwner } from "./fact-access.ts";
import { factOwner } from "./fact-owner.ts";
import { takeTurns } from "./take-turns.ts";

/** What was erased of a turn, and what it still says: nothing, where it went whole. */
export interface ErasedWords {
  gone: string;
  left: string;
}

/** Whose facts can rest on what these people said: their own, with every agent and with this one. */
export const factsOf = (engine: Engine, people: Iterable<string | undefined>): FactOwner[] =>
  [...people].flatMap((subject) =>
    (["user", "global"] as const).flatMap((scope) => factOwner({ ...engine.owner, subject }, scope) ?? []),
  );

/** The app's facts, which the operator may have drawn from anybody's conversation. */
export const factsOfApp = ({ owner: { tenant, agent } }: Pick<Engine, "owner">): FactOwner => ({
  tenant,
  agent,
  scope: "app",
  id: "",
});

/** Whose facts can rest on what was said in a conversation: its own, the app's, and those of these people. */
export const factsAround = (
  engine: Engine,
  { tenant, agent, conversation }: ConversationOwner,
  people: Iterable<string | undefined>,
): FactOwner[] => [
  { tenant, agent, scope: "conversation", id: conversation },
  factsOfApp(engine),
  ...factsOf(engine, people),
];

/**
 * Takes the quotes out of facts, superseded ones too, that repeat what was erased of a conversation: of all of it, or of some
 * of its turns. The facts stay, and where they came from. Answers the ids of those that rest on what
 * was erased.
 */
export async function dropQuotes(
  engine: Engine,
  owners: readonly FactOwner[],
  erased: { conversation: string; turns?: ReadonlyMap<string, ErasedWords> },
): Promise<string[]> {
  const resting: string[] = [];
  for (const owner of owners) {
    resting.push(...(await takeTurns(engine, owner, () => dropQuotesOf(engine, owner, erased))));
  }
  return resting;
}

async function dropQuotesOf(
  engine: Engine,
  owner: FactOwner,
  { conversation, turns }: Parameters<typeof dropQuotes>[2],
): Promise<string[]> {
  const store = await engine.store();
  const rests = ({ source }: Fact): boolean => {
    if (source?.conversation !== conversation) return false;
    if (turns === undefined) return true;
    const words = turns.get(source.turn);
    return words !== undefined && (words.left === "" || (source.quote !== undefined && repeats(source.quote, words)));
  };
  for (let attempt = 0; attempt < CONFLICT_TRIES; attempt++) {
    const now = engine.now();
    const { facts, version } = await readOwner(engine, owner, { now, history: true, limit: HISTORY_LIMIT });
    const resting = facts.filter(rests);
    const ids = resting.map(({ id }) => id);
    const put = resting.flatMap(withoutQuote);
    if (put.length === 0) return ids;
    const result = await store.commitFacts(owner, { expectedVersion: version, now, put });
    if (result.status === "committed") return ids;
  }
  throw new MemoryError("STORE_BUSY", "The facts of this owner change too fast to take a quote out; try again.");
}

function withoutQuote(fact: Fact): Fact[] {
  if (fact.source?.quote === undefined) return [];
  const { quote: _quote, ...source } = fact.source;
  return [{ ...fact, source, version: fact.version + 1 }];
}

/**
 * Whether a text holds something that is erased: what is left doesn't bear it out, and what went does, or has a word of it
 * that is left nowhere. Pure.
 */
export function repeats(text: string, { gone, left }: ErasedWords): boolean {
  if (quoteStands(text, left)) return false;
  if (quoteStands(text, gone)) return true;
  const still = new Set(extractTerms(left));
  const erased = new Set(extractTerms(gone).filter((term) => !still.has(term)));
  return meaningOf(text).some((term) => erased.has(term));
}
