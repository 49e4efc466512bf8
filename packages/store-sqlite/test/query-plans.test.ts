import { DatabaseSync } from "node:sqlite";
import { sqliteStore } from "@throughline/store-sqlite";
import { describe, expect, it } from "vitest";
import { AGENT, at, chat, factOf, turnOf } from "./support/fixtures.ts";

/** A store in memory, and every statement it has prepared since `forget` was called. */
function recordingStore() {
  const statements = new Set<string>();
  let database: DatabaseSync | undefined;
  const store = sqliteStore({
    path: ":memory:",
    driver: (path) => {
      const opened = new DatabaseSync(path);
      database = opened;
      return {
        prepare: (sql) => {
          statements.add(sql);
          return opened.prepare(sql);
        },
        exec: (sql) => opened.exec(sql),
        close: () => opened.close(),
      };
    },
  });
  /** Steps of a plan that read a table from end to end. */
  const scans = (sql: string): string[] => {
    if (!/^\s*(SELECT|INSERT|UPDATE|DELETE)/i.test(sql)) return [];
    const plan = database?.prepare(`EXPLAIN QUERY PLAN ${sql}`).all() ?? [];
    // Looking for any row at all reads one.
    const isOneRow = / LIMIT 1$/.test(sql) && !/ (WHERE|ORDER BY) /.test(sql);
    return plan
      .map(({ detail }) => String(detail))
      .filter((step) => /^SCAN (?!CONSTANT|json_each|\d+-ROW VALUES)/.test(step) && !isOneRow);
  };
  return { store, statements, scans };
}

const USER = { ...AGENT, scope: "user", id: "ann" } as const;
const WINDOW = { afterSummary: true, maxMessages: 20, maxTokens: 8000 };

