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

/** Term saturation and length normalisation of BM25, at their usual values. */
const K1 = 1.2;
const B = 0.75;

/**
 * BM25 over the postings of a query (Robertson and Zaragoza 2009; the idf is that of Lucene, never negative). Ties go to
 * the greater document number. Pure; the one place in which keyword results are scored.
 */
export function rankPostings(input: {
  documents: number;
  totalLength: number;
  terms: readonly TermPostings[];
}): Ranked[] {
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
  }
  return [...scores]
    .map(([document, score]) => ({ document, score }))
    .sort((a, b) => b.score - a.score || b.document - a.document);
}

/** Postings of texts that are in memory, numbered by their position. */
export function postingsOf(
  terms: readonly string[],
  documents: readonly { terms: ReadonlyMap<string, number>; length: number }[],
): { documents: number; totalLength: number; terms: TermPostings[] } {
  return {
    documents: documents.length,
    totalLength: documents.reduce((total, document) => total + document.length, 0),
    terms: terms.map((term) => {
      const postings = {
        documentFrequency: 0,
        documents: [] as number[],
        frequencies: [] as number[],
        lengths: [] as number[],
      };
      documents.forEach((document, index) => {
        const frequency = document.terms.get(term);
        if (frequency === undefined) return;
        postings.documentFrequency++;
        postings.documents.push(index);
        postings.frequencies.push(frequency);
        postings.lengths.push(document.length);
      });
      return postings;
    }),
  };
}
