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
    await Promise.all(engine.factWriters.values());
    expect(engine.factWriters.size).toBe(0);
  });

  it("E1/E5: whose turn doesn't come in time is told so and isn't written later; one that hangs holds nobody up for ever", async () => {
    vi.useFakeTimers();
    const engine = { factWriters: new Map<string, Promise<void>>(), writeTimeoutMs: 10_000 };
    const { promise: until, resolve: go } = Promise.withResolvers<void>();
    const written: string[] = [];
    const take = (what: string, write = async () => {}, signal?: AbortSignal) =>
      takeTurns(engine, ownerOf("ana"), () => write().then(() => void written.push(what)), signal);
    const hung = take("hung", () => until);
    const ends = new AbortController();
    const stopped = expect(take("stopped", undefined, ends.signal)).rejects.toMatchObject({ code: "ABORTED" });
    ends.abort();
    await stopped;
    await vi.advanceTimersByTimeAsync(1);
    const next = take("next", () => until);
    await vi.advanceTimersByTimeAsync(1);
    const late = expect(take("late")).rejects.toMatchObject({ code: "TIMEOUT" });
    // The first one's time ends as the next one's turn comes, which hangs as well.
    await vi.advanceTimersByTimeAsync(10_000);
    await late;
    const soon = take("soon");
    await vi.advanceTimersByTimeAsync(9_900);
    expect(written).toEqual([]);
    await vi.advanceTimersByTimeAsync(100);
    await soon;
    expect(written).toEqual(["soon"]);
    go();
    await Promise.all([hung, next, ...engine.factWriters.values()]);
    expect(written).toEqual(["soon", "hung", "next"]);
    expect(engine.factWriters.size).toBe(0);
  });
});
