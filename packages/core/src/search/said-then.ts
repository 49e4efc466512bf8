import type { MemoryStore } from "../contract/memory-store.ts";
import type { KeywordScope, PostingQuery, Postings } from "../contract/store-keyword.ts";
import { callOf } from "../memory/call-options.ts";
import type { Engine } from "../memory/engine.ts";
import { isDayTerm, SAID_THEN, termsOfPeriod } from "./date-terms.ts";
import type { UnitPostings } from "./gather-units.ts";
import { noPostings } from "./no-postings.ts";
import type { Period } from "./period-of.ts";
import { within } from "./within.ts";

/** Longer periods have every number that a day has. */
const MOST_DAYS = 31;

/** The period that pieces are looked for by, where a question of some terms names a few days. Pure. */
export const fewDays = (terms: readonly string[], then: Period | undefined): Period | undefined =>
  then !== undefined && terms.some(isDayTerm) && Date.parse(then.to) - Date.parse(then.from) <= MOST_DAYS * DAY
    ? then
    : undefined;

const DAY = 86_400_000;

/**
 * The pieces that an index holds of what was said in a period of a few days, as those of one term. A day of the person's is no
 * day of UTC, which pieces have terms of: evenings in America are filed under the next one.
 */
export async function postingsThen(
  { owner }: Engine,
  { keyword }: MemoryStore,
  { scope, query, then }: { scope: KeywordScope; query: PostingQuery; then: Period },
  signal: AbortSignal | undefined,
): Promise<Postings["terms"][number]> {
  const terms = termsOfPeriod(then).filter(isDayTerm);
  const found = await keyword?.postings(owner, scope, within({ ...query, terms }, then), callOf(signal));
  const rows = (found?.terms ?? []).flatMap((term) => term.documents.map((document, at) => ({ document, term, at })));
  // Each piece is of one day. In the order that they were indexed in, as those of a word are.
  rows.sort((left, right) => left.document - right.document);
  const postings = noPostings(SAID_THEN);
  for (const { document, term, at } of rows) {
    postings.documents.push(document);
    postings.frequencies.push(1);
    // The arrays of a term are parallel.
    postings.lengths.push(term.lengths[at] as number);
    postings.conversations.push(term.conversations[at] as number);
    postings.places.push(term.places[at] as number);
  }
  return { ...postings, documentFrequency: rows.length };
}

/** The terms to rank by: where something was said in the very days, they stand for the numbers of days of UTC. Pure. */
export function withSaidThen(terms: readonly UnitPostings[]): UnitPostings[] {
  const isThere = terms.some(({ term, documents }) => term === SAID_THEN && documents.length > 0);
  return terms.filter(({ term }) => (isThere ? !isDayTerm(term) : term !== SAID_THEN));
}
