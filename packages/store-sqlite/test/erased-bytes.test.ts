import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { MemoryStore } from "@throughline/core";
import { sqliteStore } from "@throughline/store-sqlite";
import { describe, expect, it } from "vitest";
import { AGENT, at, chat, factOf, rawBytes, temporaryDirectory, turnOf } from "./support/fixtures.ts";

const USER = { ...AGENT, scope: "user", id: "ann" } as const;
const NOW = { now: at(50) };

/** Numbers that look random and are the same every time. */
function sequence(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

async function index(store: MemoryStore, conversation: string, turn: string, seq: number, terms: string[]) {
  const document = {
    turn,
    seq,
    position: 0,
    place: 0,
    message: `${turn}-q`,
    role: "user" as const,
    createdAt: at(1),
    group: "said" as const,
    length: terms.length,
    terms: terms.map((term) => [term, 1] as const),
  };
  const batch = { after: seq - 1, through: seq, documents: [document] };
  expect(await store.keyword?.index(chat(conversation), batch)).toBe(true);
}

describe("erased bytes", () => {
  it("A3/J4: hundreds of erasures among page splits leave no text and no term in any file", {
    timeout: 60_000,
  }, async () => {
    const directory = temporaryDirectory();
    const store = sqliteStore({ path: join(directory, "memory.db") });
    const random = sequence(7);
    const dead: string[] = [];
    const live = new Map<string, { conversation: string; token: string }>();
    const lengths = new Map<string, number>();
    for (let number = 0; number < 600; number++) {
      const conversation = `c${Math.floor(random() * 12)}`;
      const seq = (lengths.get(conversation) ?? 0) + 1;
      lengths.set(conversation, seq);
      const token = `token${number}q${Math.floor(random() * 1e9).toString(36)}`;
      const text = `${"x".repeat(Math.floor(random() ** 3 * 9000))}${token}${"y".repeat(Math.floor(random() * 400))}`;
      await store.commitTurn(chat(conversation), turnOf(`t${number}`, text));
      await index(store, conversation, `t${number}`, seq, [token, "common", `word${number % 40}`]);
      live.set(`t${number}`, { conversation, token });
      if (random() < 0.4) {
        const [turn, { conversation: where, token: gone }] =
          [...live][Math.floor(random() * live.size)] ?? expect.fail("There are turns.");
        const { messages } = turnOf(turn, "stub").turn;
        await store.changeTurns(chat(where), [
          random() < 0.5 ? { turn, action: "erase" } : { turn, action: "rewrite", messages, counted: 2, tokens: 1 },
        ]);
        live.delete(turn);
        dead.push(gone);
      }
    }
    const bytes = rawBytes(directory);
    expect(dead.length).toBeGreaterThan(150);
    expect(dead.filter((token) => bytes.includes(token))).toEqual([]);
    expect([...live.values()].filter(({ token }) => !bytes.includes(token))).toEqual([]);
    await store.close();
  });

  it("A3/F8: forgotten facts, deleted summaries and titles are gone while the store is open", async () => {
    const directory = temporaryDirectory();
    const store = sqliteStore({ path: join(directory, "memory.db") });
    await store.commitTurn(chat("c"), turnOf("t"));
    await store.commitFacts(USER, {
      expectedVersion: 0,
      now: at(1),
      put: [factOf("f", "PLANTED-1"), factOf("g", "kept")],
    });
    const summary = { through: 1, throughTurn: "t", turns: 1, tokens: 1, createdAt: at(1) };
    await store.commitSummary(chat("c"), {
      expectedVersion: 0,
      now: at(1),
      summary: { ...summary, text: "PLANTED-2" },
    });
    await store.commitSummary(chat("c"), {
      expectedVersion: 1,
      now: at(1),
      summary: { ...summary, text: "PLANTED-3" },
    });
    await store.changeConversation(chat("c"), { now: at(1), title: "PLANTED-4" });
    expect(rawBytes(directory)).toContain("PLANTED-4");

    await store.commitFacts(USER, { expectedVersion: 1, now: at(2), put: [], erase: ["f"] });
    await store.commitSummary(chat("c"), { expectedVersion: 2, now: at(2), summary: null });
    await store.changeConversation(chat("c"), { now: at(2), title: null });
    expect(rawBytes(directory)).not.toContain("PLANTED");
    expect(await store.readSummaries(chat("c"), { limit: 9 })).toMatchObject([
      { version: 2, text: "", deletedAt: at(2) },
      { version: 1, text: "", deletedAt: at(2) },
    ]);
    expect((await store.readFacts([USER], { now: at(3), limit: 9 }))[0]?.facts).toMatchObject([{ id: "g" }]);
    await store.close();
  });

  it("A3/PR7: what another reader pins is named as residue, and gone once it lets go", async () => {
    const directory = temporaryDirectory();
    const path = join(directory, "memory.db");
    const store = sqliteStore({ path });
    await store.commitTurn(chat("c"), turnOf("t", "PLANTED"));
    const reader = new DatabaseSync(path);
    reader.exec("BEGIN; SELECT count(*) FROM turn");
    reader.prepare("SELECT count(*) FROM turn").get();

    const pinned = await store.erase(AGENT, { kind: "conversation", conversation: "c" }, NOW);
    expect(pinned.removed).toMatchObject({ conversations: 1, turns: 1, messages: 2 });
    expect(pinned.residue).toEqual([{ what: "write-ahead log", why: expect.any(String) }]);
    expect(rawBytes(directory)).toContain("PLANTED");

    reader.exec("COMMIT");
    reader.close();
    const again = await store.erase(AGENT, { kind: "conversation", conversation: "c" }, NOW);
    expect(again.residue).toEqual([]);
    expect(rawBytes(directory)).not.toContain("PLANTED");
    await store.close();
  });

  it("A3/J4: the room of erased texts is used again", async () => {
    const directory = temporaryDirectory();
    const path = join(directory, "memory.db");
    const store = sqliteStore({ path });
    const fill = async (round: number) => {
      for (let number = 0; number < 200; number++) {
        await store.commitTurn(chat("c"), turnOf(`r${round}-${number}`, "x".repeat(500 + (number % 50))));
      }
      await store.erase(AGENT, { kind: "conversation", conversation: "c" }, { now: at(0) });
      return rawBytes(directory).length;
    };
    const first = await fill(1);
    for (let round = 2; round < 6; round++) await fill(round);
    expect(await fill(6)).toBeLessThan(first * 1.5);
    await store.close();
  });
});
