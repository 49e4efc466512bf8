import type { Postings } from "../contract/store-keyword.ts";

/** A term that stands nowhere, for postings to be added to. */
export const noPostings = (term: string): Postings["terms"][number] => ({
  term,
  documentFrequency: 0,
  documents: [],
  frequencies: [],
  lengths: [],
  conversations: [],
  places: [],
});
