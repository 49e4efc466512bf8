import type { VectorModel } from "@throughline/core";
import { MemoryError } from "@throughline/core";
import { hash64 } from "../keyword/hashes.ts";

/** Numbers of the longest vector that pgvector keeps. */
const LONGEST = 16_000;
/** Numbers of the longest vector that HNSW indexes as it stands, and at half the precision. */
const LONGEST_WHOLE = 2_000;
const LONGEST_HALF = 4_000;

/** The number that a model's vectors stand under, as a text. */
export function modelNumber({ modelId, dimensions }: VectorModel): string {
  return hash64(JSON.stringify([modelId, dimensions]));
}

/** Refuses what no column can hold. */
export function checkModel({ modelId, dimensions }: VectorModel): void {
  if (dimensions <= LONGEST) return;
  throw new MemoryError(
    "VALUE_TOO_LARGE",
    `Vectors of "${modelId}" have ${dimensions} numbers; at most ${LONGEST} can be kept.`,
  );
}

/** Name of the model's HNSW index. */
export function indexName(model: VectorModel): string {
  return `vector_hnsw_${BigInt.asUintN(64, BigInt(modelNumber(model))).toString(16)}`;
}

/** The type that HNSW indexes the model's vectors as; `null` where they are too long. `schema` is quoted. */
export function indexedType({ dimensions }: VectorModel, schema: string): { type: string; operators: string } | null {
  if (dimensions > LONGEST_HALF) return null;
  const type = dimensions > LONGEST_WHOLE ? "halfvec" : "vector";
  return { type: `${schema}.${type}(${dimensions})`, operators: `${schema}.${type}_ip_ops` };
}

/** A vector as pgvector reads it, exact to the last bit. */
export function vectorText(vector: Float32Array): string {
  return `[${Array.from(vector, (value) => value.toPrecision(9)).join(",")}]`;
}

/** A vector as bytes hold it. */
export function vectorBytes(vector: Float32Array): Uint8Array {
  return new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength);
}
