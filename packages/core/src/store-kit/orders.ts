/** Code-unit order, whatever the locale: how the contract compares texts. */
export function compareText(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}

/** Conversations and facts: most recently updated first, ties by id ascending. */
export function compareUpdated(
  left: { updatedAt: string; id: string },
  right: { updatedAt: string; id: string },
): number {
  return compareText(right.updatedAt, left.updatedAt) || compareText(left.id, right.id);
}

/** Label by label; a namespace comes before those below it. */
export function compareNamespaces(left: readonly string[], right: readonly string[]): number {
  for (const [index, label] of left.entries()) {
    const other = right[index];
    if (other === undefined) return 1;
    const order = compareText(label, other);
    if (order !== 0) return order;
  }
  return left.length - right.length;
}

/** True where the namespace is the prefix or below it: `["u","1"]` is not the beginning of `["u","12"]`. */
export function startsWithLabels(namespace: readonly string[], prefix: readonly string[]): boolean {
  return prefix.length <= namespace.length && prefix.every((label, index) => namespace[index] === label);
}
