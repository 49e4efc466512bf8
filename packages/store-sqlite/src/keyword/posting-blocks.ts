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
  /** Number of the document's conversation. */
  conversation: number;
  /** Where it stands there, as core numbers it. */
  place: number;
}

/** Postings as bytes: numbers of seven bits a byte, so that an ordinary posting takes ten. */
export function encodePostings(postings: readonly Posting[]): Uint8Array {
  const bytes: number[] = [];
  for (const { document, frequency, role, length, conversation, place } of postings) {
    pushNumber(bytes, document);
    pushNumber(bytes, frequency * ROLES.length + role);
    pushNumber(bytes, length);
    pushNumber(bytes, conversation);
    pushNumber(bytes, place);
  }
  return Uint8Array.from(bytes);
}

/** Where {@link readPostingsInto} puts what it reads: parallel arrays, of the postings that pass. */
export interface PostingColumns {
  documents: number[];
  frequencies: number[];
  lengths: number[];
  conversations: number[];
  places: number[];
}

/** Which postings count, and which of those are wanted; `null` stands for all. */
export interface PostingChoice {
  /** The documents of the scope. */
  only: ReadonlySet<number> | null;
  /** Documents whose postings are about to go. */
  pending: ReadonlySet<number> | null;
  passes: ((document: number, role: number) => boolean) | null;
}

/**
 * Reads {@link encodePostings}. Counts the postings that are in scope, and puts those of them that pass besides into the
 * columns. The innermost loop of every search: no object and no call per posting where nothing is filtered.
 */
export function readPostingsInto(columns: PostingColumns, bytes: Uint8Array, choice: PostingChoice): number {
  const { documents, frequencies, lengths, conversations, places } = columns;
  const { only, pending, passes } = choice;
  const size = bytes.length;
  let index = 0;
  let counted = 0;
  while (index < size) {
    let document = 0;
    let frequency = 0;
    let length = 0;
    let conversation = 0;
    let place = 0;
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
    scale = 1;
    do {
      byte = bytes[index++] ?? 0;
      conversation += (byte & 0x7f) * scale;
      scale *= 0x80;
    } while (byte >= 0x80);
    scale = 1;
    do {
      byte = bytes[index++] ?? 0;
      place += (byte & 0x7f) * scale;
      scale *= 0x80;
    } while (byte >= 0x80);
    if (only !== null && !only.has(document)) continue;
    if (pending?.has(document) === true) continue;
    counted += 1;
    if (passes !== null && !passes(document, frequency % ROLES.length)) continue;
    documents.push(document);
    frequencies.push(Math.floor(frequency / ROLES.length));
    lengths.push(length);
    conversations.push(conversation);
    places.push(place);
  }
  return counted;
}

/** The bytes without the postings of these documents. */
export function withoutDocuments(bytes: Uint8Array, documents: ReadonlySet<number>): Uint8Array {
  const kept = new Uint8Array(bytes.length);
  let size = 0;
  let index = 0;
  while (index < bytes.length) {
    const start = index;
    let document = 0;
    let scale = 1;
    let byte: number;
    do {
      byte = bytes[index++] ?? 0;
      document += (byte & 0x7f) * scale;
      scale *= 0x80;
    } while (byte >= 0x80);
    // The frequency with the role, the length, the conversation and the place.
    for (let numbers = 0; numbers < 4; numbers++) while ((bytes[index++] ?? 0) >= 0x80);
    if (documents.has(document)) continue;
    kept.set(bytes.subarray(start, index), size);
    size += index - start;
  }
  return kept.subarray(0, size);
}

/** Adds a whole number, seven bits a byte, the lowest first. */
export function pushNumber(bytes: number[], value: number): void {
  let rest = value;
  while (rest >= 0x80) {
    bytes.push((rest % 0x80) | 0x80);
    rest = Math.floor(rest / 0x80);
  }
  bytes.push(rest);
}
