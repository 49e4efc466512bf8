import type { WordTable } from "./table.ts";
import { placesOf } from "./words.ts";

/**
 * The sum of a text's word vectors, at length 1; all zeros where the table knows none of its words. Only sums, products and
 * one root are taken, in a fixed order: the same to the bit on every machine.
 */
export function embedWords(text: string, { dimensions, places, scales, nibbles }: WordTable): Float32Array {
  const sums = new Float64Array(dimensions);
  const row = Math.ceil(dimensions / 2);
  for (const place of placesOf(text, places).found) {
    // A place is one of the table's.
    const scale = scales[place] as number;
    const start = place * row;
    for (let index = 0; index < dimensions; index++) {
      const pair = nibbles[start + (index >> 1)] as number;
      const code = (index % 2 === 0 ? pair & 15 : pair >> 4) - 8;
      sums[index] = (sums[index] as number) + scale * code;
    }
  }
  let square = 0;
  for (const value of sums) square += value * value;
  const length = Math.sqrt(square);
  return length === 0 ? new Float32Array(dimensions) : Float32Array.from(sums, (value) => value / length);
}
