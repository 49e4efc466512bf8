import { afterEach, describe, expect, it, vi } from "vitest";
import type { FactOwner } from "../contract/owner.ts";
import { takeTurns } from "./take-turns.ts";

const ownerOf = (id: string): FactOwner => ({ tenant: "t", agent: "a", scope: "user", id });

afterEach(() => vi.useRealTimers());

describe("takeTurns", () => {
  it("F12: writes of one owner come one after the other, also behind one that failed, and others' beside them", async () => {
    const engine = { factWriters: new Map<string, Promise<void>>(), writeTimeoutMs: 10_000 };
    const { promise: until, resolve: go } = Promise.withResolvers<void>();
    const written: string[] = [];
    const write = (what: string) => async () => void written.push(what);
    const first = takeTurns(engine, ownerOf("ana"), async () => {
      await until;
      written.push("first");
      throw new Error("full");
    });
    const second = takeTurns(engine, ownerOf("ana"), write("second"));
    await takeTurns(engine, ownerOf("bob"), write("bob"));
    expect(written).toEqual(["bob"]);
    go();
    await expect(first).rejects.toThrow("full");
    await second;
    expect(written).toEqual(["bob", "first", "second"]);
    expect(engine.factWriters.size).toBe(0);
  });

  it("E1: whose turn comes after the time of a write is told so, and isn't written later", async () => {
    vi.useFakeTimers();
    const engine = { factWriters: new Map<string, Promise<void>>(), writeTimeoutMs: 10_000 };
    const { promise: until, resolve: go } = Promise.withResolvers<void>();
    const written: string[] = [];
    const first = takeTurns(engine, ownerOf("ana"), () => until);
    const late = takeTurns(engine, ownerOf("ana"), async () => void written.push("late"));
    await vi.advanceTimersByTimeAsync(10_001);
    const soon = takeTurns(engine, ownerOf("ana"), async () => void written.push("soon"));
    go();
    await first;
    await expect(late).rejects.toMatchObject({ code: "TIMEOUT" });
    await soon;
    expect(written).toEqual(["soon"]);
  });
});
