import { join } from "node:path";
import { createMemory, type Memory } from "@throughline/core";
import { sqliteStore } from "@throughline/store-sqlite";
import { expect, it } from "vitest";
import { outputOf, startChild } from "./support/child.ts";
import { temporaryDirectory } from "./support/fixtures.ts";

const TURNS = 90;
const LEASES_END_MS = 600_000;

/** A memory of a process that comes later: the lease of the killed one is over. */
const memoryAt = (path: string, more: object = {}): Memory =>
  createMemory({
    agent: "helper",
    env: {},
    store: sqliteStore({ path }),
    onEvent: () => {},
    clock: () => new Date(Date.now() + LEASES_END_MS),
    ...more,
  });

async function fill(path: string): Promise<void> {
  const memory = createMemory({ agent: "helper", env: {}, store: sqliteStore({ path }), onEvent: () => {} });
  const chat = memory.conversation({ id: "c", subject: "ana" });
  for (let index = 0; index < TURNS; index++) {
    await chat.record({ id: `t${index}`, messages: [{ role: "user", content: `I grow a plant ${index}` }] });
  }
  for (const id of ["e1", "e2"]) {
    await memory.ingest({ id, subject: "ana", source: "note", text: "About a plant.", at: "2026-01-01T00:00:00Z" });
  }
  await memory.close();
}

/** Every topic once, each with one value and without a history: nothing lost, nothing twice, nothing half. */
async function expectOnce(path: string): Promise<void> {
  const rerun = memoryAt(path, {
    policy: { extract: { when: "scheduled" } },
    distiller: ({ turns, events }: { turns: { id: string }[]; events: { id: string }[] }) => [
      ...turns.map(({ id }) => ({
        topic: `plant ${id}`,
        value: `plant ${id.slice(1)}`,
        quote: `I grow a plant ${id.slice(1)}`,
        turn: id,
        confidence: 1,
      })),
      ...events.map(({ id }) => ({
        topic: `event ${id}`,
        value: "a plant",
        quote: "a plant",
        turn: id,
        confidence: 1,
      })),
    ],
  });
  await rerun.distill();
  expect(await rerun.distill()).toEqual({ found: 0 });
  const facts = await rerun.subject("ana").facts({ history: true });
  const topics = facts.map(({ topic }) => topic).sort();
  const expected = [...Array.from({ length: TURNS }, (_, index) => `plant t${index}`), "event e1", "event e2"].sort();
  expect(topics).toEqual(expected);
  await rerun.close();
}

it.each([["model-answers"], ["facts-written"], ["watermark-moved"]])(
  "E3/X3: a distillation that is killed when %s is done again by the next, and doubles nothing",
  { timeout: 60_000 },
  async (place) => {
    const path = join(temporaryDirectory(), "memory.db");
    await fill(path);
    const child = startChild("distil-and-die.ts", path, place, "grow a plant");
    const [, signal] = await new Promise<[number | null, string | null]>((resolve) =>
      child.on("close", (code, by) => resolve([code, by])),
    );
    expect(signal).toBe("SIGKILL");
    await expectOnce(path);
  },
);

it("E3/X3: killed at any moment, and again, the distillation comes to the same end", { timeout: 120_000 }, async () => {
  const path = join(temporaryDirectory(), "memory.db");
  await fill(path);
  for (const when of ["150", "250", "350", "500"]) {
    const child = startChild("distil-and-die.ts", path, "any", "plant", when);
    await new Promise((resolve) => child.on("close", resolve));
  }
  await expectOnce(path);
});

it("E3: of two processes that distil at once one does, and each turn is drawn from once", {
  timeout: 60_000,
}, async () => {
  const path = join(temporaryDirectory(), "memory.db");
  await fill(path);
  const outputs = await Promise.all(
    [0, 1].map(() => outputOf(startChild("distil-and-die.ts", path, "nowhere", "plant"))),
  );
  const found = outputs.map((output) => (JSON.parse(output) as { found: number }).found);
  expect(found[0] === 0 || found[1] === 0).toBe(true);
  expect(Math.max(...found)).toBe(TURNS + 2);
  await expectOnce(path);
});
