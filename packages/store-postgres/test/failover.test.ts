import type { ChildProcess } from "node:child_process";
import { MemoryError } from "@throughline/core";
import { migrate, postgresStore } from "@throughline/store-postgres";
import pg from "pg";
import { describe, expect, it, onTestFinished } from "vitest";
import { startChild } from "./support/child.ts";
import { chat, ownServer, turnOf } from "./support/fixtures.ts";
import { storedIn } from "./support/load.ts";
import { startProxy } from "./support/proxy.ts";
import { serverUrl } from "./support/server.ts";

const NAMES = ["a", "b", "c", "d"];

/** Lines of a child, and how it ended. */
function listen(child: ChildProcess) {
  const lines: string[] = [];
  let rest = "";
  let errors = "";
  child.stdout?.on("data", (chunk) => {
    const parts = (rest + chunk).split("\n");
    rest = parts.pop() ?? "";
    lines.push(...parts);
  });
  child.stderr?.on("data", (chunk) => {
    errors += chunk;
  });
  const ended = new Promise<void>((resolve, reject) => {
    child.once("close", (code) => (code === 0 ? resolve() : reject(new Error(`It ended with ${code}: ${errors}`))));
  });
  onTestFinished(() => {
    child.kill("SIGKILL");
  });
  return {
    lines,
    end: () => {
      child.stdin?.end();
      return ended;
    },
    written: () => lines.filter((line) => !line.startsWith("-")),
  };
}

const until = async (isSo: () => boolean | Promise<boolean>) => {
  while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, 20));
};

/** A primary that waits for its standby, and the address that clients know. */
async function pair() {
  const { server: primary, admin } = await ownServer();
  const standby = await primary.standby();
  onTestFinished(() => standby.stop());
  const other = new pg.Pool({ connectionString: standby.url, max: 1 });
  other.on("error", () => undefined);
  const proxy = await startProxy(primary.url);
  onTestFinished(async () => {
    await other.end();
    await proxy.stop();
  });
  await until(async () => (await admin.query("SELECT 1 FROM pg_stat_replication")).rows.length === 1);
  await admin.query("ALTER SYSTEM SET synchronous_standby_names = '*'");
  await admin.query("ALTER SYSTEM SET synchronous_commit = 'remote_apply'");
  await admin.query("SELECT pg_reload_conf()");
  await until(
    async () => (await admin.query("SELECT 1 FROM pg_stat_replication WHERE sync_state = 'sync'")).rows.length === 1,
  );
  return { primary, standby, other, proxy };
}

describe.skipIf(serverUrl === null)("failover", () => {
  it("J5/PR1: four processes go on at a promoted standby, with all that was acknowledged and nothing half", {
    timeout: 120_000,
  }, async () => {
    const { primary, standby, other, proxy } = await pair();
    await migrate({ connectionString: primary.url });
    const children = NAMES.map((name) => listen(startChild("write-through.ts", proxy.url, "throughline", name)));
    await until(() => children.every((child) => child.written().length > 20));

    await primary.kill();
    const before = children.map((child) => child.written().length);
    await other.query("SELECT pg_promote()");
    proxy.leadTo(standby.url);
    await until(() => children.every((child, index) => child.written().length > (before[index] ?? 0) + 20));
    await Promise.all(children.map((child) => child.end()));

    const store = postgresStore({ connectionString: standby.url, migrate: false });
    const stored = await storedIn(store, NAMES);
    expect(children.flatMap((child) => child.written().filter((id) => !stored.has(id)))).toEqual([]);
    // What each wrote has no gap, and no turn twice.
    for (const [index, name] of NAMES.entries()) {
      const turns = await store.readTurns(chat(name), { limit: 100_000 });
      expect(turns.map(({ id }) => id)).toEqual(children[index]?.written());
    }
    const refused = new Set(children.flatMap((child) => child.lines.filter((line) => line.startsWith("-"))));
    expect([...refused].filter((code) => !["-STORE_UNREACHABLE", "-STORE_READ_ONLY"].includes(code))).toEqual([]);
    expect(refused.size).toBeGreaterThan(0);
    await store.close();
  });

  it("J5/E1: a server that became read-only is read from, says that a write may be tried again, and another one is found", {
    timeout: 60_000,
  }, async () => {
    const { primary, standby, other, proxy } = await pair();
    await migrate({ connectionString: primary.url });
    const store = postgresStore({ connectionString: proxy.url });
    await store.commitTurn(chat("c"), turnOf("t1"));
    // The address leads to the standby before that is promoted.
    proxy.leadTo(standby.url);
    expect(await store.readTurns(chat("c"), { limit: 9 })).toMatchObject([{ id: "t1" }]);
    for (const write of [turnOf("t2"), turnOf("t2", { hides: ["t1"] })]) {
      const error = await store.commitTurn(chat("c"), write).catch((reason: unknown) => reason);
      expect(MemoryError.isInstance(error) && [error.code, error.retryable]).toEqual(["STORE_READ_ONLY", true]);
    }
    // Its connections are sound and nobody cuts them, and still they are left: the next one asks the address anew.
    proxy.leadTo(primary.url, "keep");
    expect((await store.commitTurn(chat("c"), turnOf("t2"))).status).toBe("stored");
    await primary.kill();
    await other.query("SELECT pg_promote()");
    proxy.leadTo(standby.url);
    expect((await store.commitTurn(chat("c"), turnOf("t3"))).status).toBe("stored");
    expect((await store.readTurns(chat("c"), { limit: 9 })).map(({ id }) => id)).toEqual(["t1", "t2", "t3"]);
    await store.close();
  });
});
