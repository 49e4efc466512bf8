import type { AgentOwner, FactOwner, KeywordScope, SearchQuery, SearchRows, TurnRow } from "@throughline/core";
import { readNewestFacts } from "../facts.ts";
import { readTurns } from "../read-turns.ts";
import { readRecords } from "../records.ts";
import type { Session } from "../session.ts";
import type { Steps } from "../steps.ts";
import { resolveSubject } from "../subject-identities.ts";
import { readBehind } from "./documents.ts";
import { readPostings } from "./postings.ts";

const MOST_BEHIND = 10_000;

/** What a search by words begins with. What is near is for `nearest` to say: that compares what it keeps in memory. */
export function* readSearch(session: Session, owner: AgentOwner, query: SearchQuery): Steps<SearchRows> {
  const { words, facts, records, now } = query;
  const scope = scopeOf(session, owner, query);
  const rows: SearchRows = scope.kind === "subject" ? { subject: scope.subject } : {};
  if (records !== undefined) {
    const found = readRecords(session, owner, { ...records, now, limit: records.keys.length });
    rows.records = found.map(({ key, value }) => ({ key, value }));
  }
  if (facts !== undefined) {
    rows.facts = readNewestFacts(session, ownersOf(owner, scope), now, facts.limit).flatMap((set) => set.facts);
  }
  if (words === undefined) return rows;
  // Before the postings: what is indexed meanwhile may be found twice, and isn't missed.
  const behind = readBehind(session, owner, scope, MOST_BEHIND);
  rows.behind = behind.map(({ conversation, after, number }) => ({ conversation, after, number }));
  const unindexed = yield* readUnindexed(session, owner, rows.behind, words.unindexed);
  if (unindexed !== undefined) rows.unindexed = unindexed;
  rows.postings = yield* readPostings(session, owner, scope, words);
  return rows;
}

function scopeOf(session: Session, owner: AgentOwner, { scope, resolve }: SearchQuery): SearchQuery["scope"] {
  if (scope.kind !== "subject" || resolve !== true) return scope;
  return { kind: "subject", subject: resolveSubject(session, owner, scope.subject) };
}

/** Whose facts the scope's are. */
function ownersOf({ tenant, agent }: AgentOwner, scope: Exclude<KeywordScope, { kind: "agent" }>): FactOwner[] {
  if (scope.kind === "conversation") return [{ tenant, agent, scope: "conversation", id: scope.conversation }];
  return [
    { tenant, agent, scope: "user", id: scope.subject },
    { tenant, agent: null, scope: "global", id: scope.subject },
  ];
}

/** The visible turns that no index holds; `undefined` where there are more than `most`. */
function* readUnindexed(
  session: Session,
  { tenant, agent }: AgentOwner,
  behind: readonly { conversation: string; after: number }[],
  most: number,
): Steps<TurnRow[] | undefined> {
  const turns: TurnRow[] = [];
  for (const { conversation, after } of behind) {
    const limit = most + 1 - turns.length;
    turns.push(...(yield* readTurns(session, { tenant, agent, conversation }, { after, limit })));
    if (turns.length > most) return undefined;
  }
  return turns;
}
