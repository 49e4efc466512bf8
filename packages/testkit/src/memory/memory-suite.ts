import type { Memory, MemoryOptions, MemoryStore } from "@throughline/core";
import type { RuleId } from "../requirements.ts";

/** What a case of the whole memory gets to work with. */
export interface MemoryBench {
  /** The store under the memories, fresh and empty. */
  readonly store: MemoryStore;
  /**
   * Makes one more memory of the agent `helper` on the store: another one is what another process would have. All go by
   * one clock, which moves on a second with every look; ids differ from memory to memory.
   */
  memory(options?: Omit<MemoryOptions, "store" | "clock" | "createId">): Memory;
  /** Moves the clock on. */
  tick(ms: number): void;
  /** The raw bytes behind the store, where the kit can get at them. */
  peek?(): Promise<Uint8Array[]>;
}

/** One behaviour of the memory that no store may change: `run` rejects where it isn't so. */
export interface MemoryCase {
  /** The rules it shows. */
  readonly rules: readonly RuleId[];
  /** A sentence about behaviour, unique within its suite. */
  readonly title: string;
  run(bench: MemoryBench): Promise<void>;
}

/** Cases about one part of the memory. */
export interface MemorySuite {
  readonly name: string;
  readonly cases: readonly MemoryCase[];
}
