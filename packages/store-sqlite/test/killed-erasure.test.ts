import { join } from "node:path";
import { createMemory, type Memory } from "@throughline/core";
import { sqliteStore } from "@throughline/store-sqlite";
import { expect, it } from "vitest";
import { startChild } from "./support/child.ts";
import { AGENT, at, chat, rawBytes, temporaryDirectory, turnOf } from "./support/fixtures.ts";

const memoryAt = (path: string): Memory =>
  createMemory({ agent: "helper", env: {}, store: sqliteStore({ path }), onEvent: () => {} });

async function fill(path: string, conversations: readonly string[], turns: number): Promise<void> {
  const memory = memoryAt(path);
  for (const id of conversations) {
    const conversation = memory.conversation({ id, subject: "ana" });
    for (let index = 0; index < turns; index++) {
      await conversation.record({
        id: `t${index}`,
        messages: [
          { id: `u${index}`, role: "user", content: `PLANTED ${index}` },
          { id: `a${index}`, role: "assistant", content: "x" },
        ],
      });
    }
  }
  await memory.close();
}

it("A3/G4: an erase after one that was killed says what is left, or leaves nothing", { timeout: 60_000 }, async () => {
  const claims: { residue: number; bytes: boolean }[] = [];
  for (let round = 0; round < 4; round++) {
    const directory = temporaryDirectory();
    const path = join(directory, "memory.db");
    await fill(path, ["c", "d", "e"], 200);
    const child = startChild("erase-and-die.ts", path);
    await new Promise((resolve) => child.on("exit", resolve));
    const after = memoryAt(path);
    const receipt = await after.subject("ana").erase();
    claims.push({ residue: receipt.residue.length, bytes: rawBytes(directory).includes("PLANTED") });
    await after.close();
  }
  expect(claims.filter(({ residue, bytes }) => bytes && residue === 0)).toEqual([]);
});

it("A3/G4: an erase in one process waits for the same one in another, and takes nothing from its receipt", async () => {
  const directory = temporaryDirectory();
  const path = join(directory, "memory.db");
  const [left, right] = [sqliteStore({ path }), sqliteStore({ path })];
  for (let number = 0; number < 300; number++) await left.commitTurn(chat("c"), turnOf(`t${number}`, "PLANTED"));
  await right.readConversation(chat("c"));
  const target = { kind: "conversation", conversation: "c" } as const;
  const first = left.erase(AGENT, target, { now: at(5) });
  const second = await right.erase(AGENT, target, { now: at(5) });
  expect([second.removed.turns, second.residue]).toEqual([0, []]);
  expect(rawBytes(directory)).not.toContain("PLANTED");
  expect((await first).removed).toMatchObject({ conversations: 1, turns: 300 });
  await Promise.all([left.close(), right.close()]);
});
