import { MemoryError, type VectorModel } from "@throughline/core";
import { hashText } from "../hash.ts";
import type { Session } from "../session.ts";

/** One more than the greatest number of a set's vectors. */
const NUMBER_LIMIT = 2 ** 24;
/** Numbers of the longest vector that is kept. */
const LONGEST = 16_000;
/** Vectors of a run. A number's run is never another. */
export const RUN_SIZE = 128;

/** One bucket's vectors of one model. */
export interface VectorSet {
  ref: number;
  dimensions: number;
  /** The next vector's number. */
  next: number;
  /** Vectors under this number are in runs. */
  sealed: number;
}

/** Refuses what no search could take. */
export function checkModel({ modelId, dimensions }: VectorModel): void {
  if (dimensions <= LONGEST) return;
  throw new MemoryError(
    "VALUE_TOO_LARGE",
    `Vectors of "${modelId}" have ${dimensions} numbers; at most ${LONGEST} can be kept.`,
  );
}

/** The number that a model stands under in this file. */
export function modelNumber(session: Session, { modelId, dimensions }: VectorModel): number {
  return hashText(`v${JSON.stringify([modelId, dimensions])}`, session.secret);
}

/** A set's number and a vector's in one integer, in the order of both. */
export function vectorKey(set: number, number: number): number {
  if (number >= NUMBER_LIMIT) {
    throw new MemoryError("STORE_FULL", `A subject has at most ${NUMBER_LIMIT} vectors; run reindex().`, {
      retryable: false,
    });
  }
  return set * NUMBER_LIMIT + number;
}

/** The number of a key. */
export const numberOf = (key: number): number => key % NUMBER_LIMIT;

/** The set of a key. */
export const setOf = (key: number): number => Math.floor(key / NUMBER_LIMIT);

/** The set of a bucket and a model. */
export function findSet(session: Session, bucket: number, model: number): VectorSet | undefined {
  const [row] = session.rows<[ref: number, dimensions: number, next: number, sealed: number]>(
    "SELECT ref, dimensions, next, sealed FROM vector_set WHERE bucket = ? AND model = ?",
    bucket,
    model,
  );
  if (row === undefined) return undefined;
  const [ref, dimensions, next, sealed] = row;
  return { ref, dimensions, next, sealed };
}

/** Which edition a set is: another one as soon as a row of it changed or went. */
export function editionOf(session: Session, set: number): number {
  return session.row<[number]>("SELECT edition FROM vector_set WHERE ref = ?", set)?.[0] ?? 0;
}

/** {@link findSet}, made now where there is none. */
export function obtainSet(session: Session, bucket: number, model: number, dimensions: number): VectorSet {
  const known = findSet(session, bucket, model);
  if (known !== undefined) return known;
  const sql = "INSERT INTO vector_set (bucket, model, dimensions, next, sealed) VALUES (?, ?, ?, 0, 0)";
  return { ref: session.run(sql, bucket, model, dimensions).ref, dimensions, next: 0, sealed: 0 };
}
