import type { MatchCondition } from "@langchain/langgraph-checkpoint";

/**
 * Any id as a label of a namespace: in nodes and tools LangGraph refuses labels with a `.` or a `:`. Use the same form of
 * an id everywhere. Pure.
 *
 * @example
 * await runtime.store.put(["notes", storeLabel("ada@example.com")], "city", { name: "Oslo" });
 */
export function storeLabel(id: string): string {
  return id === "" || id === "langgraph"
    ? `%${id}`
    : id.replaceAll(/[%.:\0]/g, (sign) => `%${sign.charCodeAt(0).toString(16).padStart(2, "0").toUpperCase()}`);
}

/** The id that {@link storeLabel} made a label of. */
export function fromStoreLabel(label: string): string {
  if (label === "%" || label === "%langgraph") return label.slice(1);
  return label.replaceAll(/%([0-9A-F]{2})/g, (_sign, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}

const startsWith = (labels: readonly string[], path: readonly string[]): boolean =>
  path.length <= labels.length && path.every((label, index) => label === "*" || labels[index] === label);

/** Does a namespace fit a condition? `*` stands for any one label. */
export function matchesCondition(labels: readonly string[], { matchType, path }: MatchCondition): boolean {
  if (matchType === "prefix") return startsWith(labels, path);
  return path.length <= labels.length && startsWith(labels.slice(labels.length - path.length), path);
}

/** The labels that a namespace must begin with whatever the conditions: what has to be looked at. */
export function commonPrefix(conditions: readonly MatchCondition[]): string[] {
  const path = conditions.find(({ matchType }) => matchType === "prefix")?.path ?? [];
  const end = path.indexOf("*");
  return path.slice(0, end < 0 ? path.length : end);
}

/** Label by label; a namespace stands before what is below it. */
export function compareNamespaces(one: readonly string[], other: readonly string[]): number {
  for (const [index, label] of one.entries()) {
    const against = other[index];
    if (against === undefined) return 1;
    if (label !== against) return label < against ? -1 : 1;
  }
  return one.length - other.length;
}
