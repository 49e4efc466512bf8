import { ROLES } from "./posting-blocks.ts";
import type { FiledDocument } from "./posting-writes.ts";

/** Terms of a document as the index names them, each once, with how often it stands there. */
export type HashedTerms = readonly (readonly [term: number, frequency: number])[];

/** A term's hash has 47 bits. */
const HASH_BYTES = 6;

/** A document's terms as bytes, behind what a posting says of the document: some seven a term. */
export function encodeTerms(document: FiledDocument, terms: HashedTerms): Uint8Array {
  const bytes: number[] = [];
  const { ordinal, tool, role, length, conversation, place } = document;
  for (const value of [ordinal, tool * ROLES.length + role, length, conversation, place]) pushNumber(bytes, value);
  for (const [term, frequency] of terms) {
    let rest = term;
    for (let byte = 0; byte < HASH_BYTES; byte++) {
      bytes.push(rest % 0x100);
      rest = Math.floor(rest / 0x100);
    }
    pushNumber(bytes, frequency);
  }
  return Uint8Array.from(bytes);
}

/** What {@link encodeTerms} wrote. `visit` is called for each term; not at all where `wanted` says no. */
export function readTerms(
  bytes: Uint8Array,
  wanted: (document: Omit<FiledDocument, "ref" | "bucket">) => boolean,
  visit: (term: number, frequency: number) => void,
): void {
  let index = 0;
  const number = (): number => {
    let value = 0;
    for (let scale = 1; ; scale *= 0x80) {
      const byte = bytes[index++] ?? 0;
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
    }
  };
  const [ordinal, kind, length, conversation, place] = [number(), number(), number(), number(), number()];
  const tool = kind >= ROLES.length ? 1 : 0;
  if (!wanted({ ordinal, tool, role: kind % ROLES.length, length, conversation, place })) return;
  while (index < bytes.length) {
    // Every byte of the hash is there.
    const low =
      ((bytes[index] as number) |
        ((bytes[index + 1] as number) << 8) |
        ((bytes[index + 2] as number) << 16) |
        ((bytes[index + 3] as number) << 24)) >>>
      0;
    const high = (bytes[index + 4] as number) | ((bytes[index + 5] as number) << 8);
    index += HASH_BYTES;
    visit(high * 0x1_0000_0000 + low, number());
  }
}

function pushNumber(bytes: number[], value: number): void {
  let rest = value;
  while (rest >= 0x80) {
    bytes.push((rest % 0x80) | 0x80);
    rest = Math.floor(rest / 0x80);
  }
  bytes.push(rest);
}
