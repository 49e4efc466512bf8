import { type PostingChoice, type PostingColumns, pushNumber, ROLES } from "./posting-blocks.ts";
import type { FiledDocument } from "./posting-writes.ts";

/** Terms of a document as the index names them, each once, with how often it stands there. */
export type HashedTerms = readonly (readonly [term: number, frequency: number])[];

/** A term's hash has 47 bits. */
const HASH_BYTES = 6;

/**
 * A recent document as bytes: how many follow, what a posting says of it, and its terms, some seven bytes each. Documents of
 * a bucket stand one behind the other.
 */
export function encodeRecent(document: FiledDocument, terms: HashedTerms): Uint8Array {
  const bytes: number[] = [];
  const { ref, ordinal, tool, role, length, conversation, place } = document;
  for (const value of [ref, ordinal, tool * ROLES.length + role, length, conversation, place]) pushNumber(bytes, value);
  for (const [term, frequency] of terms) {
    let rest = term;
    for (let byte = 0; byte < HASH_BYTES; byte++) {
      bytes.push(rest % 0x100);
      rest = Math.floor(rest / 0x100);
    }
    pushNumber(bytes, frequency);
  }
  const size: number[] = [];
  pushNumber(size, bytes.length);
  return Uint8Array.from([...size, ...bytes]);
}

/** Goes through what {@link encodeRecent} wrote, document by document. */
export class RecentReader {
  readonly #bytes: Uint8Array;
  /** Where the document at hand begins, and the one behind it. */
  start = 0;
  end = 0;
  /** The document at hand. */
  ref = 0;
  ordinal = 0;
  tool = 0;
  role = 0;
  length = 0;
  conversation = 0;
  place = 0;
  /** Its term at hand: the hash's low 32 bits, as a number with a sign, and the others. */
  low = 0;
  high = 0;
  frequency = 0;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** The next document; false behind the last. */
  next(): boolean {
    this.start = this.end;
    if (this.start >= this.#bytes.length) return false;
    this.#at = this.start;
    const size = this.#number();
    this.end = this.#at + size;
    this.ref = this.#number();
    this.ordinal = this.#number();
    const kind = this.#number();
    this.tool = kind >= ROLES.length ? 1 : 0;
    this.role = kind % ROLES.length;
    this.length = this.#number();
    this.conversation = this.#number();
    this.place = this.#number();
    return true;
  }

  /** The next term of the document; false behind the last. */
  nextTerm(): boolean {
    const at = this.#at;
    if (at >= this.end) return false;
    const bytes = this.#bytes;
    // Every byte of the hash is there.
    const low = (bytes[at] as number) | ((bytes[at + 1] as number) << 8) | ((bytes[at + 2] as number) << 16);
    this.low = low | ((bytes[at + 3] as number) << 24);
    this.high = (bytes[at + 4] as number) | ((bytes[at + 5] as number) << 8);
    this.#at = at + HASH_BYTES;
    this.frequency = this.#number();
    return true;
  }

  /** The hash of the term at hand. */
  get term(): number {
    return this.high * 0x1_0000_0000 + (this.low >>> 0);
  }

  #number(): number {
    const bytes = this.#bytes;
    let value = 0;
    for (let scale = 1; ; scale *= 0x80) {
      const byte = bytes[this.#at++] ?? 0;
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
    }
  }
}

/** Which bits of a term's hash are its place in a table: of an ordinary question most places are empty. */
const TABLE_BITS = 0x3ff;

/** Puts what recent documents have of some terms behind their postings, and counts them as {@link PostingChoice} says. */
export function addRecentTo(
  found: ReadonlyMap<number, (PostingColumns & { documentFrequency: number })[]>,
  bytes: Uint8Array,
  groups: readonly number[],
  { only, pending, passes }: PostingChoice,
): void {
  // Most terms are none that is asked for, which a look into a table tells sooner than one into the map.
  const table = new Uint8Array(TABLE_BITS + 1);
  for (const term of found.keys()) table[term & TABLE_BITS] = 1;
  const reader = new RecentReader(bytes);
  while (reader.next()) {
    const { ref, role } = reader;
    if (!groups.includes(reader.tool)) continue;
    if ((only !== null && !only.has(ref)) || pending?.has(ref) === true) continue;
    const isWanted = passes === null || passes(ref, role);
    while (reader.nextTerm()) {
      if (table[reader.low & TABLE_BITS] === 0) continue;
      for (const entry of found.get(reader.term) ?? []) {
        entry.documentFrequency += 1;
        if (!isWanted) continue;
        entry.documents.push(ref);
        entry.frequencies.push(reader.frequency);
        entry.lengths.push(reader.length);
        entry.conversations.push(reader.conversation);
        entry.places.push(reader.place);
      }
    }
  }
}
