import { mkdtempSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createMemory, MemoryError } from "@throughline/core";
import { describe, expect, it } from "vitest";
import { sqliteStore } from "./sqlite-store.ts";

describe("options of the SQLite store", () => {
  it.each<[string, unknown]>([
    ["nothing", undefined],
    ["a text", "memory.db"],
    ["no path", {}],
    ["an empty path", { path: "" }],
    ["a path that is undefined", { path: undefined }],
    ["a URL for a path", { path: "file:memory.db" }],
    ["NUL in the path", { path: "a\0b" }],
    ["another name", { file: "memory.db" }],
    ["an unknown flush", { path: "memory.db", synchronous: "FULL" }],
    ["a time that is none", { path: "memory.db", busyTimeoutMs: "5s" }],
    ["a driver that is none", { path: "memory.db", driver: {} }],
  ])("J5: refuses %s at once", (_, options) => {
    try {
      sqliteStore(options as never);
      expect.unreachable();
    } catch (error) {
      expect(MemoryError.isInstance(error) && error.code).toBe("INVALID_ARGUMENT");
    }
  });

  it("keeps the file from other people's eyes", async () => {
    const path = join(mkdtempSync(join(tmpdir(), "throughline-private-")), "memory.db");
    const memory = createMemory({ agent: "a", store: sqliteStore({ path }), env: {} });
    await memory.conversation({ id: "c" }).record({ messages: [{ role: "user", content: "secret" }] });
    for (const file of [path, `${path}-wal`]) expect(statSync(file).mode & 0o077).toBe(0);
    await memory.close();
  });
});
