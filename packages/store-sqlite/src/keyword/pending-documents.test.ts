import { join } from "node:path";
import type { MemoryStore } from "@throughline/core";
import { describe, expect, it } from "vitest";
import { AGENT, at, chat, rawBytes, temporaryDirectory, turnOf } from "../../test/support/fixtures.ts";
import { changeTurns } from "../change-turns.ts";
import { nodeDriver } from "../driver.ts";
import { openSession } from "../open-session.ts";
import { sqliteStore } from "../sqlite-store.ts";

const SETTINGS = { driver: nodeDriver, synchronous: "normal", readOnly: false, cacheBytes: 1_000_000 } as const;
const CHANGES = [
  { turn: "t0", action: "hide" },
  { turn: "t1", action: "restamp", subject: "bob" },
  { turn: "t2", action: "erase" },
] as const;

/** Four indexed turns; three of them changed by a process that ended before the index followed. */
async function interrupted(): Promise<{ path: string; directory: string }> {
  const directory = temporaryDirectory();
  const path = join(directory, "memory.db");
  const store = sqliteStore({ path });
  for (const number of [0, 1, 2, 3]) {
    await store.commitTurn(chat("c"), turnOf(`t${number}`, "hello", { subject: "ann" }));
  }
  const documents = [0, 1, 2, 3].map((number) => {
    const place = {
      turn: `t${number}`,
      seq: number + 1,
      position: 0,
      place: 0,
      message: `t${number}-q`,
      role: "user" as const,
    };
    const terms = [["hello", 1] as const, [`PLANTED${number}`, 1] as const];
    return { ...place, createdAt: at(1), group: "said" as const, length: 2, terms };
  });
  expect(await store.keyword?.index(chat("c"), { after: 0, through: 4, documents })).toBe(true);
  await store.close();
  const session = await openSession({ ...SETTINGS, path });
  expect(session.transaction(() => changeTurns(session, chat("c"), CHANGES, at(2)))).toBe(3);
  session.close();
  return { path, directory };
}

async function found(store: MemoryStore, subject: string): Promise<(number | undefined)[]> {
  const asked = { terms: ["hello"], groups: ["said" as const] };
  const postings = await store.keyword?.postings(AGENT, { kind: "subject", subject }, asked);
  return [postings?.documents, postings?.totalLength, postings?.terms[0]?.documentFrequency];
}

describe("a change of turns whose index has not followed", () => {
  it("S1/A3: is passed over by searches", async () => {
    const { path, directory } = await interrupted();
    const store = sqliteStore({ path, readOnly: true });
    expect(await found(store, "ann")).toEqual([1, 2, 1]);
    expect(await found(store, "bob")).toEqual([0, 0, 0]);
    await store.close();
    expect(rawBytes(directory)).toContain("PLANTED2");
  });

  it("S1/A3/E3: is followed after the next opening, and by a sweep", async () => {
    const { path, directory } = await interrupted();
    const store = sqliteStore({ path });
    await store.purgeExpired(AGENT, { now: at(3), operationsBefore: at(0), limit: 10 });
    expect(await found(store, "ann")).toEqual([1, 2, 1]);
    expect(await found(store, "bob")).toEqual([1, 2, 1]);
    await store.changeTurns(chat("c"), [{ turn: "t0", action: "show" }]);
    expect(await found(store, "ann")).toEqual([2, 4, 2]);
    await store.close();
    expect(rawBytes(directory)).not.toContain("PLANTED2");
  });

  it("S1: can be taken back", async () => {
    const { path } = await interrupted();
    const session = await openSession({ ...SETTINGS, path });
    session.transaction(() =>
      changeTurns(
        session,
        chat("c"),
        [
          { turn: "t0", action: "show" },
          { turn: "t1", action: "restamp", subject: "ann" },
        ],
        at(3),
      ),
    );
    session.close();
    const store = sqliteStore({ path });
    await store.purgeExpired(AGENT, { now: at(3), operationsBefore: at(0), limit: 10 });
    expect(await found(store, "ann")).toEqual([3, 6, 3]);
    expect(await found(store, "bob")).toEqual([0, 0, 0]);
    await store.close();
  });

  it("A1: keeps a turn that moves to another subject when the one it leaves is erased", async () => {
    const { path } = await interrupted();
    const store = sqliteStore({ path });
    await store.changeConversation(chat("c"), { now: at(3), subject: "bob" });
    await store.erase(AGENT, { kind: "subject", subject: "ann" }, { now: at(4) });
    expect(await found(store, "bob")).toEqual([1, 2, 1]);
    await store.close();
  });
});
