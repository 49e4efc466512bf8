import type { MemoryStore, WorkResult } from "@throughline/core";
import { postgresStore } from "@throughline/store-postgres";
import type pg from "pg";
import { describe, expect, it } from "vitest";
import { AGENT, at, chat, temporarySchema, turnOf } from "./support/fixtures.ts";
import { serverUrl } from "./support/server.ts";

const MODEL = { modelId: "flat", dimensions: 2 };
const DOCUMENT = { turn: "t", seq: 1, position: 0, message: "t-q", role: "user", createdAt: at(0) } as const;
const RESULT: WorkResult = {
  index: {
    after: 0,
    through: 1,
    documents: [{ ...DOCUMENT, place: 8, group: "said", length: 1, terms: [["word", 1]] }],
  },
  vectors: { model: MODEL, documents: [{ ...DOCUMENT, vector: Float32Array.of(1, 0) }] },
  settlement: { holder: "w", watermarks: { embed: 1 }, settledSeq: 1 },
};

/** Runs `change` in a transaction that ends once `call` waits for it. */
async function whileItWaits<Result>(
  { admin, schema }: { admin: pg.Client; schema: string },
  change: readonly string[],
  call: () => Promise<Result>,
): Promise<Result> {
  const lock = `SELECT 1 FROM "${schema}".conversation WHERE id = 'c' FOR UPDATE`;
  for (const sql of ["BEGIN", lock, ...change]) await admin.query(sql);
  const running = call();
  const waiting = `SELECT 1 FROM pg_locks l JOIN pg_stat_activity a USING (pid)
    WHERE NOT l.granted AND pg_backend_pid() = ANY (pg_blocking_pids(a.pid))`;
  while ((await admin.query(waiting)).rows.length === 0);
  await admin.query("COMMIT");
  return running;
}

async function rowsOf({ admin, schema }: { admin: pg.Client; schema: string }): Promise<number[]> {
  const counts: number[] = [];
  for (const table of ["document", "posting", "vector"]) {
    const { rows } = await admin.query(`SELECT count(*)::int AS count FROM "${schema}"."${table}"`);
    counts.push(rows[0].count);
  }
  return counts;
}

async function opened(): Promise<{ store: MemoryStore; admin: pg.Client; schema: string }> {
  const { schema, admin } = await temporarySchema();
  const store = postgresStore({ connectionString: serverUrl ?? "", schema });
  expect((await store.commitTurn(chat("c"), turnOf("t", { subject: "ann" }))).status).toBe("stored");
  return { store, admin, schema };
}

const of = (schema: string, table: string): string => `"${schema}"."${table}"`;

describe.skipIf(serverUrl === null)("work that ends while something else happens to its turns", () => {
  it("A2/W6: brings back nothing of a conversation that is being erased", async () => {
    const place = await opened();
    const { store, schema } = place;
    const erased = ["message", "turn", "conversation"].map((table) => `DELETE FROM ${of(schema, table)}`);
    const done = await whileItWaits(place, erased, async () => store.finishWork?.(chat("c"), RESULT));
    expect(done).toEqual({ indexed: false, vectors: 0 });
    expect(await rowsOf(place)).toEqual([0, 0, 0]);
    await store.close();
  });

  it("A2/W6: brings back nothing of a turn that is being erased, and comes to its end all the same", async () => {
    const place = await opened();
    const { store, schema } = place;
    const erased = ["message", "turn"].map((table) => `DELETE FROM ${of(schema, table)}`);
    const done = await whileItWaits(place, erased, async () => store.finishWork?.(chat("c"), RESULT));
    expect(done).toEqual({ indexed: true, vectors: 0 });
    expect(await rowsOf(place)).toEqual([0, 0, 0]);
    expect(await store.readConversation(chat("c"))).toMatchObject({ settledSeq: 1 });
    await store.close();
  });

  it("F10/S1: files a turn under the subject that it is being given", async () => {
    const place = await opened();
    const { store, schema } = place;
    const restamped = [`UPDATE ${of(schema, "turn")} SET subject = 'bob'`];
    await whileItWaits(place, restamped, async () => store.finishWork?.(chat("c"), RESULT));
    const query = { model: MODEL, vector: Float32Array.of(1, 0), limit: 9, floor: 0 };
    for (const [subject, count] of [
      ["ann", 0],
      ["bob", 1],
    ] as const) {
      const scope = { kind: "subject", subject } as const;
      const found = await store.keyword?.postings(AGENT, scope, { terms: ["word"], groups: ["said"] });
      expect(found?.terms[0]?.documents).toHaveLength(count);
      expect(await store.vectors?.nearest(AGENT, scope, query)).toHaveLength(count);
    }
    await store.close();
  });

  it("E3/W6: waits for a turn that is being written to what it claims, and reads it along", async () => {
    const place = await opened();
    const { store, schema } = place;
    const begin = { holder: "w", now: at(1), leaseMs: 60_000, turns: { behind: ["index"], limit: 9 } };
    const written = [
      `UPDATE ${of(schema, "conversation")} SET last_seq = 2`,
      `INSERT INTO ${of(schema, "turn")} (tenant, agent, conversation, seq, id, body, size, counted, tokens)
        SELECT tenant, agent, conversation, 2, 'u', replace(body, '"id":"t"', '"id":"u"'), size, counted, tokens
        FROM ${of(schema, "turn")}`,
    ];
    const begun = await whileItWaits(place, written, async () => store.beginWork?.(chat("c"), begin));
    expect(begun?.conversation.lastSeq).toBe(2);
    expect(begun?.turns?.map(({ id }) => id)).toEqual(["t", "u"]);
    await store.close();
  });
});
