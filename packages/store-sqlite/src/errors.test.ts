import { describe, expect, it } from "vitest";
import { isBusy, translateError } from "./errors.ts";

describe("translateError", () => {
  it("J5: knows the failures of every driver by their codes", () => {
    const failures = [
      [{ errcode: 5 }, "STORE_BUSY", true],
      [{ errcode: 517 }, "STORE_BUSY", true],
      [{ code: "SQLITE_BUSY_SNAPSHOT" }, "STORE_BUSY", true],
      [{ code: "SQLITE_LOCKED", rawCode: 6 }, "STORE_BUSY", true],
      [{ errcode: 13 }, "STORE_FULL", true],
      [{ errcode: 1032 }, "STORE_READ_ONLY", false],
      [{ code: "SQLITE_CORRUPT" }, "STORE_CORRUPT", false],
      [{ errcode: 26 }, "STORE_CORRUPT", false],
      [{ errcode: 14 }, "STORE_UNREACHABLE", true],
      [{ errcode: 18 }, "VALUE_TOO_LARGE", false],
      [{ errcode: 10 }, "STORE_FAILED", true],
      [{ code: "EACCES", syscall: "mkdir" }, "STORE_UNREACHABLE", true],
      [{ code: "ENAMETOOLONG", syscall: "stat" }, "STORE_UNREACHABLE", false],
      [{ code: "EROFS", syscall: "mkdir" }, "STORE_READ_ONLY", false],
      [{ code: "ENOSPC", syscall: "open" }, "STORE_FULL", true],
      [{ code: "EODD", syscall: "open" }, "STORE_UNREACHABLE", true],
      [{}, "STORE_FAILED", true],
    ] as const;
    for (const [fields, code, retryable] of failures) {
      const cause = Object.assign(new Error("native"), fields);
      const error = translateError(cause, "memory.db");
      expect(error).toMatchObject({ code, retryable, cause });
      expect(error.message).toContain("memory.db");
      expect(isBusy(cause)).toBe(code === "STORE_BUSY");
    }
  });

  it("J5: lets a MemoryError pass as it is", () => {
    const error = translateError(new Error("native"), "memory.db");
    expect(translateError(error, "other.db")).toBe(error);
  });
});
