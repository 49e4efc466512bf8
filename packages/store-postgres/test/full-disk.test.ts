import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import {
  existsSync,
  lchownSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statfsSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createMemory, type MemoryEvent } from "@throughline/core";
import { postgresStore } from "@throughline/store-postgres";
import { describe, expect, it, onTestFinished } from "vitest";
import { chat, ownServer, turnOf } from "./support/fixtures.ts";
import { codesOf, expectNothingLost, writeOn } from "./support/load.ts";
import { serverUrl } from "./support/server.ts";
import { ordinaryUser } from "./support/test-server.ts";

/** Of bytes that the server can't make fewer of. */
const LONG = randomBytes(6_000).toString("base64");

/** A disk of a few megabytes that belongs to the server's user; `null` where this user may not mount one. */
function smallDisk(megabytes: number): string | null {
  const disk = mkdtempSync(join(tmpdir(), "throughline-disk-"));
  const { uid = process.getuid?.(), gid = process.getgid?.() } = ordinaryUser();
  const options = `size=${megabytes}m,mode=0700,uid=${uid},gid=${gid}`;
  if (spawnSync("mount", ["-t", "tmpfs", "-o", options, "tmpfs", disk]).status !== 0) {
    rmSync(disk, { recursive: true });
    return null;
  }
  onTestFinished(() => {
    spawnSync("umount", ["--lazy", disk]);
    rmSync(disk, { recursive: true, force: true });
  });
  return disk;
}

describe.skipIf(serverUrl === null)("a full disk", () => {
  // The device that is always full: no leave to mount is needed.
  it.skipIf(!existsSync("/dev/full"))(
    "J5/E1: with no room for a table an agent replies, and what it said is kept by another try",
    {
      timeout: 60_000,
    },
    async () => {
      const { server, admin } = await ownServer();
      const events: MemoryEvent[] = [];
      const store = postgresStore({ connectionString: server.url });
      const memory = createMemory({
        agent: "helper",
        store,
        env: {},
        forgetKey: "key",
        onEvent: (event) => void events.push(event),
      });
      const talk = memory.conversation({ id: "c", subject: "ann" });
      await memory.conversations();
      const { rows } = await admin.query("SELECT pg_relation_filepath('throughline.turn') AS path");
      const file = join(server.data, rows[0].path);
      await server.kill();
      unlinkSync(file);
      symlinkSync("/dev/full", file);
      await server.start();

      const turn = await talk.begin({ id: "t1", messages: [{ role: "user", content: "hello" }] });
      expect(turn.messages).toHaveLength(1);
      const failed = await turn.complete([{ role: "assistant", content: "hi" }]);
      expect(failed).toMatchObject({ status: "failed", code: "STORE_FULL", retryable: true });
      expect(events.filter(({ type }) => type === "memory.write_failed")).toMatchObject([
        { code: "STORE_FULL", attempts: 4 },
      ]);
      expect(await talk.transcript()).toMatchObject({ turns: [] });
      expect(await memory.conversations()).toMatchObject({ items: [] });

      await server.kill();
      unlinkSync(file);
      writeFileSync(file, "");
      const { uid, gid } = ordinaryUser();
      if (uid !== undefined) lchownSync(file, uid, gid ?? uid);
      await server.start();
      expect(await turn.complete([{ role: "assistant", content: "hi" }])).toMatchObject({ status: "stored" });
      expect((await talk.transcript()).turns.map(({ id }) => id)).toEqual(["t1"]);
      await memory.close();
    },
  );

  it("J5: a disk that fills up under load loses nothing acknowledged, and goes on once there is room", {
    timeout: 60_000,
  }, async ({ skip }) => {
    const disk = smallDisk(10);
    if (disk === null) {
      if (process.env.CI !== undefined) throw new Error("CI has to let this user mount a small disk.");
      return skip("This user may not mount a small disk; the test before this one needs none.");
    }
    const { server, admin } = await ownServer();
    const [space, ballast] = [join(disk, "space"), join(disk, "ballast")];
    mkdirSync(space, { mode: 0o700 });
    const { uid, gid } = ordinaryUser();
    if (uid !== undefined) lchownSync(space, uid, gid ?? uid);
    writeFileSync(ballast, Buffer.alloc(4 << 20));
    await admin.query(`CREATE TABLESPACE small LOCATION '${space}'`);
    const store = postgresStore({ connectionString: server.url });
    await store.readConversation(chat("c"));
    for (const table of ["turn", "message", "conversation"]) {
      await admin.query(`ALTER TABLE throughline.${table} SET TABLESPACE small`);
    }
    const load = writeOn(store, "disk", LONG);
    while (load.refused.size < 8) await new Promise((resolve) => setTimeout(resolve, 5));
    expect(codesOf(load)).toEqual(["STORE_FULL true"]);
    expect(statfsSync(disk).bavail).toBeLessThan(8);
    // Reading goes on meanwhile.
    const [name = ""] = load.names;
    expect((await store.readTurns(chat(name), { limit: 3 })).length).toBeGreaterThan(0);
    const before = load.acknowledged.size;
    expect(before).toBeGreaterThan(20);
    unlinkSync(ballast);
    while (load.acknowledged.size < before + 20) await new Promise((resolve) => setTimeout(resolve, 5));
    await load.stop();
    await expectNothingLost(store, load);
    await store.close();
  });

  it("J5/PR1: a server whose whole disk is full stops, and has everything acknowledged when it is back", {
    timeout: 60_000,
  }, async ({ skip }) => {
    const disk = smallDisk(150);
    if (disk === null) {
      if (process.env.CI !== undefined) throw new Error("CI has to let this user mount a small disk.");
      return skip("This user may not mount a small disk.");
    }
    const { server } = await ownServer(["max_wal_size=64MB", "min_wal_size=32MB"]);
    const store = postgresStore({ connectionString: server.url });
    await store.commitTurn(chat("c"), turnOf("t"));
    await server.kill();
    const home = join(disk, "data");
    server.moveTo(home);
    await server.start();
    const ballast = join(disk, "ballast");
    const load = writeOn(store, "log", LONG);
    while (load.acknowledged.size < 40) await new Promise((resolve) => setTimeout(resolve, 5));
    // All that is free now is taken: what comes next has no room in the log either.
    const { bavail, bsize } = statfsSync(disk);
    writeFileSync(ballast, Buffer.alloc(Math.max(0, (bavail - 64) * bsize)));
    while (load.refused.size < 8) await new Promise((resolve) => setTimeout(resolve, 5));
    expect([...load.refused.values()].every(({ retryable }) => retryable)).toBe(true);
    expect(codesOf(load).filter((code) => !/^STORE_(FULL|UNREACHABLE) true$/.test(code))).toEqual([]);
    await server.kill();
    unlinkSync(ballast);
    await server.start();
    const before = load.acknowledged.size;
    while (load.acknowledged.size < before + 20) await new Promise((resolve) => setTimeout(resolve, 5));
    await load.stop();
    await expectNothingLost(store, load);
    await store.close();
  });
});
