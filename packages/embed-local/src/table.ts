import { MemoryError } from "@throughline/core";
import { nextTask } from "./rim.ts";

/** "TLWV", and the format's number. */
const MAGIC = 0x5657_4c54;
const FORMAT = 1;
const HEAD_BYTES = 20;
/** Greatest number that half a byte holds, either way. */
const MOST = 7;

/** Word vectors in four bits a number, with a scale for each word. */
export interface WordTable {
  dimensions: number;
  /** Each word's place. */
  places: ReadonlyMap<string, number>;
  /** By place; a word's weight is in it. */
  scales: Float32Array;
  /** Two numbers a byte, the first in the lower half, 8 above what they are. */
  nibbles: Uint8Array;
}

/** A table as bytes: a head, the words with line feeds between them, the scales and the numbers. */
export function encodeTable(
  dimensions: number,
  entries: readonly { word: string; vector: readonly number[] }[],
): Uint8Array {
  const words = new TextEncoder().encode(entries.map(({ word }) => word).join("\n"));
  const scalesAt = HEAD_BYTES + Math.ceil(words.length / 4) * 4;
  const row = Math.ceil(dimensions / 2);
  const bytes = new Uint8Array(scalesAt + entries.length * (4 + row));
  const view = new DataView(bytes.buffer);
  [MAGIC, FORMAT, entries.length, dimensions, words.length].forEach((value, index) => {
    view.setUint32(index * 4, value, true);
  });
  bytes.set(words, HEAD_BYTES);
  const nibbles = bytes.subarray(scalesAt + entries.length * 4);
  entries.forEach(({ vector }, place) => {
    const most = vector.reduce((max, value) => Math.max(max, Math.abs(value)), 0);
    const scale = Math.fround(most / MOST);
    view.setFloat32(scalesAt + place * 4, scale, true);
    for (let index = 0; index < dimensions; index++) {
      const exact = scale === 0 ? 0 : Math.round((vector[index] ?? 0) / scale);
      const code = Math.max(-MOST, Math.min(MOST, exact)) + 8;
      const at = place * row + (index >> 1);
      nibbles[at] = (nibbles[at] ?? 0) | (index % 2 === 0 ? code : code << 4);
    }
  });
  return bytes;
}

/** What {@link encodeTable} wrote. Rejects with `INVALID_ARGUMENT` for anything else. */
export async function decodeTable(given: Uint8Array): Promise<WordTable> {
  // Scales begin at a multiple of four.
  const bytes = given.byteOffset % 4 === 0 ? given : given.slice();
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const [magic, format, count = 0, dimensions = 0, length = 0] =
    bytes.length < HEAD_BYTES ? [] : [0, 4, 8, 12, 16].map((at) => view.getUint32(at, true));
  const scalesAt = HEAD_BYTES + Math.ceil(length / 4) * 4;
  const row = Math.ceil(dimensions / 2);
  if (magic !== MAGIC || format !== FORMAT || bytes.length !== scalesAt + count * (4 + row)) {
    throw new MemoryError(
      "INVALID_ARGUMENT",
      "This is no table of word vectors; install @throughline/embed-local anew.",
    );
  }
  const words = new TextDecoder().decode(bytes.subarray(HEAD_BYTES, HEAD_BYTES + length));
  return {
    dimensions,
    places: await placesOfWords(words),
    scales: new Float32Array(bytes.buffer, bytes.byteOffset + scalesAt, count),
    nibbles: bytes.subarray(scalesAt + count * 4),
  };
}

/** Words whose places are put down before everything else has its turn: some 4 ms. */
const WORDS_AT_ONCE = 4_000;

async function placesOfWords(words: string): Promise<Map<string, number>> {
  const places = new Map<string, number>();
  let start = 0;
  for (let place = 0; ; place++) {
    const end = words.indexOf("\n", start);
    places.set(words.slice(start, end < 0 ? undefined : end), place);
    if (end < 0) return places;
    start = end + 1;
    if (place % WORDS_AT_ONCE === WORDS_AT_ONCE - 1) await nextTask();
  }
}
