/** Greatest 8-bit and 16-bit number made. */
const MOST_8 = 127;
const MOST_16 = 32_767;
/** What single precision may take off a bound, relatively, and of the smallest numbers at all. */
const ROUNDING_UP = 1 + 1e-6;
const SMALLEST = 2 ** -149;

/** Bytes of a vector's 8-bit numbers: whole runs of 16. */
export function strideOf(dimensions: number): number {
  return Math.max(16, Math.ceil(dimensions / 16) * 16);
}

/** What a vector became as 8-bit numbers: `scale` times each is about the vector's. */
export interface Quantised {
  scale: number;
  /** The length of what `scale` and the numbers make, or a little more. */
  length: number;
  /** The distance from that to the vector, or a little more. */
  error: number;
}

/** Writes a vector's 8-bit numbers to the beginning of `codes`, and zeros behind them. The same on every machine. */
export function quantise(vector: Float32Array, codes: Int8Array): Quantised {
  let most = 0;
  // Conditions in the place of Math.max and the like: a set that isn't kept in memory makes many of these at each search.
  for (let index = 0; index < vector.length; index++) {
    // The index is within the vector.
    const value = vector[index] as number;
    if (value > most) most = value;
    else if (-value > most) most = -value;
  }
  const scale = Math.fround(most / MOST_8);
  codes.fill(0);
  if (scale === 0) return { scale: 0, length: 0, error: upward(most * Math.sqrt(vector.length)) };
  let square = 0;
  let error = 0;
  for (let index = 0; index < vector.length; index++) {
    // The index is within the vector. Rounding of the scale may lead one past the greatest.
    const value = vector[index] as number;
    let code = Math.floor(value / scale + 0.5);
    if (code > MOST_8) code = MOST_8;
    else if (code < -MOST_8) code = -MOST_8;
    codes[index] = code;
    square += code * code;
    const off = value - scale * code;
    error += off * off;
  }
  return { scale, length: upward(scale * Math.sqrt(square)), error: upward(Math.sqrt(error)) };
}

/** A query as 16-bit numbers. */
export interface QuantisedQuery extends Quantised {
  /** As many as the stride says. */
  codes: Int16Array;
  /** The query's own length. */
  full: number;
}

/** A query's 16-bit numbers, small enough that no sum of products leaves 32 bits. */
export function quantiseQuery(vector: Float32Array, stride: number): QuantisedQuery {
  let most = 0;
  let squares = 0;
  for (const value of vector) {
    most = Math.max(most, Math.abs(value));
    squares += value * value;
  }
  const full = Math.sqrt(squares);
  const codes = new Int16Array(stride);
  // Rounding adds half of a number to each component; the sum is at most the product of the two lengths.
  const longest = (2 ** 31 - 1) / (MOST_8 * Math.sqrt(stride)) - Math.sqrt(stride);
  const scale = Math.max(most / MOST_16, full / longest);
  if (scale === 0) return { codes, scale: 0, length: 0, error: 0, full };
  let square = 0;
  let error = 0;
  for (let index = 0; index < vector.length; index++) {
    const value = vector[index] as number;
    const code = Math.round(value / scale);
    codes[index] = code;
    square += code * code;
    const off = value - scale * code;
    error += off * off;
  }
  return { codes, scale, length: scale * Math.sqrt(square), error: Math.sqrt(error), full };
}

/** In single precision, and not less. */
function upward(value: number): number {
  return Math.fround(value * ROUNDING_UP + SMALLEST);
}
