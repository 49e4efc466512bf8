import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { createMemory, type Embedder, type Memory, type Receipt } from "@throughline/core";
import { migrate, postgresStore, vacuum } from "@throughline/store-postgres";
import pg from "pg";
import { describe, expect, it, onTestFinished } from "vitest";
import { ownServer } from "./support/fixtures.ts";
import { serverUrl } from "./support/server.ts";

const DAY_MS = 86_400_000;
const word = (name: string) => `zq${name}qz`;
const user = (content: string, id?: string) => ({
  role: "user" as const,
  content,
  ...(id === undefined ? {} : { id }),
});

/** A vector of a text whose bytes can be told from every other's. */
const embedder: Embedder = {
  modelId: "telling@1",
  dimensions: 8,
  embed: async (texts) =>
    texts.map((text) => Float32Array.from({ length: 8 }, (_, at) => text.charCodeAt(at % text.length))),
};

/** Files under a directory that hold one of the words, by word. */
function filesWith(
  directory: string,
  words: readonly string[],
  isLookedAt: (path: string) => boolean,
): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const entry of readdirSync(directory, { recursive: true, withFileTypes: true })) {
    const path = relative(directory, join(entry.parentPath, entry.name));
    if (!entry.isFile() || !isLookedAt(path)) continue;
    const bytes = readFileSync(join(directory, path));
    for (const name of words) {
      if (bytes.includes(name)) found.set(name, [...(found.get(name) ?? []), path]);
    }
  }
  return found;
}

/** A word at every place that something is kept in, for each kind of erasure. */
async function plant(memory: Memory) {
  const talk = (id: string, subject = "ann") => memory.conversation({ id, subject });
  await talk("main").record({
    id: "t1",
    messages: [user(`hello ${word("message")}`, "m1"), { role: "assistant", content: "hi" }],
  });
  await talk("main").remember("greeting", "a kind one", { quote: `hello ${word("message")}` });
  await talk("main").record({ id: "t2", messages: [user("more")] });
  await talk("main").remember(word("fact"), { deep: word("fact") }, { tags: [word("fact")] });
  const doomed = talk(`talk-${word("conversation")}`);
  await doomed.record({ messages: [user(`in it ${word("conversation")}`)] });
  await doomed.update({ title: word("conversation"), metadata: { note: word("conversation") } });
  await doomed.remember("here", word("conversation"), { scope: "conversation" });

  const carl = talk("carls", `carl-${word("subject")}`);
  await carl.record({ messages: [user(`I am ${word("subject")}`)] });
  await carl.remember("name", word("subject"));
  await memory.records(["prefs"]).put("carl", { is: word("subject") }, { subject: `carl-${word("subject")}` });
  await memory.operator.link({ identity: `mail-${word("subject")}`, subject: `carl-${word("subject")}` });

  await talk("old").record({ messages: [user(`long ago ${word("retention")}`)] });
  await memory.settled();
  return { doomed, carl: memory.subject(`carl-${word("subject")}`) };
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  client.on("error", () => undefined);
  onTestFinished(() => client.end());
  return client;
}

const PLACES = ["dead rows", "planner statistics", "write-ahead log, replicas and backups"];
const named = (residue: Receipt["residue"] | undefined) => residue?.map(({ what }) => what);

