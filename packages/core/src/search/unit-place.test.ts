import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  decodePlace,
  encodePlace,
  LAST_SLOT,
  MOST_LEFT,
  restOf,
  seqOf,
  stepsApart,
  type UnitPlace,
  VOICES,
  voiceNamed,
} from "./unit-place.ts";

/** Of two in their order. */
function apart(one: UnitPlace, other: UnitPlace): number {
  const [first = 0, second = 0] = [encodePlace(one), encodePlace(other)].sort((left, right) => left - right);
  return stepsApart(seqOf(first), restOf(first), seqOf(second), restOf(second));
}

const speakers = fc.oneof(
  fc.record({ role: fc.constant("user" as const), voice: fc.integer({ min: 0, max: VOICES }) }),
  fc.record({ role: fc.constantFrom("assistant" as const, "tool" as const, "system" as const), voice: fc.constant(0) }),
);
const rests = fc.record({
  seq: fc.integer({ min: 0, max: 2 ** 31 }),
  slot: fc.integer({ min: 0, max: LAST_SLOT }),
  asks: fc.boolean(),
  left: fc.integer({ min: 0, max: MOST_LEFT }),
});
const places = fc.tuple(rests, speakers).map(([rest, speaker]): UnitPlace => ({ ...rest, ...speaker }));

describe("places of pieces", () => {
  it("S1: are one number that says everything again", () => {
    fc.assert(
      fc.property(places, (place) => {
        expect(decodePlace(encodePlace(place))).toEqual(place);
      }),
    );
  });

  it("S1: ascend with turns and pieces", () => {
    fc.assert(
      fc.property(places, places, (one, other) => {
        if (one.seq === other.seq && one.slot === other.slot) return;
        const isBefore = one.seq < other.seq || (one.seq === other.seq && one.slot < other.slot);
        expect(encodePlace(one) < encodePlace(other)).toBe(isBefore);
      }),
    );
  });

  it("S1: are never in one spot, and those of one turn as far apart one way as the other", () => {
    fc.assert(
      fc.property(places, places, (one, other) => {
        if (one.seq !== other.seq || one.slot !== other.slot) expect(apart(one, other)).toBeGreaterThan(0);
        const beside = { ...other, seq: one.seq };
        const [first, second] = [encodePlace(one), encodePlace(beside)];
        expect(stepsApart(one.seq, restOf(first), one.seq, restOf(second))).toBe(
          stepsApart(one.seq, restOf(second), one.seq, restOf(first)),
        );
      }),
    );
  });

  it("S1: a turn's last piece is next to the next turn's first", () => {
    const user: UnitPlace = { seq: 4, slot: 0, role: "user", voice: 0, asks: false, left: 1 };
    const answer: UnitPlace = { ...user, slot: 1, role: "assistant", left: 0 };
    expect(apart(answer, { ...user, seq: 5 })).toBe(1);
    expect(apart(user, { ...user, seq: 5 })).toBe(2);
    expect(apart({ ...user, left: 2 }, { ...user, seq: 5 })).toBe(3);
    expect(apart(user, { ...user, seq: 5, slot: 2 })).toBe(4);
  });

  it("S1: of a long turn it is known that the next one is far", () => {
    const place: UnitPlace = { seq: 1, slot: 0, role: "user", voice: 0, asks: false, left: 40 };
    expect(decodePlace(encodePlace(place)).left).toBe(MOST_LEFT);
    expect(apart(place, { ...place, seq: 2 })).toBe(1 + MOST_LEFT);
  });

  it("S1: pieces behind the last that is told apart share its place", () => {
    const place: UnitPlace = { seq: 1, slot: 500, role: "user", voice: 0, asks: false, left: 0 };
    expect(decodePlace(encodePlace(place)).slot).toBe(LAST_SLOT);
  });

  it("S1/S5: a name is one voice however it is written, and no name is none", () => {
    for (const name of [undefined, "", "  "]) expect(voiceNamed(name)).toBe(0);
    expect(voiceNamed("José")).toBe(voiceNamed("jose\u0301"));
    fc.assert(
      fc.property(fc.string({ minLength: 1, unit: "grapheme" }), (name) => {
        const voice = voiceNamed(name);
        expect(Number.isInteger(voice) && voice >= 0 && voice <= VOICES).toBe(true);
        expect(voiceNamed(name)).toBe(voice);
      }),
    );
    const names = ["Ann", "Bob", "Cy", "Dee", "Eve", "Fay", "Gus", "Hal"];
    expect(new Set(names.map(voiceNamed)).size).toBeGreaterThan(4);
  });
});
