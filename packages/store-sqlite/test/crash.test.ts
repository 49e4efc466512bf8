import { join } from "node:path";
import { sqliteStore } from "@throughline/store-sqlite";
import { expect, it } from "vitest";
import { outputOf, startChild } from "./support/child.ts";
import { chat, temporaryDirectory } from "./support/fixtures.ts";

const KILLS = 50;
const AT_ONCE = 5;

it("E2/PR1: kill -9 in a write loop loses no acknowledged turn and leaves none half", {
  timeout: 120_000,
}, async () => {
  const path = join(temporaryDirectory(), "memory.db");
  await outputOf(startChild("write-turns.ts", path, "warm-up", "1"));
  let acknowledged = 0;
  for (let run = 0; run < KILLS; run += AT_ONCE) {
    const names = Array.from({ length: AT_ONCE }, (_, index) => `run${run + index}`);
    const written = await Promise.all(names.map((name) => killWhileWriting(path, name)));
    const store = sqliteStore({ path });
    for (const [index, name] of names.entries()) {
      const turns = await store.readTurns(chat(`${name}-own`), { limit: 100_000 });
      const stored = new Set(turns.map((turn) => `${turn.id} ${turn.seq}`));
      expect(written[index]?.filter((turn) => !stored.has(turn))).toEqual([]);
      for (const turn of turns) {
        expect(turn.messages.map((message) => message.id)).toEqual([0, 1, 2].map((place) => `${turn.id}-${place}`));
      }
      acknowledged += written[index]?.length ?? 0;
      const row = await store.readConversation(chat(`${name}-own`));
      expect([row?.turns, row?.lastSeq]).toEqual([turns.length, turns.length]);
    }
    await store.close();
  }
  expect(acknowledged).toBeGreaterThan(KILLS);
});

/** The turns that were acknowledged before the process was killed. */
async function killWhileWriting(path: string, name: string): Promise<string[]> {
  const child = startChild("write-turns.ts", path, name);
  let output = "";
  child.stdout?.on("data", (chunk) => {
    // The clock of the kill starts with the first turn, wherever in the loop it falls.
    if (output === "") setTimeout(() => child.kill("SIGKILL"), Math.random() * 60);
    output += chunk;
  });
  await new Promise((resolve) => child.on("close", resolve));
  return output.split("\n").slice(0, -1);
}
