import { describe, expect, it, vi } from "vitest";
import { MemoryError } from "../errors/memory-error.ts";
import { asMemoryError } from "./as-memory-error.ts";
import { createReport } from "./create-report.ts";

describe("B3: what a host would swallow", () => {
  it("reaches the app's handler as a MemoryError, and the handler's own throw goes nowhere", () => {
    const codes: string[] = [];
    const report = createReport(({ code }) => {
      codes.push(code);
      throw new Error("of the handler");
    });
    report(new MemoryError("TURN_ENDED", "over"));
    report({ status: "refused", code: "VALUE_TOO_LARGE" });
    report(new Error("a driver's own"));
    expect(codes).toEqual(["TURN_ENDED", "VALUE_TOO_LARGE", "STORE_FAILED"]);
  });

  it("is printed without a handler, except what an event has told already", () => {
    const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
    const report = createReport(undefined);
    report({ status: "failed", code: "STORE_BUSY" });
    expect(warn).not.toHaveBeenCalled();
    report({ status: "refused", code: "TURN_ENDED", reason: "It had ended." });
    expect(warn).toHaveBeenCalledExactlyOnceWith("throughline: It had ended.");
    warn.mockRestore();
  });

  it("keeps the cause, the reason and whether to try again", () => {
    const cause = new Error("x");
    expect(asMemoryError(cause)).toMatchObject({ code: "STORE_FAILED", cause });
    expect(asMemoryError(null)).toMatchObject({ code: "STORE_FAILED" });
    expect(asMemoryError({ status: "failed", code: "STORE_BUSY", reason: "locked", retryable: false })).toMatchObject({
      code: "STORE_BUSY",
      message: "locked",
      retryable: false,
    });
    expect(asMemoryError({ status: "refused", code: "SOMETHING_NEW" })).toMatchObject({ code: "STORE_FAILED" });
  });
});
