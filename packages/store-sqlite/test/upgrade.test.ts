import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { sqliteStore } from "@throughline/store-sqlite";
import { expect, it } from "vitest";
import { AGENT, at, chat, temporaryDirectory, turnOf } from "./support/fixtures.ts";

it("J2/S1: work of settled conversations is due again where an update emptied the index", async () => {
  const path = join(temporaryDirectory(), "memory.db");
  const before = sqliteStore({ path });
  await before.commitTurn(chat("c"), turnOf("t1"));
  expect(await before.keyword?.index(chat("c"), { after: 0, through: 1, documents: [] })).toBe(true);
  await before.settleWork(chat("c"), { holder: "h", settledSeq: 1 });
  await before.close();
  // As the version before left it that places were made anew with.
  const file = new DatabaseSync(path);
  file.exec("DROP TABLE recent_terms; PRAGMA user_version = 5");
  file.close();
  const after = sqliteStore({ path });
  const claimed = await after.claimWork(AGENT, { holder: "h", now: at(9), leaseMs: 1, limit: 10 });
  expect(claimed).toMatchObject([{ id: "c", settledSeq: 0 }]);
  expect(claimed[0]?.watermarks.index ?? 0).toBe(0);
  await after.close();
});
