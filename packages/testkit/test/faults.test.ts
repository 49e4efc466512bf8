import { createMemory, type Embedder, inMemoryStore, type Memory, type MemoryStore } from "@throughline/core";
import { faultyStore, scriptedClock, sequentialIds } from "@throughline/testkit";
import { expect, it } from "vitest";
import { soundHooks } from "./support/sound-store.ts";
import { withWorkTrips } from "./support/work-trips.ts";

const START = "2025-01-01T00:00:00.000Z";

/** Records three turns and a fact; answers how many inputs, outcomes by status, and what was stored. */
async function story(store: MemoryStore) {
  const memory = createMemory({
    agent: "helper",
    store,
    policy: { enabled: true },
    clock: scriptedClock(START, 1_000),
    createId: sequentialIds("id"),
    onEvent: () => {},
    env: {},
  });
  const conversation = memory.conversation({ id: "chat", subject: "ann" });
  const outcomes: string[] = [];
  for (const id of ["t1", "t2", "t3"]) {
    const turn = await conversation.begin({ id, messages: [{ role: "user", content: `question of ${id}` }] });
    outcomes.push((await turn.complete([{ role: "assistant", content: `answer of ${id}` }])).status);
  }
  outcomes.push((await conversation.remember("city", "Lisbon")).status);
  await memory.settled();
  return outcomes;
}

for (const when of ["before", "after"] as const) {
  it(`PR3: with a fault ${when} any store call, every input has its outcome and is stored once`, async () => {
    const unharmed = faultyStore(inMemoryStore(), { failAt: 0 });
    await story(unharmed);
    const calls = unharmed.calls();
    expect(calls).toBeGreaterThan(5);
    for (let failAt = 1; failAt <= calls; failAt += 1) {
      const inner = inMemoryStore();
      const outcomes = await story(faultyStore(inner, { failAt, when }));
      expect(outcomes, `fault at call ${failAt}`).toHaveLength(4);
      for (const status of outcomes) expect(["stored", "merged", "unchanged"]).toContain(status);
      const owner = { tenant: "default", agent: "helper", conversation: "chat" };
      const turns = await inner.readTurns(owner, { hidden: true, limit: 100 });
      expect(turns.map((turn) => [turn.id, turn.messages.length])).toEqual([
        ["t1", 2],
        ["t2", 2],
        ["t3", 2],
      ]);
      const [facts] = await inner.readFacts([{ tenant: "default", agent: "helper", scope: "user", id: "ann" }], {
        now: START,
        history: true,
        limit: 10,
      });
      expect(facts?.facts.map((fact) => fact.value)).toEqual(["Lisbon"]);
    }
  });
}

const embedder: Embedder = {
  modelId: "flat",
  dimensions: 2,
  embed: async (texts) => texts.map(() => Float32Array.of(1, 0)),
};

/** What a search by words and by meaning finds once all work is done. */
async function worked(store: MemoryStore): Promise<Memory> {
  const memory = createMemory({
    agent: "helper",
    store,
    embedder,
    clock: scriptedClock(START, 1_000),
    createId: sequentialIds("id"),
    onEvent: () => {},
    env: {},
  });
  const conversation = memory.conversation({ id: "chat", subject: "ann" });
  for (const id of ["t1", "t2", "t3"]) {
    await conversation.record({ id, messages: [{ role: "user", content: `question of ${id}` }] });
    await memory.settled();
  }
  return memory;
}

for (const when of ["before", "after"] as const) {
  it(`PR3/E3: with a fault ${when} any store call, work begun and ended in one trip is found again and done once`, async () => {
    const make = () => soundHooks(withWorkTrips).create({ directory: crypto.randomUUID(), name: "faults" });
    const unharmed = faultyStore(await make(), { failAt: 0 });
    await worked(unharmed);
    const calls = unharmed.calls();
    expect(calls).toBeGreaterThan(9);
    for (let failAt = 1; failAt <= calls; failAt += 1) {
      const inner = await make();
      const memory = await worked(faultyStore(inner, { failAt, when }));
      // A lease that was taken and not told of is over by then.
      const later = createMemory({
        agent: "helper",
        store: inner,
        embedder,
        clock: scriptedClock("2025-01-01T01:00:00.000Z", 1_000),
        onEvent: () => {},
        env: {},
      });
      await later.sweep();
      expect(await later.operator.failures(), `fault at call ${failAt}`).toEqual([]);
      const owner = { tenant: "default", agent: "helper", conversation: "chat" };
      const row = await inner.readConversation(owner);
      expect(row, `fault at call ${failAt}`).toMatchObject({ lastSeq: 3, settledSeq: 3, watermarks: { index: 3 } });
      const scope = { kind: "subject", subject: "ann" } as const;
      const found = await inner.keyword?.postings(owner, scope, { terms: ["question"], groups: ["said"] });
      expect(found?.terms[0]?.documentFrequency, `fault at call ${failAt}`).toBe(3);
      const query = { model: embedder, vector: Float32Array.of(1, 0), limit: 9, floor: 0 };
      expect(await inner.vectors?.nearest(owner, scope, query), `fault at call ${failAt}`).toHaveLength(3);
      await memory.close();
    }
  });
}
