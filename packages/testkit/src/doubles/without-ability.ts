import type { MemoryStore } from "@throughline/core";

/** The same store without an optional ability: what core does instead can be tried. */
export function withoutAbility(store: MemoryStore, ability: "keyword" | "vectors"): MemoryStore {
  const { [ability]: _ability, ...rest } = store;
  const capability = ability === "keyword" ? "keywordSearch" : "vectorSearch";
  return { ...rest, capabilities: { ...store.capabilities, [capability]: false } };
}
