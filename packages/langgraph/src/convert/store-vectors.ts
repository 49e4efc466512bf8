import { type Json, type JsonObject, toBase64 } from "@throughline/core";
import { fromBase64 } from "./base64.ts";
import { isObject } from "./native-form.ts";

/** Vectors as JSON: a base64 text each. */
export const packVectors = (vectors: readonly (readonly number[])[]): string[] =>
  vectors.map((vector) => toBase64(new Uint8Array(new Float32Array(vector).buffer)));

/** What was packed; nothing where it is of another version of the item. */
export function unpackVectors(record: Json, version: number): Float32Array[] {
  if (!isObject(record) || record.version !== version || !Array.isArray(record.vectors)) return [];
  return record.vectors.flatMap((text) =>
    typeof text === "string" ? [new Float32Array(fromBase64(text).buffer as ArrayBuffer)] : [],
  );
}

/** The cosine of the angle between two vectors, 0 where one has no length or they don't fit. */
export function cosine(one: ArrayLike<number>, other: ArrayLike<number>): number {
  if (one.length !== other.length) return 0;
  let [dot, left, right] = [0, 0, 0];
  for (let index = 0; index < one.length; index++) {
    const [a, b] = [one[index] as number, other[index] as number];
    dot += a * b;
    left += a * a;
    right += b * b;
  }
  return left === 0 || right === 0 ? 0 : dot / Math.sqrt(left * right);
}

/** One score from 0 to 1 of how well the words fit, beside the best, and how near the meaning is; each counts half. */
export function hybridScore(words: number | undefined, best: number, meaning: number | undefined): number {
  const ofWords = words === undefined || best === 0 ? 0 : words / best;
  return meaning === undefined ? ofWords : (ofWords + Math.max(0, meaning)) / 2;
}

/** A value without members that are `undefined`, as every store of JSON leaves them out. Shares what it can't change. */
export function withoutUndefined(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutUndefined);
  if (!isObject(value) || Object.getPrototypeOf(value) !== Object.prototype) return value;
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return Object.fromEntries(members.map(([key, member]) => [key, withoutUndefined(member)])) as JsonObject;
}
