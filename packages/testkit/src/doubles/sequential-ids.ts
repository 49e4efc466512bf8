/** Ids `prefix-1`, `prefix-2` … in the order they are asked for. */
export function sequentialIds(prefix: string): () => string {
  let count = 0;
  return () => {
    count += 1;
    return `${prefix}-${count}`;
  };
}
