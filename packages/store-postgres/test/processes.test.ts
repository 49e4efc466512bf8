import { MemoryError } from "@throughline/core";
import { migrate, postgresStore } from "@throughline/store-postgres";
import { describe, expect, it } from "vitest";
import { outputOf, startChild } from "./support/child.ts";
import { AGENT, at, chat, temporarySchema } from "./support/fixtures.ts";
import { serverUrl } from "./support/server.ts";

const url = serverUrl ?? "";

describe.skipIf(serverUrl === null)("several processes", () => {
  it("J2: processes that migrate at once leave one migration", { timeout: 60_000 }, async () => {
    for (let round = 0; round < 2; round++) {
      const { schema, admin } = await temporarySchema();
      const moment = String(Date.now() + 700);
      const children = [1, 2, 3, 4].map(() => startChild("open-once.ts", url, schema, moment));
      expect(await Promise.all(children.map(outputOf))).toEqual(["opened", "opened", "opened", "opened"]);
      const { rows } = await admin.query(`SELECT version FROM "${schema}".migration ORDER BY version`);
      expect(rows).toEqual([{ version: 0 }, { version: 1 }]);
      expect(await migrate({ connectionString: url, schema })).toEqual({ version: 1 });
    }
  });

  it("J2: a newer database is refused with both versions named, and left as it is", async () => {
    const { schema, admin } = await temporarySchema();
    await migrate({ connectionString: url, schema });
    await admin.query(`INSERT INTO "${schema}".migration VALUES (99, 'later', '')`);
    const store = postgresStore({ connectionString: url, schema });
    const calls = [() => store.readConversation(chat("c")), () => migrate({ connectionString: url, schema })];
    for (const call of calls) {
      const error = await call().catch((reason: unknown) => reason);
      expect(MemoryError.isInstance(error) && [error.code, error.details]).toEqual([
        "STORE_NEWER",
        { found: 99, known: 1 },
      ]);
    }
    await store.close();
  });

  it("J2: without leave to migrate a schema that isn't there is named, and none is made", async () => {
    const { schema, admin } = await temporarySchema();
    const store = postgresStore({ connectionString: url, schema, migrate: false });
    const error = await store.readConversation(chat("c")).catch((reason: unknown) => reason);
    expect(MemoryError.isInstance(error) && [error.code, error.retryable]).toEqual(["STORE_FAILED", false]);
    const { rows } = await admin.query("SELECT 1 FROM pg_namespace WHERE nspname = $1", [schema]);
    expect(rows).toEqual([]);
    await store.close();
  });

  it("PR2: four processes of 200 turns each lose, repeat and overwrite nothing", { timeout: 180_000 }, async () => {
    const { schema } = await temporarySchema();
    await migrate({ connectionString: url, schema });
    const names = ["a", "b", "c", "d"];
    const children = names.map((name) => startChild("work-together.ts", url, schema, name, "200"));
    const outcomes = (await Promise.all(children.map(outputOf))).map(
      (text): Record<string, number> => JSON.parse(text),
    );

    const store = postgresStore({ connectionString: url, schema });
    for (const [index, name] of names.entries()) {
      expect(outcomes[index]).toMatchObject({ "own stored": 100, "shared stored": 100 });
      expect(await store.readTurns(chat(name), { limit: 1000 })).toHaveLength(100);
    }
    const shared = await store.readTurns(chat("shared"), { limit: 1000 });
    expect(shared.map((turn) => turn.seq)).toEqual(Array.from({ length: 400 }, (_, index) => index + 1));
    expect(new Set(shared.map((turn) => turn.id)).size).toBe(400);
    expect(await store.readConversation(chat("shared"))).toMatchObject({ turns: 400, messages: 400, lastSeq: 400 });

    // A turn that all four wrote was stored by one of them, and the others were told so.
    const sum = (key: string) => outcomes.reduce((total, outcome) => total + (outcome[key] ?? 0), 0);
    expect([sum("same stored"), sum("same exists")]).toEqual([50, 150]);
    expect(await store.readConversation(chat("same"))).toMatchObject({ turns: 50, lastSeq: 50 });

    const [facts] = await store.readFacts([{ ...AGENT, scope: "user", id: "ann" }], { now: at(0), limit: 9 });
    expect([facts?.version, facts?.facts[0]?.value]).toEqual([200, 200]);
    await store.close();
  });
});
