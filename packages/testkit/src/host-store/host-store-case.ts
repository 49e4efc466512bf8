import type { RuleId } from "../requirements.ts";
import type { HostStore } from "./host-store.ts";

/** One promise of a host store: `run` rejects where the store breaks it. */
export interface HostStoreCase {
  readonly rules: readonly RuleId[];
  /** A sentence about behaviour. */
  readonly title: string;
  /** Gets a fresh, empty store. */
  run(store: HostStore): Promise<void>;
}

/** Puts numbered items under a namespace. */
export async function putMany(store: HostStore, namespace: string[], count: number): Promise<void> {
  for (let index = 0; index < count; index++) await store.put(namespace, `k${index}`, { index });
}

/** The keys that a search finds, sorted. */
export const keysOf = (items: readonly { key: string }[]): string[] => items.map(({ key }) => key).toSorted();
