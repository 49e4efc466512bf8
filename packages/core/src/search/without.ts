/** A question with a gap where some of its parts stand. */
export function without(query: string, parts: readonly { index: number; length: number }[]): string {
  let rest = query;
  for (const { index, length } of parts) {
    rest = rest.slice(0, index) + " ".repeat(length) + rest.slice(index + length);
  }
  return rest;
}
