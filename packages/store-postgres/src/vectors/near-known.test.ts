import { VectorArenas } from "@throughline/core/store-kit";
import { expect, it } from "vitest";
import { emptySet, type KnownSet, nextSet } from "./known-set.ts";
import type { NearChanges } from "./near-changes.ts";
import { nearestOf } from "./near-known.ts";

const MODEL = { modelId: "m", dimensions: 2 };
const place = { conversation: "c", turn: "t", position: 0, role: "user", subject: "ann", createdAt: "" } as const;

/** A set behind another, of vectors by their stamps. */
function after(set: KnownSet, written: Readonly<Record<number, readonly [number, number]>>): KnownSet {
  const rows = Object.entries(written).map(([stamp, numbers]) => ({
    stamp: BigInt(stamp),
    known: { ...place, seq: Number(stamp), message: `m${stamp}`, vector: Float32Array.of(...numbers) },
  }));
  const changes: NearChanges = {
    count: set.count + rows.length,
    stamps: rows.reduce((all, { stamp }) => all ^ stamp, set.stamps),
    written: rows,
  };
  const next = nextSet(set, changes);
  if (next === null) throw new Error("What there is is all that was written.");
  return next;
}

it("J3: a search compares what its snapshot has, not what another one had in that place and was erased since", () => {
  const set = after(emptySet(new VectorArenas(0).apart(2, 0)), { 1: [0.6, 0.8] });
  const query = { model: MODEL, vector: Float32Array.of(1, 0), floor: 0.5, limit: 2 };
  const earlier = after(set, { 3: [0, 1] });
  const later = after(set, { 4: [1, 0] });
  const found = [earlier, later].map((one) => nearestOf(one, query).map(({ message }) => message));
  expect(found).toEqual([["m1"], ["m4", "m1"]]);
});
