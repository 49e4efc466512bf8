import type { AgentOwner, Fact, Json, NearMessage, Postings, SearchQuery, SearchRows } from "@throughline/core";
import { namespaceKey, sortKey } from "@throughline/core/store-kit";
import { parse } from "../context.ts";
import { agentKey } from "../conversation-rows.ts";
import { bucketOf, hash64 } from "../keyword/hashes.ts";
import { noPostings } from "../keyword/postings.ts";
import type { Session } from "../session.ts";
import { readText, toInteger, writeText } from "../text.ts";
import { type PlaceRow, toNearest } from "../vectors/near-rows.ts";
import { modelNumber, vectorText } from "../vectors/vector-model.ts";
import { type TurnList, turnOfList } from "./turn-list.ts";

/** What the function answers. */
interface Answer {
  subject: string | null;
  records: [key: number, value: Json][];
  documents: number;
  length: number;
  postings: [
    term: number,
    documentFrequency: number,
    documents: number[],
    frequencies: number[],
    lengths: number[],
    conversations: number[],
    places: number[],
  ][];
  behind: [conversation: string, after: number, number: number][];
  unindexed: TurnList[] | null;
  facts: Fact[];
  /** A list for each; none where there is nothing. */
  near:
    | []
    | [
        conversations: string[],
        turns: string[],
        seqs: number[],
        positions: number[],
        messages: string[],
        roles: NearMessage["role"][],
        subjects: (string | null)[],
        createdAt: string[],
        scores: number[],
      ];
}

const BEGIN = `SELECT #begin_search(${Array.from({ length: 23 }, (_, index) => `$${index + 1}`).join(", ")}) AS answer`;

/** Everything a search begins with, in one trip; with what is near where all of a scope's vectors are compared by pgvector. */
export async function beginSearch(
  session: Session,
  rowLevelSecurity: boolean,
  owner: AgentOwner,
  query: SearchQuery,
  compares: boolean,
): Promise<SearchRows> {
  const { scope, words, near, facts, records } = query;
  const key = agentKey(owner);
  const id = writeText(scope.kind === "subject" ? scope.subject : scope.conversation);
  // Both narrow by the same.
  const filter = words ?? near;
  const hashes = words?.terms.map(hash64);
  const found = await session.prepared<{ answer: string }>(
    "search",
    BEGIN,
    rowLevelSecurity,
    ...key,
    scope.kind,
    id,
    query.resolve ?? false,
    scope.kind === "subject" ? bucketOf(key[1], "", id) : null,
    query.now,
    records === undefined ? null : namespaceKey(records.namespace),
    records?.keys.map(sortKey) ?? null,
    facts === undefined ? null : limitOf(facts.limit),
    hashes ?? null,
    limitOf(words?.unindexed ?? 0),
    words?.groups.map((group) => group === "tool") ?? null,
    filter?.role ?? null,
    filter?.from ?? null,
    filter?.to ?? null,
    filter?.conversation === undefined ? null : writeText(filter.conversation),
    filter?.exclude === undefined ? null : writeText(filter.exclude.conversation),
    filter?.exclude === undefined ? null : toInteger(filter.exclude.after),
    near === undefined ? null : modelNumber(near.model),
    near === undefined || !compares ? null : vectorText(near.vector),
    limitOf(near?.limit ?? 0),
  );
  if (found === undefined) throw new Error("A function answers with one row.");
  const answer = parse<Answer>(found.answer);
  const rows: SearchRows = {};
  if (answer.subject !== null) rows.subject = readText(answer.subject);
  if (words !== undefined) {
    rows.postings = postingsOf(answer, words.terms);
    rows.behind = answer.behind.map(([conversation, after, number]) => ({
      conversation: readText(conversation),
      after,
      number,
    }));
    if (answer.unindexed !== null) rows.unindexed = answer.unindexed.map(turnOfList);
  }
  if (near !== undefined && compares) rows.near = toNearest(nearRows(answer.near), near);
  if (facts !== undefined) rows.facts = answer.facts;
  if (records !== undefined) {
    rows.records = answer.records.flatMap(([index, value]) => {
      const name = records.keys[index];
      return name === undefined ? [] : [{ key: name, value }];
    });
  }
  return rows;
}

const limitOf = (limit: number): number => Math.max(0, toInteger(limit));

function postingsOf({ documents, length, postings }: Answer, asked: readonly string[]): Postings {
  const terms = asked.map(noPostings);
  for (const [index, documentFrequency, ids, frequencies, lengths, conversations, places] of postings) {
    const term = asked[index];
    if (term === undefined) continue;
    terms[index] = { term, documentFrequency, documents: ids, frequencies, lengths, conversations, places };
  }
  return { documents, totalLength: length, terms };
}

function nearRows([
  conversations = [],
  turns = [],
  seqs = [],
  positions = [],
  messages = [],
  roles = [],
  subjects = [],
  times = [],
  scores = [],
]: Answer["near"]): (PlaceRow & { score: number })[] {
  return conversations.map((conversation, index) => ({
    conversation,
    // The lists are equally long.
    turn: turns[index] as string,
    seq: seqs[index] as number,
    position: positions[index] as number,
    message: messages[index] as string,
    role: roles[index] as NearMessage["role"],
    subject: subjects[index] ?? null,
    created_at: times[index] as string,
    score: scores[index] as number,
  }));
}
