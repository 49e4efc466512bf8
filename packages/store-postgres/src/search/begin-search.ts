import type { AgentOwner, Fact, Json, Postings, SearchQuery, SearchRows } from "@throughline/core";
import { namespaceKey, noPostings, sortKey } from "@throughline/core/store-kit";
import { parse } from "../context.ts";
import { agentKey } from "../conversation-rows.ts";
import { bucketOf, hash64 } from "../keyword/hashes.ts";
import { filterParameters } from "../keyword/postings.ts";
import type { Session } from "../session.ts";
import { readText, toInteger, writeText } from "../text.ts";
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
    /** Of each document: its number, frequency, length, conversation and place. */
    postings: number[],
  ][];
  behind: [conversation: string, after: number, number: number][];
  unindexed: TurnList[] | null;
  facts: Fact[];
}

const BEGIN = `SELECT #begin_search(${Array.from({ length: 20 }, (_, index) => `$${index + 1}`).join(", ")}) AS answer`;

/** Everything a search begins with, in one trip. */
export async function beginSearch(
  session: Session,
  rowLevelSecurity: boolean,
  owner: AgentOwner,
  query: SearchQuery,
): Promise<SearchRows> {
  const { scope, words, facts, records } = query;
  const key = agentKey(owner);
  const id = writeText(scope.kind === "subject" ? scope.subject : scope.conversation);
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
    ...filterParameters(words ?? {}),
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
  for (const [index, documentFrequency, numbers] of postings) {
    const term = asked[index];
    if (term === undefined) continue;
    const count = numbers.length / NUMBERS;
    const column = (place: number) =>
      Array.from({ length: count }, (_, row) => numbers[row * NUMBERS + place] as number);
    terms[index] = {
      term,
      documentFrequency,
      documents: column(0),
      frequencies: column(1),
      lengths: column(2),
      conversations: column(3),
      places: column(4),
    };
  }
  return { documents, totalLength: length, terms };
}

/** How many there are of each posting. */
const NUMBERS = 5;
