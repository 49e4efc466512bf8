import { postgresStore } from "@throughline/store-postgres";
import pg from "pg";
import { describe, expect, it } from "vitest";
import { at, chat, factOf, temporarySchema, turnOf } from "./support/fixtures.ts";
import { serverUrl } from "./support/server.ts";

const TENANTS = 100;
const CONVERSATIONS = 10;
const TURNS = 20;

/** Many tenants with the same data, written by the server itself. */
async function fill(admin: pg.Client, schema: string): Promise<void> {
  const s = `"${schema}"`;
  const all = `FROM generate_series(1, ${TENANTS}) t, generate_series(1, ${CONVERSATIONS}) c`;
  const turns = `${all}, generate_series(1, ${TURNS}) n`;
  const body = `json_build_object('id', 't' || n, 'status', 'completed', 'startedAt', '${at(1)}', 'messages',
    json_build_array())::text`;
  await admin.query(`
    INSERT INTO ${s}.conversation (tenant, agent, id, subject, created_at, updated_at, last_seq, turns, messages)
      SELECT 'tenant' || t, 'helper', 'c' || c, 's' || c % 3, '${at(1)}', '${at(1)}', ${TURNS}, ${TURNS}, 2 * ${TURNS} ${all};
    INSERT INTO ${s}.turn (tenant, agent, conversation, seq, id, subject, body, size, counted, tokens)
      SELECT 'tenant' || t, 'helper', 'c' || c, n, 't' || n, 's' || c % 3, ${body}, 0, 2, 10 ${turns};
    INSERT INTO ${s}.message (tenant, agent, conversation, id, seq)
      SELECT 'tenant' || t, 'helper', 'c' || c, 'm' || n, n ${turns};
    INSERT INTO ${s}.document (tenant, document, agent, subject, conversation, seq, position, message, role, tool, length,
        created_at, filed, bucket, terms)
      SELECT 'tenant' || t, c * 100 + n, 'helper', 's' || c % 3, 'c' || c, n, 0, 'm' || n, 'user', false, 1, '${at(1)}', true,
        c % 3, ARRAY[n] ${turns};
    INSERT INTO ${s}.posting (tenant, bucket, term, document, frequency)
      SELECT 'tenant' || t, c % 3, n, c * 100 + n, 1 ${turns};
    INSERT INTO ${s}.fact_owner (tenant, agent, scope, id, version)
      SELECT 'tenant' || t, 'helper', 'user', 's' || c, 1 ${all};
    INSERT INTO ${s}.fact (tenant, agent, scope, owner, id, type, tags, updated_at, valid_from, body)
      SELECT 'tenant' || t, 'helper', 'user', 's' || c, 'f' || n, 'fact', '{}', '${at(1)}', '${at(1)}', '{}' ${turns};
    INSERT INTO ${s}.record (tenant, agent, namespace, key, version, created_at, updated_at, value)
      SELECT 'tenant' || t, 'helper', 'n', ('k' || n || c)::bytea, 1, '${at(1)}', '${at(1)}', '1' ${turns};
    INSERT INTO ${s}.item (tenant, agent, conversation, key, data)
      SELECT 'tenant' || t, 'helper', 'c' || c, ('k' || n)::bytea, 'x' ${turns};
    INSERT INTO ${s}.identity (tenant, agent, identity, subject, since)
      SELECT 'tenant' || t, 'helper', 'i' || c, 's' || c % 3, '${at(1)}' ${all};
    INSERT INTO ${s}.former_subject (tenant, agent, subject, conversation)
      SELECT 'tenant' || t, 'helper', 'x' || c, 'c' || c ${all};
    INSERT INTO ${s}.summary (tenant, agent, conversation, version, body, through, through_turn, turns, tokens, created_at)
      SELECT 'tenant' || t, 'helper', 'c' || c, n, 'x', 0, '', 0, 0, '${at(1)}' ${turns};
    INSERT INTO ${s}.tombstone (tenant, agent, scope, owner, hash)
      SELECT 'tenant' || t, 'helper', 'user', 's' || c, 'h' || n ${turns};
    INSERT INTO ${s}.operation (tenant, agent, scope, owner, key, at, result)
      SELECT 'tenant' || t, 'helper', 'user', 's' || c, 'o' || n, '${at(1)}', '""' ${turns};
    INSERT INTO ${s}.lease (tenant, agent, name, holder, until)
      SELECT 'tenant' || t, 'helper', 'l' || n || c, 'w', '${at(1)}' ${turns};
    INSERT INTO ${s}.checkpoint_thread (tenant, agent, conversation, thread, subject, created_at, updated_at)
      SELECT 'tenant' || t, 'helper', 'c' || c, c, 's' || c % 3, '${at(1)}', '${at(1)}' ${all};
    INSERT INTO ${s}.checkpoint_subject (tenant, agent, subject, conversation)
      SELECT 'tenant' || t, 'helper', 's' || c % 3, 'c' || c ${all};
    INSERT INTO ${s}.checkpoint (tenant, thread, space, id, parent, at, names, inlines, runs, tags, body)
      SELECT 'tenant' || t, c, '', 'k' || 100 + n, 'k' || 99 + n, '${at(1)}', '{m}', '{NULL}', ARRAY[1, 1, n], '{}', '{}' ${turns};
    INSERT INTO ${s}.checkpoint_element (tenant, thread, name, number, hash, data)
      SELECT 'tenant' || t, c, 'm', n, substring(sha256(('"' || n || '"')::bytea) FOR 8), '"' || n || '"' ${turns};
    INSERT INTO ${s}.checkpoint_write (tenant, thread, space, checkpoint, task, idx, path, name, data)
      SELECT 'tenant' || t, c, '', 'k' || 100 + n, 'task', 0, '', 'm', '1' ${turns};
    INSERT INTO ${s}.erasure (tenant, mark, at)
      SELECT 'tenant' || t, sha256(('x' || n || c)::bytea), '' ${turns};
  `);
  for (const { table } of await tables(admin, schema)) await admin.query(`VACUUM ANALYZE ${s}."${table}"`);
}