describe("query plans", () => {
  it("Z6/J6: no statement of the turn, the search or background work reads a table from end to end", async () => {
    const { store, statements, scans } = recordingStore();
    await store.readConversation(chat("c"));
    statements.clear();

    const read = () =>
      store.readContext(chat("c"), { now: at(9), subject: "ann", window: WINDOW, facts: { limit: 1 } });
    await read();
    await store.commitTurn(chat("c"), turnOf("t1", "hello", { subject: "ann", login: "l" }));
    await store.commitTurn(chat("c"), turnOf("t1"));
    await store.commitTurn(chat("c"), turnOf("t2", "again", { hides: ["t1"] }));
    await store.commitTurn(chat("c"), turnOf("t2", "more", { previousSeq: 2 }));
    await store.commitFacts(USER, { expectedVersion: 0, now: at(1), put: [factOf("f", "v"), factOf("g", "w")] });
    await store.commitFacts(USER, {
      expectedVersion: 1,
      now: at(1),
      beganAt: at(0),
      put: [factOf("f", "x")],
      operation: { key: "k", result: "r" },
      tombstones: { add: ["h"], lift: ["i"] },
      unlessTombstoned: ["j"],
    });
    const summary = { text: "s", through: 3, throughTurn: "t2", turns: 1, tokens: 1, createdAt: at(1) };
    await store.commitSummary(chat("c"), { expectedVersion: 0, now: at(1), summary });
    await read();
    await store.readTurns(chat("c"), { limit: 5, order: "newest", hidden: true });
    await store.readTurns(chat("c"), { limit: 5, ids: ["t1", "t2"] });
    await store.findMessages(chat("c"), ["t2-q", "nobody"]);
    await store.readSummaries(chat("c"), { limit: 2 });
    const query = { now: at(9), limit: 5 };
    await store.readTombstones(USER);
    await store.readFacts([USER], { ...query, ids: ["f"] });
    await store.readFacts([USER], { ...query, keys: ["k"], type: "fact", tags: ["t"] });
    await store.readFacts([USER], { ...query, history: true });
    await store.readFacts([USER], { ...query, asOf: at(3) });
    await store.listConversations(AGENT, { limit: 5, after: { updatedAt: at(5), id: "x" } });
    await store.listConversations(AGENT, { limit: 5, subject: "ann" });
    await store.listConversations(AGENT, { limit: 5, subject: "ann", former: true });

    const terms = [["hello", 1] as const];
    const place = {
      turn: "t2",
      seq: 3,
      position: 0,
      place: 0,
      message: "t2-q",
      role: "user" as const,
      createdAt: at(1),
    };
    const documents = [{ ...place, group: "said" as const, length: 1, terms }];
    expect(await store.keyword?.index(chat("c"), { after: 0, through: 3, documents })).toBe(true);
    const filters = {
      from: at(0),
      to: at(9),
      role: "user" as const,
      conversation: "c",
      exclude: { conversation: "c", after: 9 },
    };
    const scopes = [
      { kind: "subject", subject: "ann" },
      { kind: "conversation", conversation: "c" },
      { kind: "agent" },
    ] as const;
    for (const scope of scopes) {
      const asked = { terms: ["hello"], groups: ["said" as const] };
      expect((await store.keyword?.postings(AGENT, scope, { ...asked, ...filters }))?.documents).toBe(1);
      const found = await store.keyword?.postings(AGENT, scope, asked);
      expect(await store.keyword?.documents(AGENT, found?.terms[0]?.documents ?? [])).toHaveLength(1);
      await store.keyword?.behind(AGENT, scope, { limit: 5 });
    }
    await store.changeTurns(chat("c"), [
      { turn: "t2", action: "hide" },
      { turn: "t2", action: "show" },
      { turn: "t2", action: "restamp", subject: "bob" },
    ]);
    await store.claimWork(AGENT, { holder: "w", now: at(9), leaseMs: 1, limit: 5 });
    await store.claimWork(AGENT, { holder: "w", now: at(9), leaseMs: 1, limit: 5, conversation: "c" });
    await store.settleWork(chat("c"), { holder: "w", settledSeq: 3, watermarks: { index: 3 } });
    await store.reopenWork(AGENT);
    await store.purgeExpired(AGENT, { now: at(9), operationsBefore: at(9), limit: 5 });
    await store.commitItems(chat("c"), [
      { action: "put", key: "k", bytes: new Uint8Array(3) },
      { action: "delete-prefix", prefix: "x" },
    ]);
    await store.readItems(chat("c"), { prefix: "k", after: "a", before: "z", limit: 5 });
    await store.readItems(chat("c"), { keys: ["k"] });
    await store.commitRecords(AGENT, [{ namespace: ["a", "b"], key: "k", value: 1, subject: "ann" }]);
    await store.readRecords(AGENT, { now: at(9), namespace: ["a"], limit: 5 });
    await store.readRecords(AGENT, { now: at(9), namespace: ["a", "b"], keys: ["k"], limit: 5 });
    await store.listNamespaces(AGENT, { now: at(9), prefix: ["a"], limit: 5 });
    await store.erase(AGENT, { kind: "subject", subject: "ann" }, { now: at(9) });
    await store.erase(AGENT, { kind: "subject", subject: "bob" }, { now: at(9) });

    expect(statements.size).toBeGreaterThan(80);
    expect([...statements].flatMap((sql) => scans(sql).map((step) => `${step} in ${sql}`))).toEqual([]);
    await store.close();
  });

  it("Z5/J6: no statement about a conversation's checkpoints reads a table from end to end", async () => {
    const { store, statements, scans } = recordingStore();
    const { checkpoints } = store;
    if (checkpoints === undefined) throw new Error("The store keeps checkpoints.");
    await store.readConversation(chat("c"));
    statements.clear();
    const write = { space: "", now: at(1), tags: [["k", "1"] as const], body: "{}" };
    const values = [{ name: "m", value: ["1", "2"] }];
    await checkpoints.put(chat("c"), { ...write, id: "a", subject: "ann", login: "l", values, ifNewest: true });
    const again = [{ name: "m", value: ["1", "3"] }];
    await checkpoints.put(chat("c"), { ...write, id: "b", parent: "a", values: again });
    await checkpoints.put(chat("c"), { ...write, id: "b", parent: "a", values: again });
    const writes = [{ index: 0, name: "m", text: "1", replaces: true }];
    const pending = { space: "", checkpoint: "b", task: "t", path: "", writes };
    await checkpoints.putWrites(chat("c"), pending);
    await checkpoints.putWrites(chat("c"), pending);
    await checkpoints.read(chat("c"), { space: "" });
    await checkpoints.list(AGENT, { conversation: "c", limit: 5 });
    const after = { conversation: "c", space: "", id: "b" };
    const query = { conversation: "c", space: "", before: "c", after, tags: [["k", "1"]] as const };
    expect(await checkpoints.list(AGENT, { ...query, limit: 5 })).toHaveLength(1);
    expect(await checkpoints.list(AGENT, { conversation: "c", id: "a", subject: "ann", limit: 5 })).toHaveLength(1);
    await checkpoints.list(AGENT, { before: "z", limit: 5 });
    await checkpoints.history(chat("c"), { space: "", id: "b", names: ["m", "n"] });
    await checkpoints.threads(AGENT, { after: "a", subject: "ann", limit: 5 });
    expect(await checkpoints.copy(chat("c"), { conversation: "d", subject: "bob", now: at(2) })).toBe(2);
    expect(await checkpoints.remove(chat("c"), [{ space: "", id: "a" }])).toBe(1);
    expect(await checkpoints.remove(chat("d"))).toBe(2);
    await store.erase(AGENT, { kind: "subject", subject: "ann" }, { now: at(9) });

    expect(statements.size).toBeGreaterThan(40);
    expect([...statements].flatMap((sql) => scans(sql).map((step) => `${step} in ${sql}`))).toEqual([]);
    await store.close();
  });

  it("Z6: the check sees a statement that does", async () => {
    const { store, scans } = recordingStore();
    await store.readConversation(chat("c"));
    expect(scans("SELECT key FROM turn WHERE tokens = ?")).toEqual(["SCAN turn"]);
    expect(scans("SELECT 1 FROM erasure LIMIT 1")).toEqual([]);
    await store.close();
  });

  it("Z1: no statement holds a parameter that makes SQLite plan it again at every bind", async () => {
    const { store, statements } = recordingStore();
    await store.commitTurn(chat("c"), turnOf("t"));
    await store.readContext(chat("c"), { now: at(9), window: WINDOW, facts: { limit: 5 } });
    const bare = [...statements].filter((sql) => /(^|[^+(])\?/.test(sql) || /LIMIT \+?\?/.test(sql));
    expect(statements.size).toBeGreaterThan(8);
    expect(bare).toEqual([]);
    await store.close();
  });
});
