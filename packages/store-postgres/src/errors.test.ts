import { describe, expect, it } from "vitest";
import { isContention, isCut, translateError } from "./errors.ts";

describe("translateError", () => {
  it("J5: knows the server's failures by their SQLSTATE, and what answered before it did by theirs", () => {
    const failures = [
      [{ code: "40001" }, "STORE_BUSY", true],
      [{ code: "40P01" }, "STORE_BUSY", true],
      [{ code: "55P03" }, "STORE_BUSY", true],
      [{ code: "57014" }, "STORE_BUSY", true],
      [{ code: "53300" }, "STORE_BUSY", true],
      [{ code: "53100" }, "STORE_FULL", true],
      [{ code: "57P01" }, "STORE_UNREACHABLE", true],
      [{ code: "57P05" }, "STORE_UNREACHABLE", true],
      [{ code: "57P03" }, "STORE_UNREACHABLE", true],
      [{ code: "08006" }, "STORE_UNREACHABLE", true],
      [{ code: "28P01" }, "STORE_UNREACHABLE", false],
      [{ code: "28000" }, "STORE_UNREACHABLE", false],
      [{ code: "3D000" }, "STORE_UNREACHABLE", false],
      [{ code: "53400" }, "STORE_FULL", true],
      [{ code: "25006" }, "STORE_READ_ONLY", true],
      [{ code: "25P03" }, "STORE_UNREACHABLE", true],
      [{ code: "42P01" }, "STORE_FAILED", false],
      [{ code: "42501" }, "STORE_READ_ONLY", false],
      [{ code: "XX001" }, "STORE_CORRUPT", false],
      [{ code: "54000" }, "VALUE_TOO_LARGE", false],
      [{ code: "42703" }, "STORE_FAILED", false],
      [{ code: "22P02" }, "STORE_FAILED", false],
      [{ code: "58030" }, "STORE_FAILED", true],
      [{ code: "ECONNREFUSED" }, "STORE_UNREACHABLE", true],
      [{ code: "ENOTFOUND" }, "STORE_UNREACHABLE", true],
      // Five capital letters, and no SQLSTATE.
      [{ code: "EPIPE", syscall: "write" }, "STORE_UNREACHABLE", true],
      [{ code: "ENOENT", syscall: "connect" }, "STORE_UNREACHABLE", true],
      [{ code: "EACCES", syscall: "connect" }, "STORE_UNREACHABLE", true],
      [{ code: "DEPTH_ZERO_SELF_SIGNED_CERT" }, "STORE_UNREACHABLE", false],
      [{ code: "UNABLE_TO_VERIFY_LEAF_SIGNATURE" }, "STORE_UNREACHABLE", false],
      [{ code: "CERT_HAS_EXPIRED" }, "STORE_UNREACHABLE", false],
      [{ code: "ERR_TLS_CERT_ALTNAME_INVALID" }, "STORE_UNREACHABLE", false],
      [{ code: "ERR_SSL_WRONG_VERSION_NUMBER" }, "STORE_UNREACHABLE", false],
      [{ code: "ERR_ASSERTION" }, "STORE_FAILED", true],
      [{ message: "The server does not support SSL connections" }, "STORE_UNREACHABLE", false],
      [{ message: "SASL: client password must be a string" }, "STORE_UNREACHABLE", false],
      [{ message: "Connection terminated unexpectedly" }, "STORE_UNREACHABLE", true],
      [{ message: "timeout exceeded when trying to connect" }, "STORE_BUSY", true],
      [{}, "STORE_FAILED", true],
    ] as const;
    for (const [fields, code, retryable] of failures) {
      const cause = Object.assign(new Error("native"), fields);
      expect(translateError(cause), JSON.stringify(fields)).toMatchObject({ code, retryable, cause });
    }
  });

  it("PR6: keeps nothing of a row that the server shows beside its message", () => {
    const cause = Object.assign(new Error("null value in column"), {
      code: "23502",
      detail: "Failing row contains (secret).",
    });
    expect(JSON.stringify(translateError(cause).cause)).not.toContain("secret");
  });

  it("J5: finds an address that refused among several", () => {
    const refused = Object.assign(new Error("connect"), { code: "ECONNREFUSED" });
    expect(translateError(new AggregateError([refused, refused])).code).toBe("STORE_UNREACHABLE");
  });

  it("J5: lets a MemoryError pass as it is", () => {
    const error = translateError(new Error("native"));
    expect(translateError(error)).toBe(error);
  });

  it("J5: a read is tried once more where its connection broke, or was ended for being idle", () => {
    const cut = (code: string) => isCut(Object.assign(new Error("native"), { code }));
    const codes = ["EPIPE", "ECONNRESET", "57P01", "57P05", "25P03", "08006", "42P01", "57014"];
    expect(codes.filter(cut)).toEqual(["EPIPE", "ECONNRESET", "57P01", "57P05", "25P03", "08006"]);
  });

  it("J10: tries again what other writers got in the way of, and nothing else", () => {
    const codes = ["40001", "40P01", "23505", "57P01", "42P01"];
    expect(codes.filter((code) => isContention({ code }))).toEqual(["40001", "40P01", "23505"]);
  });
});
