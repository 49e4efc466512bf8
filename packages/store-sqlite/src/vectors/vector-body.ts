/** Text and floats of a vector's row in the heap. */
export interface VectorBody {
  vector: Float32Array;
  turn: string;
  message: string;
}

/** The floats, in the machine's order (little endian everywhere this runs), and behind them the ids, which hold no NUL. */
export function writeVector({ vector, turn, message }: VectorBody): Uint8Array {
  const ids = Buffer.from(`${turn}\0${message}`);
  const bytes = new Uint8Array(vector.byteLength + ids.length);
  bytes.set(new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength));
  bytes.set(ids, vector.byteLength);
  return bytes;
}

/** What {@link writeVector} wrote; zeros may follow it. */
export function readVector(bytes: Uint8Array, dimensions: number): VectorBody {
  const { buffer, byteOffset, byteLength } = bytes;
  const ids = Buffer.from(buffer, byteOffset, byteLength).toString("utf8", dimensions * 4);
  const [turn = "", message = ""] = ids.split("\0", 2);
  return { vector: readFloats(bytes, dimensions), turn, message };
}

/** The floats alone. */
export function readFloats(bytes: Uint8Array, dimensions: number): Float32Array {
  // Floats begin at a multiple of four.
  const own = bytes.byteOffset % 4 === 0 ? bytes : bytes.slice();
  return new Float32Array(own.buffer, own.byteOffset, dimensions);
}
