/** Words of a text, on average, as far as what they have in common goes. */
const WORDS_IN_A_TEXT = 10;
const STEPS = 100;

/**
 * The direction that vectors of texts have most in common: of sums of words drawn by frequency. Found by power iteration,
 * which every machine does alike.
 */
export function principalDirection(
  words: readonly { frequency: number; vector: readonly number[] }[],
  dimensions: number,
): number[] {
  const matrix = Array.from({ length: dimensions }, () => new Float64Array(dimensions));
  const mean = new Float64Array(dimensions);
  for (const { frequency, vector } of words) {
    for (let row = 0; row < dimensions; row++) {
      const value = (vector[row] as number) * frequency;
      mean[row] = (mean[row] as number) + value;
      const line = matrix[row] as Float64Array;
      for (let column = 0; column < dimensions; column++) {
        line[column] = (line[column] as number) + (value * (vector[column] as number)) / WORDS_IN_A_TEXT;
      }
    }
  }
  for (let row = 0; row < dimensions; row++) {
    const line = matrix[row] as Float64Array;
    for (let column = 0; column < dimensions; column++) {
      const together = (mean[row] as number) * (mean[column] as number);
      line[column] = (line[column] as number) + (together * (WORDS_IN_A_TEXT - 1)) / WORDS_IN_A_TEXT;
    }
  }
  let direction = Array.from({ length: dimensions }, () => 1 / dimensions);
  for (let step = 0; step < STEPS; step++) {
    const next = matrix.map((line) =>
      direction.reduce((sum, value, index) => sum + value * (line[index] as number), 0),
    );
    const length = Math.sqrt(next.reduce((sum, value) => sum + value * value, 0));
    direction = next.map((value) => value / length);
  }
  return direction;
}
