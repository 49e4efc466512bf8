import { MemoryError } from "../../errors/memory-error.ts";
import { quantise, strideOf } from "./quantise.ts";

/** Role of a place whose vector is gone. */
export const GONE = 255;

/** What a scan can leave a vector out by, in numbers that the store gives meaning to. */
export interface CodePlace {
  /** The store's number of the conversation. */
  conversation: number;
  seq: number;
  /** Under 255. */
  role: number;
  /** Of `createdAt`, in milliseconds; not a number where it is in no usual form. */
  time: number;
}

/** Vectors as 8-bit numbers, one behind the other, with what a scan needs of each, in parallel arrays. */
export interface CodeRun {
  /** Vectors in the run. */
  count: number;
  /** Bytes from one vector to the next. */
  stride: number;
  scales: Float32Array;
  lengths: Float32Array;
  errors: Float32Array;
  seqs: Int32Array;
  conversations: Float64Array;
  times: Float64Array;
  roles: Uint8Array;
  codes: Int8Array;
}

const HEAD_BYTES = 16;

/** The bytes of a run, and the arrays in them: whoever has one has the other. */
function layOut(bytes: Uint8Array, count: number, stride: number): CodeRun {
  const { buffer } = bytes;
  let at = bytes.byteOffset + HEAD_BYTES;
  const next = (size: number): number => {
    at += size * count;
    return at - size * count;
  };
  return {
    count,
    stride,
    conversations: new Float64Array(buffer, next(8), count),
    times: new Float64Array(buffer, next(8), count),
    scales: new Float32Array(buffer, next(4), count),
    lengths: new Float32Array(buffer, next(4), count),
    errors: new Float32Array(buffer, next(4), count),
    seqs: new Int32Array(buffer, next(4), count),
    roles: new Uint8Array(buffer, next(1), count),
    codes: new Int8Array(buffer, at, count * stride),
  };
}

const sizeOf = (count: number, stride: number): number => HEAD_BYTES + count * (8 + 8 + 4 * 4 + 1 + stride);

/** A run of places that are all empty, and the bytes that it is kept as. */
export function emptyRun(count: number, dimensions: number): { bytes: Uint8Array; run: CodeRun } {
  const stride = strideOf(dimensions);
  const bytes = new Uint8Array(sizeOf(count, stride));
  new DataView(bytes.buffer).setUint32(0, count, true);
  new DataView(bytes.buffer).setUint32(4, stride, true);
  const run = layOut(bytes, count, stride);
  run.roles.fill(GONE);
  return { bytes, run };
}

/** Puts a vector into a run. */
export function putCodes(run: CodeRun, index: number, place: CodePlace, vector: Float32Array): void {
  const { scale, length, error } = quantise(vector, run.codes.subarray(index * run.stride, (index + 1) * run.stride));
  run.scales[index] = scale;
  run.lengths[index] = length;
  run.errors[index] = error;
  run.seqs[index] = place.seq;
  run.conversations[index] = place.conversation;
  run.times[index] = place.time;
  run.roles[index] = place.role;
}

/** Takes a vector out of a run; nothing of it is left in the bytes. */
export function clearCodes(run: CodeRun, index: number): void {
  run.codes.fill(0, index * run.stride, (index + 1) * run.stride);
  for (const array of [run.scales, run.lengths, run.errors, run.seqs, run.conversations, run.times]) array[index] = 0;
  run.roles[index] = GONE;
}

/** The run that bytes hold; what follows it in them is padding. Throws `STORE_CORRUPT` for bytes that hold none. */
export function readRun(given: Uint8Array, dimensions: number): CodeRun {
  const stride = strideOf(dimensions);
  // Numbers of eight bytes lie at multiples of eight.
  const bytes = given.byteOffset % 8 === 0 ? given : given.slice();
  const head = bytes.length < HEAD_BYTES ? undefined : new DataView(bytes.buffer, bytes.byteOffset, HEAD_BYTES);
  const count = head?.getUint32(0, true) ?? 0;
  if (count === 0 || head?.getUint32(4, true) !== stride || bytes.length < sizeOf(count, stride)) {
    throw new MemoryError("STORE_CORRUPT", "A stored run of vectors can't be read; run reindex().");
  }
  return layOut(bytes, count, stride);
}
