import { toBase64 as slowToBase64 } from "@throughline/core";
import { fromBase64 as slowFromBase64 } from "../../convert/base64.ts";

/** The bytes of Node and its relatives, where the runtime has them. */
interface HostBuffer {
  from(data: string, encoding: "base64"): Uint8Array;
  from(data: ArrayBufferLike, offset: number, length: number): Uint8Array & { toString(encoding: "base64"): string };
  isBuffer(value: unknown): boolean;
}

// Absent in browsers, and typed nowhere in this package.
const hostBuffer = (): HostBuffer | undefined => (globalThis as { Buffer?: HostBuffer }).Buffer;

const toBase64 = (bytes: Uint8Array): string =>
  hostBuffer()?.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64") ?? slowToBase64(bytes);

/** Bytes with a buffer of their own. */
const fromBase64 = (text: string): Uint8Array<ArrayBuffer> =>
  // A copy: small buffers of Node share one.
  new Uint8Array(hostBuffer()?.from(text, "base64") ?? slowFromBase64(text));

type Views = Record<string, (buffer: ArrayBuffer) => unknown>;

const aligned =
  <View>(make: new (buffer: ArrayBuffer) => View) =>
  (buffer: ArrayBuffer): View =>
    new make(buffer);

const VIEWS: Views = {
  Uint8Array: aligned(Uint8Array),
  Uint8ClampedArray: aligned(Uint8ClampedArray),
  Int8Array: aligned(Int8Array),
  Uint16Array: aligned(Uint16Array),
  Int16Array: aligned(Int16Array),
  Uint32Array: aligned(Uint32Array),
  Int32Array: aligned(Int32Array),
  Float32Array: aligned(Float32Array),
  Float64Array: aligned(Float64Array),
  BigInt64Array: aligned(BigInt64Array),
  BigUint64Array: aligned(BigUint64Array),
  DataView: aligned(DataView),
  ArrayBuffer: (buffer) => buffer,
  Buffer: (buffer) => hostBuffer()?.from(buffer, 0, buffer.byteLength) ?? new Uint8Array(buffer),
};

/** The kind and the bytes of something binary; `null` for anything else. Numbers stand as the machine has them, little-endian. */
export function encodeBinary(value: object): [kind: string, base64: string] | null {
  if (value instanceof ArrayBuffer) return ["ArrayBuffer", toBase64(new Uint8Array(value))];
  if (!ArrayBuffer.isView(value)) return null;
  const bytes = new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
  if (hostBuffer()?.isBuffer(value) === true) return ["Buffer", toBase64(bytes)];
  const kind = value instanceof DataView ? "DataView" : Object.prototype.toString.call(value).slice(8, -1);
  return kind in VIEWS ? [kind, toBase64(bytes)] : null;
}

/** What {@link encodeBinary} wrote; `undefined` for a kind that it never writes. */
export function decodeBinary(kind: string, base64: string): unknown {
  return Object.hasOwn(VIEWS, kind) ? VIEWS[kind]?.(fromBase64(base64).buffer) : undefined;
}
