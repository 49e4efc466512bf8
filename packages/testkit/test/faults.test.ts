import { createMemory, inMemoryStore, type MemoryStore } from "@throughline/core";
import { faultyStore, scriptedClock, sequentialIds } from "@throughline/testkit";
import { expect, it } from "vitest";

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
