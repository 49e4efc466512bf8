/**
 * How a document stands to its postings: the column `filed`. A change of a turn only marks its documents, in one short
 * transaction; the postings follow in pieces before the call ends, or after a crash at the next opening. Searches pass over
 * whatever is marked.
 */
export const FILED = {
  /** No postings: its turn is hidden. */
  no: 0,
  /** Its postings are there, and it is counted. */
  yes: 1,
  /** Its postings are to go. */
  leaving: 2,
  /** It is to go altogether. */
  doomed: 3,
  /** Its postings are to come. */
  coming: 4,
  /** Its postings are to go, and to come under its turn's subject. */
  moving: 5,
  /**
   * Its postings are coming, some terms at a time: of a long document, which one transaction would take too long for. How many
   * of its terms have theirs is added to this number, so that whoever goes on, in any process, goes on where the last one was.
   */
  arriving: 6,
} as const;

/** Whether postings of a document may stand in the index. */
export function hasPostings(filed: number): boolean {
  return filed !== FILED.no && filed !== FILED.coming;
}