describe.skipIf(serverUrl === null)("erased bytes", () => {
  it("PR7/A3/J4: each kind of erasure names what PostgreSQL keeps, and after vacuum() no file but the log holds a trace", {
    timeout: 120_000,
  }, async () => {
    const { server, admin } = await ownServer([
      "autovacuum=off",
      "wal_recycle=off",
      "min_wal_size=32MB",
      "max_wal_size=64MB",
    ]);
    await admin.query("CREATE ROLE owner LOGIN; CREATE ROLE app LOGIN");
    await admin.query("CREATE DATABASE agents OWNER owner");
    const as = (role: string) => {
      const url = new URL(server.url);
      [url.username, url.pathname] = [role, "/agents"];
      return url.href;
    };
    await migrate({ connectionString: as("owner"), rowLevelSecurity: true, appRole: "app" });
    const store = postgresStore({ connectionString: as("app"), rowLevelSecurity: true, migrate: false });
    let aheadMs = 0;
    const memory = createMemory({
      agent: "helper",
      store,
      env: {},
      embedder,
      forgetKey: "key",
      onEvent: () => undefined,
      clock: () => new Date(Date.UTC(2026, 2, 1) + aheadMs++),
      policy: { enabled: true, retention: { messages: "30d" } },
    });
    onTestFinished(() => memory.close());
    const planted = await plant(memory);
    const greeting = async () =>
      (await memory.subject("ann").facts()).find(({ key }) => key === "greeting")?.source?.quote;
    expect(await greeting()).toContain(word("message"));
    const erased = ["fact", "message", "conversation", "subject", "retention"].map(word);

    // What the server does by itself in time: samples of the columns, and pages on the disk.
    const owner = await connect(as("owner"));
    await owner.query("ANALYZE");
    await admin.query("CHECKPOINT");
    const inTables = (path: string) => !path.startsWith("pg_wal");
    expect(filesWith(server.data, erased, inTables).size).toBe(erased.length);
    const superuser = await connect(as("postgres"));
    const { rows: sampled } = await superuser.query(`SELECT DISTINCT tablename || '.' || attname AS column FROM pg_stats
      WHERE schemaname = 'throughline' AND (attname IN ('body', 'value', 'data', 'result', 'extra', 'subject', 'tags'))`);
    expect(new Set(sampled.map(({ column }) => column.split(".")[1]))).toEqual(new Set(["subject"]));

    const reader = await connect(as("owner"));
    await reader.query("BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT 1 FROM throughline.migration");
    expect(named((await memory.conversation({ id: "main", subject: "ann" }).forget(word("fact"))).residue)).toEqual(
      PLACES,
    );
    expect(named((await memory.conversation({ id: "main", subject: "ann" }).deleteMessages(["m1"])).residue)).toEqual(
      PLACES,
    );
    expect(await greeting()).toBeUndefined();
    expect(named((await planted.doomed.delete()).residue)).toEqual(PLACES);
    expect(named((await planted.carl.erase()).residue)).toEqual(PLACES);
    aheadMs += 29 * DAY_MS;
    await memory
      .conversation({ id: "bobs", subject: "bob" })
      .record({ messages: [user(`still here: ${word("kept")}`)] });
    aheadMs += 2 * DAY_MS;
    expect(named((await memory.operator.sweepRetention()).residue)).toEqual(PLACES);
    await memory.settled();

    // The reader sees the rows still: that is said, and not that they are gone.
    const pinned = await vacuum({ connectionString: as("owner") });
    expect(named(pinned.residue)).toContain("dead rows");
    await admin.query("CHECKPOINT");
    expect(filesWith(server.data, erased, inTables).size).toBe(erased.length);
    await reader.query("COMMIT");

    const done = await vacuum({ connectionString: as("owner") });
    expect(done.tables).toContain("turn");
    expect(named(done.residue)).toEqual(["write-ahead log, replicas and backups"]);
    await admin.query("CHECKPOINT");
    expect(filesWith(server.data, erased, inTables)).toEqual(new Map());
    expect([...filesWith(server.data, [word("kept")], inTables).keys()]).toEqual([word("kept")]);
    expect((await memory.conversation({ id: "bobs", subject: "bob" }).transcript()).turns).toHaveLength(1);

    // The log holds them until its files are removed, which a server that doesn't recycle them does at a checkpoint.
    expect(filesWith(server.data, erased, () => true).size).toBe(erased.length);
    for (let round = 0; round < 4; round++) {
      await admin.query("SELECT pg_switch_wal()");
      await admin.query("CHECKPOINT");
    }
    expect(filesWith(server.data, erased, () => true)).toEqual(new Map());
  });

  it("PR7: a plain VACUUM leaves the bytes of erased rows in their pages", async () => {
    const { server, admin } = await ownServer(["autovacuum=off"]);
    const store = postgresStore({ connectionString: server.url });
    const memory = createMemory({ agent: "helper", store, env: {}, forgetKey: "key", onEvent: () => undefined });
    await memory.conversation({ id: "stays", subject: "ann" }).record({ messages: [user("stays")] });
    const talk = memory.conversation({ id: "c", subject: "ann" });
    await talk.record({ messages: [user(`hello ${word("message")}`)] });
    await talk.delete();
    await admin.query("VACUUM throughline.turn");
    await admin.query("CHECKPOINT");
    expect(filesWith(server.data, [word("message")], (path) => path.startsWith("base")).size).toBe(1);
    await vacuum({ connectionString: server.url });
    await admin.query("CHECKPOINT");
    expect(filesWith(server.data, [word("message")], (path) => path.startsWith("base")).size).toBe(0);
    await memory.close();
  });

  it("J5: vacuum() says so where the schema isn't there or isn't the role's", async () => {
    const { server, admin } = await ownServer();
    await expect(vacuum({ connectionString: server.url })).rejects.toMatchObject({ code: "STORE_FAILED" });
    await migrate({ connectionString: server.url });
    await admin.query("CREATE ROLE app LOGIN; GRANT USAGE ON SCHEMA throughline TO app");
    const url = new URL(server.url);
    url.username = "app";
    await expect(vacuum({ connectionString: url.href })).rejects.toMatchObject({
      code: "STORE_READ_ONLY",
      retryable: false,
    });
  });
});
