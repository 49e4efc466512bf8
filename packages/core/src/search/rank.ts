import type { Slices } from "./slices.ts";

/** A document's score; greater is better. */
export interface Ranked {
  document: number;
  score: number;
}

/** Where one term stands, in parallel arrays. */
export interface TermPostings {
  documentFrequency: number;
  documents: readonly number[];
  frequencies: readonly number[];
  lengths: readonly number[];
}

/** What is ranked: where the terms of a question stand among so many documents, of so many words in all. */
export interface ScoredPostings {
  documents: number;
  totalLength: number;
  terms: readonly TermPostings[];
}

/** Term saturation and length normalisation of BM25, at their usual values. */
const K1 = 1.2;
const B = 0.75;

/**
 * BM25 over the postings of a query (Robertson and Zaragoza 2009; the idf is that of Lucene, never negative). Ties go to
 * the greater document number. In slices. Pure; the one place in which keyword results are scored.
 */
export function* rankInSlices(input: ScoredPostings): Slices<Ranked[]> {
  const averageLength = input.documents > 0 ? Math.max(1, input.totalLength / input.documents) : 1;
  const scores = new Map<number, number>();
  for (const term of input.terms) {
    const idf = Math.log(1 + (input.documents - term.documentFrequency + 0.5) / (term.documentFrequency + 0.5));
    for (let index = 0; index < term.documents.length; index++) {
      const document = term.documents[index] as number;
      const frequency = term.frequencies[index] as number;
      const length = term.lengths[index] as number;
      const norm = K1 * (1 - B + (B * length) / averageLength);
      scores.set(document, (scores.get(document) ?? 0) + (idf * frequency * (K1 + 1)) / (frequency + norm));
    }
    yield;
  }
  return [...scores]
    .map(([document, score]) => ({ document, score }))
    .sort((a, b) => b.score - a.score || b.document - a.document);
}

/** A text that is in memory, by its terms. */
export interface CountedText {
  terms: ReadonlyMap<string, number>;
  length: number;
}

/** Postings of texts that are in memory, numbered by their position; in slices. */
export function* postingsOf(terms: readonly string[], documents: readonly CountedText[]): Slices<ScoredPostings> {
  const postings: TermPostings[] = [];
  for (const term of terms) {
    postings.push(postingsOfTerm(term, documents));
    yield;
  }
  const totalLength = documents.reduce((total, document) => total + document.length, 0);
  return { documents: documents.length, totalLength, terms: postings };
}

function postingsOfTerm(term: string, texts: readonly CountedText[]): TermPostings {
  const [documents, frequencies, lengths]: [number[], number[], number[]] = [[], [], []];
  for (const [index, text] of texts.entries()) {
    const frequency = text.terms.get(term);
    if (frequency === undefined) continue;
    documents.push(index);
    frequencies.push(frequency);
    lengths.push(text.length);
  }
  return { documentFrequency: documents.length, documents, frequencies, lengths };
}
