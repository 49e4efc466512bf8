import { describe, expect, it } from "vitest";
import { setAfter } from "../../test/support/set-after.ts";
import type { KnownSet } from "./known-set.ts";
import { type KnownSubject, KnownVectors } from "./known-vectors.ts";

const MODEL = { modelId: "m", dimensions: 100 };
/** What a vector of so many dimensions takes. */
const BYTES = 1_200;
const owner = (tenant: string) => ({ tenant, agent: "helper" });

/** Keeps so many vectors of a subject. */
function keep(vectors: KnownVectors, subject: string, count: number, tenant = "acme"): KnownSubject {
  const known = vectors.use(owner(tenant), subject, MODEL);
  const place = { conversation: "c", turn: "t", position: 0, message: "m", role: "user", createdAt: "" } as const;
  const written = Array.from({ length: count }, (_, index) => ({
    stamp: BigInt(index + 1),
    known: { ...place, seq: index, subject, vector: new Float32Array(MODEL.dimensions).fill(1) },
  }));
  const stamps = written.reduce((all, { stamp }) => all ^ stamp, 0n);
  const set = setAfter(vectors.begin(MODEL), { count, stamps, written });
  vectors.replace(known, known.set, set ?? undefined);
  return known;
}

describe("vectors kept in memory", () => {
  it("J8: those that weren't searched longest go where there is no more room", () => {
    const vectors = new KnownVectors(30 * BYTES);
    const [ann, bob] = [keep(vectors, "ann", 10), keep(vectors, "bob", 10)];
    vectors.use(owner("acme"), "ann", MODEL);
    const cid = keep(vectors, "cid", 10);
    expect([ann, bob, cid].map(({ set }) => set?.count)).toEqual([10, undefined, 10]);
    expect(bob.bytes).toBe(0);
  });

  it("J8: no subject has more than a quarter of the room, nor more than can be brought at once", () => {
    expect(new KnownVectors(40 * BYTES).mostOf(MODEL.dimensions)).toBe(10);
    expect(new KnownVectors(0).mostOf(MODEL.dimensions)).toBe(0);
    // Which come as one text.
    expect(new KnownVectors(2 ** 40).mostOf(1_536) * 1_536 * 6).toBeLessThan(128 * 1024 * 1024);
  });

  it("J3: what is erased of a tenant leaves nothing of that tenant, and all of others", () => {
    const vectors = new KnownVectors(100 * BYTES);
    const [own, alike, other] = ["acme", "acme2", "other"].map((tenant) => keep(vectors, "ann", 3, tenant));
    vectors.forget("acme");
    expect([own, alike, other].map((known) => known?.set?.count)).toEqual([undefined, 3, 3]);
    expect(vectors.use(owner("acme"), "ann", MODEL)).not.toBe(own);
  });

  it("J8: what a search brought is kept only where nothing came between, and gives its memory back otherwise", () => {
    const vectors = new KnownVectors(100 * BYTES);
    const known = keep(vectors, "ann", 3);
    const kept = known.set as KnownSet;
    const late = setAfter(vectors.begin(MODEL), { count: 0, stamps: 0n, written: [] }) as KnownSet;
    vectors.replace(known, undefined, late);
    expect(known.set).toBe(kept);
    vectors.replace(known, kept, undefined);
    expect([known.set, known.searches, kept.arena.count]).toEqual([undefined, 0, 0]);
    vectors.forget("acme");
    // Forgotten while its search was under way.
    const again = setAfter(vectors.begin(MODEL), {
      count: 1,
      stamps: 1n,
      written: [{ stamp: 1n, known: kept.known[0] as (typeof kept.known)[number] }],
    }) as KnownSet;
    vectors.replace(known, undefined, again);
    expect([known.set, again.arena.count]).toEqual([undefined, 0]);
  });
});
