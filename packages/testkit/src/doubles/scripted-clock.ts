/** A clock that starts at `start` (ISO 8601) and goes on by `stepMs` with every reading. */
export function scriptedClock(start: string, stepMs = 0): () => Date {
  let next = Date.parse(start);
  return () => {
    const now = new Date(next);
    next += stepMs;
    return now;
  };
}