/** How often each table was read from end to end. */
async function tables(admin: pg.Client, schema: string): Promise<{ table: string; scans: number; looks: number }[]> {
  const { rows } = await admin.query(
    `SELECT relname AS table, seq_scan::int AS scans, coalesce(idx_scan, 0)::int AS looks FROM pg_stat_user_tables
      WHERE schemaname = $1 AND relname <> 'migration' ORDER BY 1`,
    [schema],
  );
  return rows;
}

describe.skipIf(serverUrl === null)("query plans", () => {
  it("J11: begin, record, search, work and erase read no table from end to end", { timeout: 120_000 }, async () => {
    const { schema, admin } = await temporarySchema();
    const setUp = postgresStore({ connectionString: serverUrl ?? "", schema });
    await setUp.readConversation(chat("c"));
    await setUp.close();
    await fill(admin, schema);
    const before = await tables(admin, schema);

    // One connection, ended below: its statistics are there then. More than five calls, so that plans are kept.
    const pool = new pg.Pool({ connectionString: serverUrl ?? "", max: 1 });
    const store = postgresStore({ pool, schema });
    const agent = { tenant: "tenant7", agent: "helper" };
    const owner = { ...agent, conversation: "c3" };
    const window = { afterSummary: true, maxMessages: 20, maxTokens: 10_000 };
    for (let round = 0; round < 8; round++) {
      const context = await store.readContext(owner, { now: at(2), subject: "i3", window, facts: { limit: 12 } });
      expect(context.turns.length).toBeGreaterThan(0);
      expect((await store.commitTurn(owner, turnOf(`new${round}`))).status).toBe("stored");
      expect(
        (await store.commitTurn({ ...agent, conversation: `n${round}` }, turnOf("t", { subject: "s1" }))).status,
      ).toBe("stored");
      expect((await store.commitTurn(owner, turnOf(`late${round}`, { hides: [`new${round}`] }))).status).toBe("stored");
      await store.findMessages(owner, ["m1", "m2"]);
      const facts = { ...agent, scope: "user", id: "s3" } as const;
      const [set] = await store.readFacts([facts], { now: at(2), limit: 5 });
      await store.commitFacts(facts, {
        expectedVersion: set?.version ?? 0,
        now: at(2),
        put: [factOf("f", "x")],
        beganAt: at(2),
      });
      const postings = await store.keyword?.postings(
        agent,
        { kind: "subject", subject: "s1" },
        { terms: ["x"], groups: ["said"] },
      );
      expect(postings?.documents).toBeGreaterThan(0);
      await store.keyword?.postings(
        agent,
        { kind: "conversation", conversation: "c3" },
        { terms: ["x"], groups: ["said"] },
      );
      await store.keyword?.documents(agent, [101, 102]);
      await store.keyword?.behind(agent, { kind: "subject", subject: "s1" }, { limit: 5 });
      await store.listConversations(agent, { subject: "s1", limit: 5 });
      await store.commitRecords(agent, [{ namespace: ["n"], key: "k", value: 1 }], { now: at(2) });
      await store.readRecords(agent, { now: at(2), namespace: ["n"], limit: 5 });
      await store.commitItems(owner, [{ action: "put", key: "k", bytes: new Uint8Array(1) }]);
      await store.readItems(owner, { prefix: "", limit: 5 });
      const [due] = await store.claimWork(agent, { holder: "w", now: at(3), leaseMs: 1000, limit: 1 });
      await store.settleWork({ ...agent, conversation: due?.id ?? "" }, { holder: "w", settledSeq: 99 });
      await store.claimLease(agent, { name: "l", holder: "w", now: at(3), leaseMs: 1000 });
      await store.purgeExpired(agent, { now: at(0), operationsBefore: at(0), limit: 5 });
      const { checkpoints } = store;
      const id = `k200${round}`;
      const newest = await checkpoints?.read(owner, { space: "" });
      const values = [{ name: "m", value: [[1, 20] as const, '"7"', `"new ${round}"`] }];
      const place = { space: "", id, parent: newest?.id ?? "", generation: newest?.generation ?? "", ifNewest: true };
      const write = { ...place, subject: "s0", now: at(2), values, tags: [], body: "{}" };
      expect((await checkpoints?.put(owner, write))?.status).toBe("stored");
      const writes = [{ index: -1, name: "m", text: "1", replaces: true }];
      await checkpoints?.putWrites(owner, { space: "", checkpoint: id, task: "t", path: "", writes });
      expect(await checkpoints?.list(agent, { conversation: "c3", space: "", before: id, limit: 5 })).toHaveLength(5);
      await checkpoints?.list(agent, { conversation: "c3", tags: [["k", "1"]], limit: 5 });
      await checkpoints?.history(owner, { space: "", id, names: ["m", "n"] });
      await checkpoints?.threads(agent, { after: "c2", limit: 5 });
      const conversation = `copy${round}`;
      expect(await checkpoints?.copy(owner, { conversation, subject: "s9", now: at(2) })).toBe(21 + round);
      expect(await checkpoints?.remove({ ...agent, conversation }, [{ space: "", id: "k101" }])).toBe(1);
      expect(await checkpoints?.remove({ ...agent, conversation })).toBe(20 + round);
    }
    await store.erase(agent, { kind: "conversation", conversation: "c3" }, { now: at(9) });
    await store.erase(agent, { kind: "subject", subject: "s1" }, { now: at(9) });
    await pool.end();

    const looksOf = (rows: { table: string; looks: number }[]) =>
      rows.find(({ table }) => table === "turn")?.looks ?? 0;
    let after = await tables(admin, schema);
    while (looksOf(after) === looksOf(before)) after = await tables(admin, schema);
    const scans = (rows: { table: string; scans: number }[]) =>
      Object.fromEntries(rows.map(({ table, scans: count }) => [table, count]));
    expect(scans(after)).toEqual(scans(before));
  });
});
