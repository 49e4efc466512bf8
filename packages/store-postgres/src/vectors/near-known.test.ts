import { VectorArenas } from "@throughline/core/store-kit";
import { expect, it } from "vitest";
import { setAfter } from "../../test/support/set-after.ts";
import { qualify, Session } from "../session.ts";
import { emptySet, type KnownSet } from "./known-set.ts";
import { KnownVectors } from "./known-vectors.ts";
import type { NearChanges } from "./near-changes.ts";
import { nearestOf, nearKnown } from "./near-known.ts";

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
  const next = setAfter(set, changes);
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

it("J8: vectors are brought with pauses: nothing else waits for long", async () => {
  const count = 1_000;
  const bytes = Buffer.from(Float32Array.of(0.6, 0.8).buffer).toString("base64");
  const rows = Array.from({ length: count }, (_, at) =>
    [at + 1, "c", "t", at + 1, 0, `m${at}`, "user", "", bytes].join("\x1f"),
  );
  const stamps = rows.reduce((all, _, at) => all ^ BigInt(at + 1), 0n);
  const answer = [[count, stamps, "f"].join("\x1f"), ...rows].join("\x1e");
  const session = new Session(async () => [{ answer }], qualify("throughline"), undefined);
  const vectors = new KnownVectors(64_000_000);
  const query = { model: MODEL, vector: Float32Array.of(1, 0), floor: 0.5, limit: 2 };
  const search = () =>
    nearKnown(session, { vectors, rowLevelSecurity: false }, { tenant: "a", agent: "b" }, "ann", query);
  expect([await search(), await search()]).toEqual([null, null]);
  let turns = 0;
  const tick = (): void => {
    turns++;
    timer = setImmediate(tick);
  };
  let timer = setImmediate(tick);
  const found = await search();
  clearImmediate(timer);
  expect(found).toHaveLength(2);
  expect(turns).toBeGreaterThan(25);
});
