import type { MemoryStore } from "@throughline/core";
import { describe, expect, it } from "vitest";
import { compareRecords, type StoryDifference } from "./compare-records.ts";
import { coreHost } from "./core-host.ts";
import { hostFieldOf } from "./host-fields.ts";
import type { StoryHost } from "./story-host.ts";
import { type StoryTold, tellStory } from "./tell-story.ts";

/** Where the story is told. */
export interface DescribeParityOptions {
  /** A new and empty store: one for the story through the host, one for core alone. It is closed, and then removed. */
  create(): MemoryStore;
  /** Takes away what `create` made, after the store was closed. */
  remove?(store: MemoryStore): Promise<void>;
  /** Gets the story's time with every step: a host that stamps its messages itself needs the same clock. */
  onTime?(now: Date): void;
  /** Gets every difference, those that are the host's own too. */
  onCompared?(differences: readonly StoryDifference[]): void;
}

/**
 * Proves that one scripted conversation (two sessions, tools, facts, a fold, an abort, approvals, carry-over, an extraction)
 * leaves the same records through this host as through core alone, but for the fields that are a host's own.
 */
export function describeParity(name: string, host: StoryHost, options: DescribeParityOptions): void {
  describe(`${name}: the parity story`, () => {
    it("B7: leaves the records that core alone leaves, field by field", async () => {
      const reference = await tell(coreHost, options);
      const told = await tell(host, options);
      expect(told.refusals).toEqual([]);
      expect(told.records.conversations.flatMap(({ turns }) => turns).length).toBeGreaterThan(10);
      const differences = compareRecords(reference.records, told.records);
      options.onCompared?.(differences);
      expect(differences.filter((difference) => hostFieldOf(difference) === undefined)).toEqual([]);
    });
  });
}

async function tell(host: StoryHost, { create, remove, onTime }: DescribeParityOptions): Promise<StoryTold> {
  const store = create();
  try {
    return await tellStory(host, { store, ...(onTime && { onTime }) });
  } finally {
    await store.close();
    await remove?.(store);
  }
}
