import type { MemoryStore, StoreCapabilities } from "@throughline/core";
import type { RuleId } from "../requirements.ts";

/** What a case gets to work with. */
export interface StoreBench {
  /** The store under test, fresh and empty. */
  readonly store: MemoryStore;
  /** Opens one more live handle on the same place. */
  another(): Promise<MemoryStore>;
  /** Closes every handle and opens the place again. */
  reopened(): Promise<MemoryStore>;
  /** The raw bytes behind the store. */
  peek(): Promise<Uint8Array[]>;
}

/** One promise of the contract: `run` rejects where the store breaks it. */
export interface StoreCase {
  /** The rules it shows. */
  readonly rules: readonly RuleId[];
  /** A sentence about behaviour, unique within its suite. */
  readonly title: string;
  run(bench: StoreBench): Promise<void>;
}

/** What decides whether a suite applies. */
export interface StoreTraits {
  readonly capabilities: StoreCapabilities;
  readonly hasPeek: boolean;
}

/** Cases about one part of the contract. */
export interface StoreSuite {
  readonly name: string;
  /** Absent: for every store. */
  readonly applies?: (traits: StoreTraits) => boolean;
  /** The suite opens its place more than once. */
  readonly needsReopen?: boolean;
  readonly cases: readonly StoreCase[];
}

/** The title a case has in a report: its rules, then its sentence. */
export function titleOf(storeCase: StoreCase): string {
  return `${storeCase.rules.join("/")}: ${storeCase.title}`;
}
