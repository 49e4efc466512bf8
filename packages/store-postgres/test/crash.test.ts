import { MemoryError } from "@throughline/core";
import { migrate, postgresStore } from "@throughline/store-postgres";
import { describe, expect, it, onTestFinished } from "vitest";
import { startChild } from "./support/child.ts";
import { chat, temporarySchema, turnOf } from "./support/fixtures.ts";
import { serverUrl } from "./support/server.ts";
import { startTestServer } from "./support/test-server.ts";

const url = serverUrl ?? "";
const KILLS = 25;
const AT_ONCE = 5;

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

/** Writes turns with some calls at once until it is stopped; what was acknowledged, and the codes of what wasn't. */
function writeOn(store: ReturnType<typeof postgresStore>, prefix: string) {
  const acknowledged = new Set<string>();
  const refused = new Map<string, MemoryError>();
  let isOn = true;
  const loop = async (conversation: string) => {
    for (let index = 0; isOn; index++) {
      const id = `${conversation}-${index}`;
      try {
        const { status } = await store.commitTurn(chat(conversation), turnOf(id));
        if (status === "stored") acknowledged.add(id);
      } catch (error) {
        if (!MemoryError.isInstance(error)) throw error;
        refused.set(id, error);
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    }
  };
  const names = [0, 1, 2, 3].map((index) => `${prefix}${index}`);
  const loops = names.map(loop);
  return {
    acknowledged,
    refused,
    names,
    stop: async () => {
      isOn = false;
      await Promise.all(loops);
    },
  };
}

async function storedIn(store: ReturnType<typeof postgresStore>, names: readonly string[]): Promise<Set<string>> {
  const stored = new Set<string>();
  for (const name of names) {
    const turns = await store.readTurns(chat(name), { limit: 100_000 });
    for (const turn of turns) {
      expect(turn.messages).toHaveLength(2);
      stored.add(turn.id);
    }
    expect((await store.readConversation(chat(name)))?.turns ?? 0).toBe(turns.length);
  }
  return stored;
}

const untilSome = async (count: () => number) => {
  while (count() < 40) await new Promise((resolve) => setTimeout(resolve, 5));
};

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
        const turns = await store.readTurns(chat(name), { limit: 100_000 });
        const stored = new Set(turns.map((turn) => `${turn.id} ${turn.seq}`));
        expect(written[index]?.filter((turn) => !stored.has(turn))).toEqual([]);
        for (const turn of turns) {
          expect(turn.messages.map((message) => message.id)).toEqual([0, 1, 2].map((place) => `${turn.id}-${place}`));
        }
        acknowledged += written[index]?.length ?? 0;
        const row = await store.readConversation(chat(name));
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
    expect(new Set([...writer.refused.values()].map(({ code, retryable }) => `${code} ${retryable}`))).toEqual(
      new Set(["STORE_UNREACHABLE true"]),
    );
    const stored = await storedIn(store, writer.names);
    expect([...writer.acknowledged].filter((id) => !stored.has(id))).toEqual([]);
    // What wasn't acknowledged is tried again: written now, or known to be there.
    for (const id of writer.refused.keys()) {
      const again = await store.commitTurn(chat(id.slice(0, id.indexOf("-"))), turnOf(id));
      expect(again.status).toBe(stored.has(id) ? "exists" : "stored");
    }
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
    const stored = await storedIn(store, writer.names);
    expect([...writer.acknowledged].filter((id) => !stored.has(id))).toEqual([]);
    await store.close();
  });

  it("J5: a server that isn't there is said to be unreachable, and to be tried again", async () => {
    const store = postgresStore({ connectionString: "postgres://postgres@127.0.0.1:1/postgres" });
    const error = await store.readConversation(chat("c")).catch((reason: unknown) => reason);
    expect(MemoryError.isInstance(error) && [error.code, error.retryable]).toEqual(["STORE_UNREACHABLE", true]);
    await store.close();
  });
});
