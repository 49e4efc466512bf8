import type { KeywordDocument } from "@throughline/core";
import { LONG_TERMS } from "./long-documents.ts";

/** Documents that are indexed together, and terms of them, at most. */
const DOCUMENTS_AT_ONCE = 64;
const TERMS_AT_ONCE = 500;

/** Documents that are indexed in one transaction. */
export interface Portion {
  documents: KeywordDocument[];
  /** The turns whose first documents these are. */
  begins: number[];
}

/** Documents turn by turn, in portions; a long one stands alone. One empty portion where there are none. */
export function portionsOf(documents: readonly KeywordDocument[]): Portion[] {
  let portion: Portion = { documents: [], begins: [] };
  const portions = [portion];
  let terms = 0;
  for (const [seq, some] of Map.groupBy(documents, (document) => document.seq)) {
    for (const [index, document] of some.entries()) {
      const size = document.terms.length;
      const isFull = portion.documents.length >= DOCUMENTS_AT_ONCE || terms + size > TERMS_AT_ONCE;
      if (portion.documents.length > 0 && (isFull || size >= LONG_TERMS || terms >= TERMS_AT_ONCE)) {
        portion = { documents: [], begins: [] };
        portions.push(portion);
        terms = 0;
      }
      if (index === 0) portion.begins.push(seq);
      portion.documents.push(document);
      // Nothing goes along with a long one.
      terms += size >= LONG_TERMS ? TERMS_AT_ONCE : size;
    }
  }
  return portions;
}
