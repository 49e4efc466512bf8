import { createMemory, MemoryError, type MemoryStore } from "@throughline/core";
import { migrate, postgresStore } from "@throughline/store-postgres";
import { describe, expect, it, onTestFinished } from "vitest";
import { startChild } from "./support/child.ts";
import { AGENT, chat, temporarySchema } from "./support/fixtures.ts";
import { codesOf, expectNothingLost, untilSome, writeOn } from "./support/load.ts";
import { serverUrl } from "./support/server.ts";
import { startTestServer } from "./support/test-server.ts";

const url = serverUrl ?? "";
const KILLS = 25;
const AT_ONCE = 5;

/** A conversation and its turns of one moment: what a killed client sent last may be committed between two reads. */
async function readAtRest(store: MemoryStore, conversation: string) {
  for (;;) {
    const row = await store.readConversation(chat(conversation));
    const turns = await store.readTurns(chat(conversation), { limit: 100_000 });
    if (row?.lastSeq === (await store.readConversation(chat(conversation)))?.lastSeq) return { row, turns };
  }
}

/** The turns that were acknowledged before the process was killed. */
async function killWhileWriting(schema: string, name: string): Promise<string[]> {
  const child = startChild("write-turns.ts", url, schema, name);
  let output = "";
  child.stdout?.on("data", (chunk) => {
    // The clock of the kill starts with the first turn, wherever in the loop it falls.
    if (output === "") setTimeout(() => child.kill("SIGKILL"), Math.random() * 60);
    output += chunk;
  });
  const code = await new Promise((resolve) => child.on("close", resolve));
  if (code !== null) throw new Error(`The child ended by itself with ${String(code)}.`);
  return output.split("\n").slice(0, -1);
}

/** How many messages of the subject the index and the vectors hold. */
async function heldOf(store: MemoryStore): Promise<(number | undefined)[]> {
  const scope = { kind: "subject", subject: "ann" } as const;
  const found = await store.keyword?.postings(AGENT, scope, { terms: ["word"], groups: ["said"] });
  const query = { model: { modelId: "flat", dimensions: 2 }, vector: Float32Array.of(1, 0), limit: 99, floor: 0 };
  return [found?.terms[0]?.documentFrequency, (await store.vectors?.nearest(AGENT, scope, query))?.length];
}

