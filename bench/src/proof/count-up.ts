import type { Fact, FactOwner, MemoryStore } from "@throughline/core";
import { PROOF_AGENT } from "./turn-texts.ts";

const OWNER: FactOwner = { tenant: "default", agent: PROOF_AGENT, scope: "user", id: "person" };
const TIME = "2026-01-01T00:00:00.000Z";

/** Adds one to a number that all writers share. An update that was lost without notice would leave it too low. */
export async function countUp(store: MemoryStore): Promise<void> {
  for (;;) {
    const [set] = await store.readFacts([OWNER], { now: TIME, keys: ["counter"], limit: 1 });
    const value = Number(set?.facts[0]?.value ?? 0) + 1;
    const fact: Fact = {
      id: "counter",
      key: "counter",
      value,
      type: "fact",
      tags: [],
      scope: "user",
      author: "agent",
      origin: "assistant",
      createdAt: TIME,
      updatedAt: TIME,
      validFrom: TIME,
      version: value,
    };
    const { status } = await store.commitFacts(OWNER, { expectedVersion: set?.version ?? 0, now: TIME, put: [fact] });
    if (status === "committed") return;
  }
}

/** The number that {@link countUp} left. */
export async function readCounter(store: MemoryStore): Promise<number> {
  const [set] = await store.readFacts([OWNER], { now: TIME, keys: ["counter"], limit: 1 });
  return Number(set?.facts[0]?.value ?? 0);
}
