import { join } from "node:path";
import { createMemory } from "@throughline/core";
import { sqliteStore } from "@throughline/store-sqlite";
import { describe, expect, it, onTestFinished } from "vitest";
import { temporaryDirectory } from "./support/fixtures.ts";
import { startPeer } from "./support/peer.ts";

const PETS = ["Rex", "Mimi", "Birba", "Filou", "Balu", "Nala"];
/** Longer than a lease: a pass of the other process looks as if it had died. */
const PAST_LEASE_MS = 600_000;

async function twoProcesses(when: "after-reply" | "scheduled", clockAheadMs = 0) {
  const path = join(temporaryDirectory(), "memory.db");
  const options = { path, policy: { extract: { when } }, parts: ["distiller" as const] };
  const peers = await Promise.all([startPeer(options), startPeer({ ...options, clockAheadMs })]);
  const [left, right] = peers;
  await Promise.all(
    PETS.map((pet, n) =>
      (n % 2 === 0 ? left : right).call(
        { on: "conversation", ref: { id: `c${n}`, subject: `owner of ${pet}` } },
        "record",
        { messages: [{ role: "user", content: `My dog is called ${pet}. I live in Porto.` }] },
      ),
    ),
  );
  const memory = createMemory({ agent: "helper", store: sqliteStore({ path }), env: {}, onEvent: () => undefined });
  onTestFinished(() => memory.close());
  const known = async (): Promise<unknown[]> => {
    const people = PETS.map((pet) => memory.subject(`owner of ${pet}`).facts({ history: true }));
    return (await Promise.all(people)).map((facts) => facts.map(({ value }) => value).sort());
  };
  return { left, right, known, memory };
}

const all = PETS.map((pet) => [pet, "Porto"].sort());

describe("two processes draw facts from one file", () => {
  it("E3/X3: at once each fact is there once, and both passes together count each once", async () => {
    const { left, right, known } = await twoProcesses("scheduled");
    const passes = await Promise.all(
      [left, right].map((peer) => peer.call<{ found: number }>({ on: "memory" }, "distill")),
    );
    // One that came while the other was at it found nothing; what the other had read past is found by the next.
    const last = await left.call<{ found: number }>({ on: "memory" }, "distill");
    expect([...passes, last].reduce((sum, { found }) => sum + found, 0)).toBe(2 * PETS.length);
    expect(await known()).toEqual(all);
  });

  it("E3/X3: a pass that was thought dead and ends after the one that took over writes nothing twice", async () => {
    const { left, right, known, memory } = await twoProcesses("scheduled", PAST_LEASE_MS);
    await left.hold("distiller");
    const slow = left.call<{ found: number }>({ on: "memory" }, "distill");
    await left.at("distiller");
    expect(await right.call({ on: "memory" }, "distill")).toEqual({ found: 2 * PETS.length });
    await left.release("distiller");
    expect(await slow).toEqual({ found: 0 });
    expect(await known()).toEqual(all);
    expect(await memory.operator.failures()).toEqual([]);
  });

  it("E3/X2: after the reply, two processes that sweep at once draw each fact once", async () => {
    const { left, right, known } = await twoProcesses("after-reply");
    await Promise.all([left, right].map((peer) => peer.call({ on: "memory" }, "sweep")));
    await Promise.all([left, right].map((peer) => peer.call({ on: "memory" }, "settled")));
    await left.call({ on: "memory" }, "sweep");
    expect(await known()).toEqual(all);
  });
});
