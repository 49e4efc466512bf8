import { VectorArenas } from "@throughline/core/store-kit";
import { describe, expect, it } from "vitest";
import { setAfter } from "../../test/support/set-after.ts";
import { emptySet, type KnownSet } from "./known-set.ts";
import type { KnownVector, NearChanges } from "./near-changes.ts";

const arenas = new VectorArenas(0);

const vectorOf = (stamp: number): KnownVector => ({
  conversation: `c${stamp % 2}`,
  turn: `t${stamp}`,
  seq: stamp,
  position: 0,
  message: `m${stamp}`,
  role: "user",
  subject: "ann",
  createdAt: "2026-01-01T00:00:00.000Z",
  vector: Float32Array.of(stamp, 1),
});

/** What the database says where there are vectors of these stamps, of those behind one. */
const changesOf = (stamps: readonly number[], after: number): NearChanges => ({
  count: stamps.length,
  stamps: stamps.reduce((all, stamp) => all ^ BigInt(stamp), 0n),
  written: stamps.filter((stamp) => stamp > after).map((stamp) => ({ stamp: BigInt(stamp), known: vectorOf(stamp) })),
});

const setOf = (stamps: readonly number[]): KnownSet => {
  const set = setAfter(emptySet(arenas.apart(2, 0)), changesOf(stamps, 0));
  if (set === null) throw new Error("What there is is all that was written.");
  return set;
};

const messages = ({ known, count }: KnownSet) => known.slice(0, count).map(({ message }) => message);

describe("a set of vectors as a snapshot had them", () => {
  it("J8: is what was there and what was written since", () => {
    const set = setOf([1, 2, 5]);
    const next = setAfter(set, changesOf([1, 2, 5, 6, 9], 5));
    expect(next && messages(next)).toEqual(["m1", "m2", "m5", "m6", "m9"]);
    expect(next?.last).toBe(9n);
    expect(setAfter(set, changesOf([1, 2, 5], 5))).toBe(set);
  });

  it.each([
    ["erased", [1, 5]],
    ["erased, and another written", [1, 5, 6]],
    ["written over", [1, 5, 7]],
    ["erased, and one committed late that was written before", [1, 3, 5]],
    ["committed late", [1, 2, 3, 5]],
    ["erased, all", []],
  ] as const)("J3: is told from one where something was %s", (_what, stamps) => {
    expect(setAfter(setOf([1, 2, 5]), changesOf(stamps, 5))).toBeNull();
  });

  it("J3: stays as it is when two searches go on from it", () => {
    const set = setOf([1, 2]);
    const one = setAfter(set, changesOf([1, 2, 3], 2));
    const other = setAfter(set, changesOf([1, 2, 3, 4], 2));
    expect([set, one, other].map((each) => each && messages(each))).toEqual([
      ["m1", "m2"],
      ["m1", "m2", "m3"],
      ["m1", "m2", "m3", "m4"],
    ]);
  });

  it("J8: isn't made of more than was sent", () => {
    expect(setAfter(setOf([1]), { count: 9_000, stamps: 0n, written: null })).toBeNull();
  });
});
