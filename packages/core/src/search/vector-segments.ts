import * as z from "zod";
import type { VectorDocument, VectorModel } from "../contract/store-vectors.ts";
import { MemoryError } from "../errors/memory-error.ts";
import { contentHash } from "../text/hash.ts";

/** Keys of all segments begin so, whatever the model. */
export const VECTOR_PREFIX = "vector/";

const modelKey = ({ modelId, dimensions }: VectorModel): string => contentHash(JSON.stringify([modelId, dimensions]));

/** Keys of one model's segments begin so. */
export const modelPrefix = (model: VectorModel): string => `${VECTOR_PREFIX}${modelKey(model)}/`;

/** Key of the segment whose turns begin at `seq`. */
export const segmentKey = (model: VectorModel, seq: number): string =>
  `${modelPrefix(model)}${String(seq).padStart(12, "0")}`;

/** Name of the watermark up to which one model has embedded a conversation. */
export const vectorWatermark = (model: VectorModel): string => `embed:${modelKey(model)}`;

const headSchema = z.lazy(() =>
  z.object({
    dimensions: z.int().positive(),
    entries: z.array(z.tuple([z.string(), z.int(), z.int(), z.string(), z.string(), z.string()])),
  }),
);

/**
 * A run of vectors as bytes: the length of a JSON head (32 bits, little endian), the head padded to four bytes, then the
 * vectors as 32-bit floats in the machine's order (little endian everywhere this runs).
 */
export function encodeSegment(dimensions: number, entries: readonly VectorDocument[]): Uint8Array {
  const head = new TextEncoder().encode(
    JSON.stringify({
      dimensions,
      entries: entries.map(({ turn, seq, position, message, role, createdAt }) => [
        turn,
        seq,
        position,
        message,
        role,
        createdAt,
      ]),
    }),
  );
  const start = 4 + Math.ceil(head.length / 4) * 4;
  const bytes = new Uint8Array(start + entries.length * dimensions * 4);
  new DataView(bytes.buffer).setUint32(0, head.length, true);
  bytes.set(head, 4);
  const floats = new Float32Array(bytes.buffer, start);
  entries.forEach((entry, index) => {
    floats.set(entry.vector, index * dimensions);
  });
  return bytes;
}

/** The vectors of a segment. Throws `STORE_CORRUPT` for bytes that are none. */
export function decodeSegment(bytes: Uint8Array): VectorDocument[] {
  // A copy of its own begins at an address that floats may begin at.
  const own = bytes.slice();
  try {
    const length = new DataView(own.buffer).getUint32(0, true);
    const head = headSchema.parse(JSON.parse(new TextDecoder().decode(own.subarray(4, 4 + length))));
    const floats = new Float32Array(own.buffer, 4 + Math.ceil(length / 4) * 4, head.entries.length * head.dimensions);
    return head.entries.map(([turn, seq, position, message, role, createdAt], index) => ({
      turn,
      seq,
      position,
      message,
      role: role as VectorDocument["role"],
      createdAt,
      vector: floats.subarray(index * head.dimensions, (index + 1) * head.dimensions),
    }));
  } catch (cause) {
    throw new MemoryError("STORE_CORRUPT", "A stored run of vectors can't be read; run reindex().", { cause });
  }
}
