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

/** Calls `visit` with each posting of {@link encodePostings}. */
export function visitPostings(
  bytes: Uint8Array,
  visit: (document: number, frequency: number, role: number, length: number) => void,
): void {
  let index = 0;
  const next = (): number => {
    let byte = bytes[index++] ?? 0;
    if (byte < 0x80) return byte;
    let value = byte & 0x7f;
    let scale = 0x80;
    do {
      byte = bytes[index++] ?? 0;
      value += (byte & 0x7f) * scale;
      scale *= 0x80;
    } while (byte >= 0x80);
    return value;
  };
  while (index < bytes.length) {
    const document = next();
    const frequency = next();
    visit(document, Math.floor(frequency / ROLES.length), frequency % ROLES.length, next());
  }
}

/** The postings of {@link encodePostings}. */
export function decodePostings(bytes: Uint8Array): Posting[] {
  const postings: Posting[] = [];
  visitPostings(bytes, (document, frequency, role, length) => postings.push({ document, frequency, role, length }));
  return postings;
}

function pushNumber(bytes: number[], value: number): void {
  let rest = value;
  while (rest >= 0x80) {
    bytes.push((rest % 0x80) | 0x80);
    rest = Math.floor(rest / 0x80);
  }
  bytes.push(rest);
}
