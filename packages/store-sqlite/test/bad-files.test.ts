import { existsSync, mkdirSync, readFileSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { MemoryError, type MemoryErrorCode } from "@throughline/core";
import { sqliteStore } from "@throughline/store-sqlite";
import { describe, expect, it } from "vitest";
import { outputOf, startChild } from "./support/child.ts";
import { AGENT, chat, temporaryDirectory, turnOf } from "./support/fixtures.ts";

async function filled(turns = 1): Promise<string> {
  const path = join(temporaryDirectory(), "memory.db");
  const store = sqliteStore({ path });
  for (let index = 0; index < turns; index++) await store.commitTurn(chat("c"), turnOf(`t${index}`, "x".repeat(2000)));
  await store.close();
  return path;
}

/** The error of a call that has to fail. */
async function failure(call: Promise<unknown>): Promise<MemoryError> {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!MemoryError.isInstance(error)) throw new Error(`Not a MemoryError: ${String(error)}`);
  return error;
}

async function expectRefused(path: string, code: MemoryErrorCode): Promise<MemoryError> {
  const store = sqliteStore({ path });
  const error = await failure(store.commitTurn(chat("c"), turnOf("late")));
  expect(error.code).toBe(code);
  expect(error.message).toContain(path);
  await store.close();
  return error;
}

describe("files that are not what they should be", () => {
  it("J5: a directory is refused", async () => {
    await expectRefused(temporaryDirectory(), "STORE_UNREACHABLE");
  });

  it("J5: a path through a file is refused", async () => {
    const file = join(temporaryDirectory(), "file");
    writeFileSync(file, "");
    await expectRefused(join(file, "memory.db"), "STORE_UNREACHABLE");
  });

  it("J5: paths that lead nowhere are refused, with the path and the system's code", async () => {
    const folder = temporaryDirectory();
    symlinkSync(join(folder, "circle"), join(folder, "circle"));
    symlinkSync(join(folder, "gone"), join(folder, "dangling"));
    const paths = [
      ["circle", "memory.db"],
      ["circle"],
      ["dangling", "memory.db"],
      ["a".repeat(300), "memory.db"],
      ["a/".repeat(3_000), "memory.db"],
    ].map((parts) => join(folder, ...parts));
    for (const path of [...paths, join(folder, "new/")]) {
      const { details } = await expectRefused(path, "STORE_UNREACHABLE");
      expect(details).toEqual({ path, system: expect.stringMatching(/^E[A-Z]+$/) });
    }
  });

  // Other systems have no such directory, or would make it.
  it.runIf(existsSync("/proc/self"))("J5: where no directory can be made, opening answers with an error", async () => {
    const path = "/proc/nope/memory.db";
    // In a process of its own: what never answers holds the process.
    const child = startChild("refused-at.ts", path);
    const guard = setTimeout(() => child.kill("SIGKILL"), 20_000);
    const answers: unknown = JSON.parse(await outputOf(child));
    clearTimeout(guard);
    const refused = { code: "STORE_UNREACHABLE", details: { path, system: "ENOENT" } };
    expect(answers).toEqual([refused, refused]);
  });

  it.runIf(existsSync("/dev/null"))("J5: what is no file is refused", async () => {
    await expectRefused("/dev/null", "STORE_UNREACHABLE");
  });

  it("J5: a file that is no database is refused and left as it is", async () => {
    const path = join(temporaryDirectory(), "notes.txt");
    const text = "These are somebody's notes, and no database at all. ".repeat(100);
    writeFileSync(path, text);
    await expectRefused(path, "STORE_CORRUPT");
    expect(readFileSync(path, "utf8")).toBe(text);
  });

  it("J5: another program's database is refused and left as it is", async () => {
    const path = join(temporaryDirectory(), "other.db");
    const other = new DatabaseSync(path);
    other.exec("CREATE TABLE invoice (id INTEGER PRIMARY KEY); INSERT INTO invoice VALUES (7)");
    other.close();
    const before = readFileSync(path);
    await expectRefused(path, "STORE_CORRUPT");
    expect(readFileSync(path).equals(before)).toBe(true);
  });

  it("J2: a newer database is refused with both versions named", async () => {
    const path = await filled();
    const newer = new DatabaseSync(path);
    newer.exec("PRAGMA user_version = 999");
    newer.close();
    const { details, message } = await expectRefused(path, "STORE_NEWER");
    expect(details).toMatchObject({ found: 999, known: 9 });
    expect(message).toContain("999");
  });

  it("J5: a truncated database is refused", async () => {
    const path = await filled(40);
    truncateSync(path, 20_000);
    await expectRefused(path, "STORE_CORRUPT");
  });

  it("J5: a damaged page is told as such, and what lies elsewhere is still read", async () => {
    const path = await filled(40);
    const bytes = readFileSync(path);
    const store = sqliteStore({ path });
    // Every page of the heap but the schema's.
    for (let offset = 4096; offset < bytes.length; offset += 4096) {
      if (bytes.includes("xxxxxxxx", offset) && bytes.indexOf("xxxxxxxx", offset) < offset + 4096) {
        bytes.fill(0xff, offset, offset + 64);
      }
    }
    writeFileSync(path, bytes);
    expect((await failure(store.readTurns(chat("c"), { limit: 100 }))).code).toBe("STORE_CORRUPT");
    expect(await store.readConversation(chat("c"))).toMatchObject({ turns: 40 });
    await store.close();
  });

  it("J5: a database opened for reading is read, and refuses every write", async () => {
    const path = await filled();
    const store = sqliteStore({ path, readOnly: true });
    expect(await store.readTurns(chat("c"), { limit: 9 })).toHaveLength(1);
    expect((await failure(store.commitTurn(chat("c"), turnOf("late")))).code).toBe("STORE_READ_ONLY");
    const target = { kind: "conversation", conversation: "c" } as const;
    expect((await failure(store.erase(AGENT, target, { now: new Date().toISOString() }))).code).toBe("STORE_READ_ONLY");
    await store.close();
    const missing = sqliteStore({ path: `${path}-missing`, readOnly: true });
    expect((await failure(missing.readConversation(chat("c")))).code).toBe("STORE_UNREACHABLE");
  });

  it("J5: an opening that failed is tried again by the next call", async () => {
    const path = join(temporaryDirectory(), "memory.db");
    mkdirSync(path);
    const store = sqliteStore({ path });
    expect((await failure(store.readConversation(chat("c")))).code).toBe("STORE_UNREACHABLE");
    const { rmdirSync } = await import("node:fs");
    rmdirSync(path);
    expect(await store.readConversation(chat("c"))).toBeNull();
    await store.close();
  });

  it("J6: directories that aren't there are made", async () => {
    const path = join(temporaryDirectory(), "a", "b", "memory.db");
    const store = sqliteStore({ path });
    expect((await store.commitTurn(chat("c"), turnOf("t"))).status).toBe("stored");
    await store.close();
  });
});
