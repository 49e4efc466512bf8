import { describe, expect, it } from "vitest";
import type { Fact } from "../contract/fact.ts";
import { removeFacts, withHistory } from "./remove-facts.ts";
import { settleSlot, withDisputes } from "./settle-slots.ts";

const at = (minute: number): string => new Date(Date.UTC(2026, 2, 1, 9, minute)).toISOString();
const fact = (id: string, minute: number, more: Partial<Fact> = {}): Fact => ({
  id,
  key: "city",
  value: id,
  type: "fact",
  tags: [],
  scope: "user",
  author: "agent",
  origin: "assistant",
  createdAt: at(minute),
  updatedAt: at(minute),
  validFrom: at(minute),
  version: 1,
  ...more,
});
const user = { author: "user", origin: "user" } as const;
const shape = (facts: readonly Fact[]) =>
  facts.map(({ id, disputedWith, supersededBy }) => [id, disputedWith ?? null, supersededBy ?? null]);

describe("slots", () => {
  it("G12: one fact holds a slot; a later claim of lower origin is disputed, an earlier one superseded", () => {
    const slot = [fact("early", 1), fact("said", 2, user), fact("late", 3)];
    expect(shape(settleSlot(slot, at(9)))).toEqual([
      ["early", null, "said"],
      ["said", null, null],
      ["late", "said", null],
    ]);
    const settled = settleSlot([fact("said", 2, user), fact("late", 3, { disputedWith: "said" })], at(9));
    expect(settled.map(({ version }) => version)).toEqual([1, 1]);
  });

  it("G12: of two claims whose holder is gone the newer one holds the slot", () => {
    const slot = [fact("one", 2, { disputedWith: "gone" }), fact("two", 3, { disputedWith: "gone" })];
    expect(shape(settleSlot(slot, at(9)))).toEqual([
      ["one", "two", null],
      ["two", null, null],
    ]);
    expect(withDisputes(slot, true)).toMatchObject([{ disputedWith: "two" }, { disputedBy: ["one"] }]);
    // What wasn't read may be live.
    expect(withDisputes(slot, false).map(({ disputedWith }) => disputedWith)).toEqual(["gone", "gone"]);
  });

  it("G12: both sides of a dispute say so", () => {
    const read = withDisputes([fact("said", 2, user), fact("late", 3, { disputedWith: "said" })], true);
    expect(read).toMatchObject([{ disputedBy: ["late"] }, { disputedWith: "said" }]);
  });
});

describe("removing facts", () => {
  it("G13: what a fact replaced is live again, and what disputed it disputes that one", () => {
    const before = fact("before", 1, { ...user, validTo: at(2), supersededBy: "gone" });
    const all = [before, fact("gone", 2, user), fact("claim", 3, { disputedWith: "gone" })];
    const { put, erase } = removeFacts(all, new Set(["gone"]), at(9));
    expect(erase).toEqual(["gone"]);
    expect(shape(put)).toEqual([
      ["before", null, null],
      ["claim", "before", null],
    ]);
  });

  it("G3: what may not return goes as well, and what it had replaced is asked next", () => {
    const all = [
      fact("first", 1, { validTo: at(2), supersededBy: "second" }),
      fact("second", 2, { validTo: at(3), supersededBy: "third" }),
      fact("third", 3),
    ];
    const { put, erase } = removeFacts(all, new Set(["third"]), at(9), (older) => older.id !== "second");
    expect(erase).toEqual(["third", "second"]);
    expect(shape(put)).toEqual([["first", null, null]]);
  });

  it("F8: the history of many facts is found in one go", () => {
    const all = Array.from({ length: 20_000 }, (_, index) => fact(`f${index}`, 1, { supersededBy: `f${index + 1}` }));
    expect(withHistory(all, [fact("f20000", 1)]).size).toBe(20_001);
  });
});
