import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { AGENT, at, chat, rawBytes, temporaryDirectory, turnOf } from "../test/support/fixtures.ts";
import { nodeDriver } from "./driver.ts";
import { erase } from "./erase.ts";
import { openSession } from "./open-session.ts";
import { sqliteStore } from "./sqlite-store.ts";

const SETTINGS = { driver: nodeDriver, synchronous: "normal", readOnly: false, cacheBytes: 1_000_000 } as const;

describe("erase", () => {
  it("A2/E3: what a crash interrupted is out of reach at once, and finished by a later opening", async () => {
    const directory = temporaryDirectory();
    const path = join(directory, "memory.db");
    const store = sqliteStore({ path });
    for (let number = 0; number < 120; number++) await store.commitTurn(chat("c"), turnOf(`t${number}`, "PLANTED"));
    await store.close();

    // The first piece alone, as a process leaves it that ends right behind it.
    const session = await openSession({ ...SETTINGS, path });
    const pieces = erase(session, AGENT, { kind: "conversation", conversation: "c" }, at(5));
    session.transaction(() => pieces.next());
    session.run("UPDATE eraser SET beat = 0");
    session.close();
    expect(rawBytes(directory)).toContain("PLANTED");

    const later = sqliteStore({ path });
    expect(await later.readConversation(chat("c"))).toBeNull();
    expect(await later.commitTurn(chat("c"), turnOf("late"))).toEqual({ status: "erased" });
    await later.close();
    expect(rawBytes(directory)).not.toContain("PLANTED");
  });

  it("A3/G4: what a crash has just interrupted is gone when the next erasure is acknowledged", async () => {
    const directory = temporaryDirectory();
    const path = join(directory, "memory.db");
    const store = sqliteStore({ path });
    for (let number = 0; number < 120; number++) {
      await store.commitTurn(chat("c"), turnOf(`t${number}`, "PLANTED", { subject: "ann" }));
    }
    await store.close();
    for (const target of [
      { kind: "conversation", conversation: "c" } as const,
      { kind: "subject", subject: "ann" } as const,
    ]) {
      const session = await openSession({ ...SETTINGS, path });
      const pieces = erase(session, AGENT, target, at(5));
      session.transaction(() => pieces.next());
      session.close();
    }
    expect(rawBytes(directory)).toContain("PLANTED");
    const again = sqliteStore({ path });
    const receipt = await again.erase(AGENT, { kind: "subject", subject: "ann" }, { now: at(6) });
    expect([receipt.removed.turns, receipt.residue]).toEqual([0, []]);
    expect(rawBytes(directory)).not.toContain("PLANTED");
    await again.close();
  });

  it("J7: removes a large conversation in pieces, with the event loop free in between", async () => {
    const store = sqliteStore({ path: ":memory:" });
    for (let number = 0; number < 2000; number++) await store.commitTurn(chat("c"), turnOf(`t${number}`));
    let ticks = 0;
    const count = () => {
      ticks += 1;
      counter = setImmediate(count);
    };
    let counter = setImmediate(count);
    const receipt = await store.erase(AGENT, { kind: "conversation", conversation: "c" }, { now: at(5) });
    clearImmediate(counter);
    expect(receipt.removed).toMatchObject({ conversations: 1, turns: 2000, messages: 4000 });
    // By time, not by count: how many pieces it takes depends on the machine.
    expect(ticks).toBeGreaterThanOrEqual(3);
    await store.close();
  });
});