describe.skipIf(serverUrl === null)("crashes", () => {
  it("E2/PR1: kill -9 in a write loop loses no acknowledged turn and leaves none half", {
    timeout: 120_000,
  }, async () => {
    const { schema } = await temporarySchema();
    await migrate({ connectionString: url, schema });
    const store = postgresStore({ connectionString: url, schema });
    let acknowledged = 0;
    for (let run = 0; run < KILLS; run += AT_ONCE) {
      const names = Array.from({ length: AT_ONCE }, (_, index) => `run${run + index}`);
      const written = await Promise.all(names.map((name) => killWhileWriting(schema, name)));
      for (const [index, name] of names.entries()) {
        const { row, turns } = await readAtRest(store, name);
        const stored = new Set(turns.map((turn) => `${turn.id} ${turn.seq}`));
        expect(written[index]?.filter((turn) => !stored.has(turn))).toEqual([]);
        for (const turn of turns) {
          expect(turn.messages.map((message) => message.id)).toEqual([0, 1, 2].map((place) => `${turn.id}-${place}`));
        }
        acknowledged += written[index]?.length ?? 0;
        expect([row?.turns, row?.lastSeq]).toEqual([turns.length, turns.length]);
      }
    }
    expect(acknowledged).toBeGreaterThan(KILLS);
    await store.close();
  });

  it("J5: a connection that is dropped in the middle of a write leaves the turn whole or absent", {
    timeout: 60_000,
  }, async () => {
    const { schema, admin } = await temporarySchema();
    await migrate({ connectionString: url, schema });
    const named = new URL(url);
    named.searchParams.set("application_name", schema);
    const store = postgresStore({ connectionString: named.href, schema });
    const writer = writeOn(store, "cut");
    let cut = 0;
    for (let round = 1; round <= 10; round++) {
      await untilSome(() => writer.acknowledged.size / round);
      const { rows } = await admin.query(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = $1",
        [schema],
      );
      cut += rows.length;
    }
    await untilSome(() => writer.refused.size * 40);
    await writer.stop();
    expect(cut).toBeGreaterThan(0);
    expect(codesOf(writer)).toEqual(["STORE_UNREACHABLE true"]);
    await expectNothingLost(store, writer);
    await store.close();
  });

  it("J5/PR1: a server that is killed under load and started again has every acknowledged turn", {
    timeout: 60_000,
  }, async ({ skip }) => {
    // A server of its own: the run's server goes on.
    const server = await startTestServer();
    if (server === null) return skip("There are no binaries for this platform.");
    onTestFinished(() => server.stop());
    const store = postgresStore({ connectionString: server.url, schema: "memory" });
    const writer = writeOn(store, "load");
    for (let round = 1; round <= 3; round++) {
      await untilSome(() => writer.acknowledged.size / round);
      await server.kill();
      await untilSome(() => (writer.refused.size * 40) / round);
      await server.start();
    }
    const before = writer.acknowledged.size;
    await untilSome(() => writer.acknowledged.size - before);
    await writer.stop();
    for (const error of writer.refused.values()) {
      expect([error.code, error.retryable, error.cause !== undefined]).toEqual(["STORE_UNREACHABLE", true, true]);
    }
    await expectNothingLost(store, writer);
    await store.close();
  });

  it("E3/J5: work that a server lost as it was killed is lost whole, is due again and is done once", {
    timeout: 60_000,
  }, async ({ skip }) => {
    // What doesn't wait for the disk is written to it after ten seconds.
    const server = await startTestServer(["wal_writer_delay=10000ms"]);
    if (server === null) return skip("There are no binaries for this platform.");
    onTestFinished(() => server.stop());
    const store = postgresStore({ connectionString: server.url, schema: "memory" });
    const flat = async (texts: readonly string[]) => texts.map(() => Float32Array.of(1, 0));
    const embedder = { modelId: "flat", dimensions: 2, embed: flat };
    const memory = createMemory({ ...AGENT, store, embedder, env: {}, onEvent: () => {} });
    const talk = memory.conversation({ id: "c", subject: "ann" });
    let lost = 0;
    // The first turn's vector is kept before what is near is measured.
    await talk.record({ messages: [{ role: "user", content: "a word" }] });
    await memory.settled();
    for (let turn = 2; turn <= 4; turn++) {
      await talk.record({ messages: [{ role: "user", content: "a word" }] });
      await memory.settled();
      expect(await store.readConversation(chat("c"))).toMatchObject({ settledSeq: turn });
      await server.kill();
      await server.start();
      const row = await store.readConversation(chat("c"));
      expect(row?.lastSeq).toBe(turn);
      const settled = row?.settledSeq ?? 0;
      if (settled < turn) lost += 1;
      expect(row?.watermarks.index ?? 0).toBe(settled);
      expect(await heldOf(store)).toEqual([settled, settled]);
      await memory.sweep();
      expect(await store.readConversation(chat("c"))).toMatchObject({ settledSeq: turn, watermarks: { index: turn } });
      expect(await heldOf(store)).toEqual([turn, turn]);
    }
    expect(lost).toBeGreaterThan(0);
    await memory.close();
  });

  it("J5: a server that isn't there is said to be unreachable, and to be tried again", async () => {
    const store = postgresStore({ connectionString: "postgres://postgres@127.0.0.1:1/postgres" });
    const error = await store.readConversation(chat("c")).catch((reason: unknown) => reason);
    expect(MemoryError.isInstance(error) && [error.code, error.retryable]).toEqual(["STORE_UNREACHABLE", true]);
    await store.close();
  });
});
