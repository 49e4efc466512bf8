import { join } from "node:path";
import { sqliteStore } from "@throughline/store-sqlite";
import { expect, it } from "vitest";
import { outputOf, startChild } from "./support/child.ts";
import { chat, temporaryDirectory } from "./support/fixtures.ts";

it("J2: processes that migrate at once leave one migration", { timeout: 60_000 }, async () => {
  for (let round = 0; round < 2; round++) {
    const path = join(temporaryDirectory(), "new", "memory.db");
    const moment = String(Date.now() + 400);
    const children = [1, 2, 3].map(() => startChild("open-once.ts", path, moment));
    expect(await Promise.all(children.map(outputOf))).toEqual(["opened", "opened", "opened"]);
  }
});

const FILES = 120;

it("J2/PR2: two processes that open a new file in the same moment lose nothing of what either writes", {
  timeout: 60_000,
}, async () => {
  const folder = temporaryDirectory();
  const moment = String(Date.now() + 800);
  const children = ["left", "right"].map((name) => startChild("open-many.ts", folder, name, String(FILES), moment));
  expect(await Promise.all(children.map(outputOf))).toEqual(["written", "written"]);
  const lost: string[] = [];
  for (let index = 0; index < FILES; index++) {
    const store = sqliteStore({ path: join(folder, `${index}.db`) });
    for (const name of ["left", "right"])
      if ((await store.readTurns(chat(name), { limit: 1 })).length === 0) lost.push(`${name} in ${index}`);
    await store.close();
  }
  expect(lost).toEqual([]);
});

it("PR2: two processes of 500 turns each on one file lose nothing", { timeout: 120_000 }, async () => {
  const path = join(temporaryDirectory(), "memory.db");
  const children = ["left", "right"].map((name) => startChild("write-turns.ts", path, name, "500", "shared"));
  const outputs = await Promise.all(children.map(outputOf));
  const store = sqliteStore({ path });
  for (const [index, name] of ["left", "right"].entries()) {
    expect(outputs[index]?.trim().split("\n")).toHaveLength(500);
    expect(await store.readTurns(chat(`${name}-own`), { limit: 1000 })).toHaveLength(250);
  }
  const shared = await store.readTurns(chat("shared"), { limit: 1000 });
  expect(shared.map((turn) => turn.seq)).toEqual(Array.from({ length: 500 }, (_, index) => index + 1));
  expect(new Set(shared.map((turn) => turn.id)).size).toBe(500);
  expect(await store.readConversation(chat("shared"))).toMatchObject({ turns: 500, messages: 1500, lastSeq: 500 });
  await store.close();
});
