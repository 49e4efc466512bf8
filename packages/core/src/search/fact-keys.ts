import type { Fact } from "../contract/fact.ts";
import type { AgentOwner } from "../contract/owner.ts";
import type { KeywordScope, PostingQuery } from "../contract/store-keyword.ts";
import type { TurnRow } from "../contract/store-rows.ts";
import { messageText } from "../conversation/message-text.ts";
import { readableOwners } from "../facts/fact-owner.ts";
import { factText, rankFacts } from "../facts/rank-facts.ts";
import { callOf } from "../memory/call-options.ts";
import type { Engine } from "../memory/engine.ts";
import { sharedTerms } from "../text/words.ts";
import { Breath } from "./breath.ts";
import { indexTerms, queryTerms } from "./index-terms.ts";
import type { Place } from "./keyword-candidates.ts";
import { readTurnsAt, turnKey } from "./turns-at.ts";
import { WEIGHTS } from "./weights.ts";

/** A message that a remembered fact was drawn from. */
export interface FactKey {
  place: Place;
  /** From 0 to 1, by the best of the facts. */
  score: number;
  fact: string;
  /** Share of the question's words that the fact holds in some form. */
  holds: number;
}

/**
 * Messages that live facts of a scope's owner were drawn from, by how well the facts match: a good fact says in plain words
 * what the message meant. What replaced a fact leads to its own message; the old one's isn't led to any more.
 */
export async function factKeys(
  engine: Engine,
  scope: KeywordScope,
  query: string,
  filter: PostingQuery,
  { read, signal }: { read?: readonly Fact[] | undefined; signal?: AbortSignal | undefined } = {},
): Promise<FactKey[]> {
  if (scope.kind === "agent" || !engine.policy.longTerm.enabled) return [];
  const live = read ?? (await liveFacts(engine, engine.owner, scope, signal));
  const drawn = live.filter(({ source }) => source?.turn !== undefined);
  if (drawn.length === 0) return [];
  const ranked = await new Breath(signal).through(rankFacts(drawn, query, engine.factWords));
  const facts = ranked.slice(0, WEIGHTS.facts.most);
  if (facts.length === 0) return [];
  // Not the first one's: a newer fact stands ahead of an older one that fits better.
  const best = Math.max(...facts.map(({ score }) => score));
  const sources = facts.flatMap(({ source }) => (source?.turn === undefined ? [] : [source]));
  const turns = await readTurnsAt(engine, sources, signal);
  const terms = queryTerms(query);
  const keys = new Map<string, FactKey>();
  for (const { id, source, score, ...fact } of facts) {
    const turn = source === undefined ? undefined : turns.get(turnKey(source));
    const message = turn === undefined ? undefined : citedMessage(turn, source?.quote);
    if (turn === undefined || message === undefined || source === undefined) continue;
    if (!passes(source.conversation, turn.seq, message, filter)) continue;
    const { conversation } = source;
    const place = { conversation, turn: turn.id, seq: turn.seq, message: message.id, subject: turn.subject };
    const key = JSON.stringify([conversation, message.id]);
    // Several facts of one message don't add up: they say the same thing.
    if (keys.has(key)) continue;
    const held = [...indexTerms(factText(fact)).terms.keys()];
    const holds = sharedTerms(terms, held) / Math.max(1, terms.length);
    keys.set(key, { place, score: score / best, fact: id, holds });
  }
  return [...keys.values()];
}

async function liveFacts(
  engine: Engine,
  owner: AgentOwner,
  scope: Exclude<KeywordScope, { kind: "agent" }>,
  signal: AbortSignal | undefined,
): Promise<Fact[]> {
  const { tenant, agent } = owner;
  const context = scope.kind === "subject" ? { subject: scope.subject } : { conversation: scope.conversation };
  const store = await engine.store();
  // What the app knows was said by nobody.
  const owners = readableOwners({ tenant, agent, ...context }).filter(({ scope: kind }) => kind !== "app");
  const sets = await store.readFacts(owners, { now: engine.now(), limit: WEIGHTS.facts.read }, callOf(signal));
  return sets.flatMap(({ facts }) => facts);
}

type Said = TurnRow["messages"][number];

/** The message that is quoted, else the person's own words. */
function citedMessage(turn: TurnRow, quote: string | undefined): Said | undefined {
  if (turn.hidden || (turn.status !== "completed" && turn.status !== "aborted")) return undefined;
  const said = turn.messages.filter(
    ({ role, origin }) => (role === "user" || role === "assistant") && origin !== "memory",
  );
  const quoted = quote === undefined ? undefined : said.find((message) => messageText(message).includes(quote));
  return quoted ?? said.find(({ role }) => role === "user") ?? said[0];
}

const passes = (
  conversation: string,
  seq: number,
  { role, createdAt }: Said,
  { role: only, from, to, conversation: within, exclude }: PostingQuery,
): boolean =>
  (only === undefined || role === only) &&
  (from === undefined || createdAt >= from) &&
  (to === undefined || createdAt < to) &&
  (within === undefined || conversation === within) &&
  !(exclude && conversation === exclude.conversation && seq > exclude.after);
