import fc from "fast-check";
import { expect, it } from "vitest";
import type { Role } from "../contract/message.ts";
import { meaningAround } from "./meaning-around.ts";
import { WEIGHTS } from "./weights.ts";

const FLOOR = 0.3;
const [firstBefore = 0, secondBefore = 0] = WEIGHTS.semanticAround.before;
const [firstBehind = 0] = WEIGHTS.semanticAround.behind;

interface Said {
  seq: number;
  score: number;
  role?: Role;
  conversation?: string;
  position?: number;
}

const near = ({ seq, score, role = "user", conversation = "c", position = 0 }: Said) => ({
  place: {
    conversation,
    turn: `t${seq}`,
    seq,
    position,
    message: `m${seq}-${position}`,
    role,
    createdAt: "2026-01-01T00:00:00.000Z",
  },
  score,
});
const scoreOf = (said: Said[], seq: number, conversation = "c") =>
  meaningAround(said.map(near), FLOOR).find(({ place }) => place.seq === seq && place.conversation === conversation)
    ?.score;

it("S1: a message among others that are near stands ahead of one as near that stands alone", () => {
  const found = meaningAround(
    [
      { seq: 10, score: 0.6 },
      { seq: 19, score: 0.5 },
      { seq: 20, score: 0.6 },
      { seq: 21, score: 0.5 },
    ].map(near),
    FLOOR,
  );
  const order = found.map(({ place }) => place.seq);
  expect(order.indexOf(20)).toBeLessThan(order.indexOf(10));
});

it("S1: the turns before and behind count by their share of what could stand there", () => {
  const whole = 1 + firstBefore + secondBefore + firstBehind;
  const said: Said[] = [
    { seq: 8, score: 0.5 },
    { seq: 9, score: 0.4 },
    { seq: 10, score: 0.6 },
    { seq: 11, score: 0.7 },
  ];
  expect(scoreOf(said, 10)).toBeCloseTo(
    FLOOR + (0.3 + firstBefore * 0.1 + secondBefore * 0.2 + firstBehind * 0.4) / whole,
    9,
  );
  // Nothing can stand before the first turn.
  expect(scoreOf([{ seq: 1, score: 0.6 }], 1)).toBeCloseTo(FLOOR + 0.3 / (1 + firstBehind), 9);
  expect(scoreOf([{ seq: 2, score: 0.6 }], 2)).toBeCloseTo(FLOOR + 0.3 / (1 + firstBefore + firstBehind), 9);
});

it("S1: nothing of another conversation, and none of an assistant's or a tool's words, counts around a person's", () => {
  const alone = scoreOf([{ seq: 10, score: 0.6 }], 10);
  for (const other of [{ conversation: "d" }, { role: "assistant" }, { role: "tool" }] as const) {
    expect(
      scoreOf(
        [
          { seq: 10, score: 0.6 },
          { seq: 9, score: 0.9, ...other },
          { seq: 11, score: 0.9, ...other },
        ],
        10,
      ),
    ).toBe(alone);
  }
});

it("S1: an assistant's words count as among words, a tool's as they are", () => {
  expect(scoreOf([{ seq: 3, score: 0.8, role: "assistant" }], 3)).toBeCloseTo(FLOOR + WEIGHTS.assistant * 0.5, 9);
  expect(scoreOf([{ seq: 3, score: 0.8, role: "tool" }], 3)).toBe(FLOOR + (0.8 - FLOOR));
});

it("S1: the same messages, best first, none below the floor or above the nearest, in whatever order they come", () => {
  const said = fc.uniqueArray(
    fc.record({
      seq: fc.integer({ min: 1, max: 12 }),
      position: fc.integer({ min: 0, max: 2 }),
      conversation: fc.constantFrom("c", "d", "1:c"),
      role: fc.constantFrom<Role>("user", "assistant", "tool"),
      score: fc.double({ min: FLOOR, max: 1, noNaN: true }),
    }),
    { selector: ({ seq, position, conversation }) => JSON.stringify([conversation, seq, position]), minLength: 1 },
  );
  fc.assert(
    fc.property(said, (list) => {
      const given = list.map(near).sort((left, right) => right.score - left.score);
      const found = meaningAround(given, FLOOR);
      expect(new Set(found.map(({ place }) => place))).toEqual(new Set(given.map(({ place }) => place)));
      const scores = found.map(({ score }) => score);
      expect(scores).toEqual([...scores].sort((left, right) => right - left));
      expect(Math.min(...scores)).toBeGreaterThanOrEqual(FLOOR - 1e-9);
      expect(Math.max(...scores)).toBeLessThanOrEqual((given[0]?.score ?? 0) + 1e-9);
      const turned = new Map(meaningAround(given.toReversed(), FLOOR).map(({ place, score }) => [place, score]));
      for (const { place, score } of found) expect(turned.get(place)).toBe(score);
    }),
  );
});
