import type { Role } from "@throughline/core";

/** Documents of a bucket whose postings share a row: few enough that a row stays within a page. */
export const BLOCK_DOCUMENTS = 128;

/** Roles in the order of their numbers in a posting. */
export const ROLES: readonly Role[] = ["user", "assistant", "tool", "system"];

/** One term in one document. */
export interface Posting {
  document: number;
  frequency: number;
  /** Index into {@link ROLES}. */
  role: number;
  /** Terms of the document, repeats counted. */
  length: number;
}

/** Postings as bytes: numbers of seven bits a byte, so that an ordinary posting takes six. */
export function encodePostings(postings: readonly Posting[]): Uint8Array {
  const bytes: number[] = [];
  for (const { document, frequency, role, length } of postings) {
    pushNumber(bytes, document);
    pushNumber(bytes, frequency * ROLES.length + role);
    pushNumber(bytes, length);
  }
  return Uint8Array.from(bytes);
}

/** Where {@link readPostingsInto} puts what it reads: parallel arrays, of the postings that pass. */
export interface PostingColumns {
  documents: number[];
  frequencies: number[];
  lengths: number[];
}

/**
 * Reads {@link encodePostings}. Counts the postings that are `inScope`, and puts those of them that `pass` besides into the
 * columns; `null` stands for all. The innermost loop of every search: no object and no call per posting where nothing is
 * filtered.
 */
export function readPostingsInto(
  columns: PostingColumns,
  bytes: Uint8Array,
  inScope: ReadonlySet<number> | null,
  passes: ((document: number, role: number) => boolean) | null,
): { read: number; inScope: number } {
  const { documents, frequencies, lengths } = columns;
  const size = bytes.length;
  let index = 0;
  let read = 0;
  let counted = 0;
  while (index < size) {
    let document = 0;
    let frequency = 0;
    let length = 0;
    let scale = 1;
    let byte: number;
    do {
      byte = bytes[index++] ?? 0;
      document += (byte & 0x7f) * scale;
      scale *= 0x80;
    } while (byte >= 0x80);
    scale = 1;
    do {
      byte = bytes[index++] ?? 0;
      frequency += (byte & 0x7f) * scale;
      scale *= 0x80;
    } while (byte >= 0x80);
    scale = 1;
    do {
      byte = bytes[index++] ?? 0;
      length += (byte & 0x7f) * scale;
      scale *= 0x80;
    } while (byte >= 0x80);
    read += 1;
    if (inScope !== null && !inScope.has(document)) continue;
    counted += 1;
    if (passes !== null && !passes(document, frequency % ROLES.length)) continue;
    documents.push(document);
    frequencies.push(Math.floor(frequency / ROLES.length));
    lengths.push(length);
  }
  return { read, inScope: counted };
}

/** The bytes without the postings of these documents. */
export function withoutDocuments(bytes: Uint8Array, documents: ReadonlySet<number>): Uint8Array {
  const kept: Posting[] = [];
  const columns: PostingColumns = { documents: [], frequencies: [], lengths: [] };
  readPostingsInto(columns, bytes, null, (document, role) => {
    if (documents.has(document)) return false;
    kept.push({ document, frequency: 0, role, length: 0 });
    return true;
  });
  for (const [index, posting] of kept.entries()) {
    posting.frequency = columns.frequencies[index] ?? 0;
    posting.length = columns.lengths[index] ?? 0;
  }
  return encodePostings(kept);
}

function pushNumber(bytes: number[], value: number): void {
  let rest = value;
  while (rest >= 0x80) {
    bytes.push((rest % 0x80) | 0x80);
    rest = Math.floor(rest / 0x80);
  }
  bytes.push(rest);
}
