import fc from "fast-check";
import { expect, it } from "vitest";
import { timeOf } from "./time-of.ts";

const slow = (iso: string): number => {
  const time = Date.parse(iso);
  return Number.isNaN(time) || new Date(time).toISOString() !== iso ? Number.NaN : time;
};

it("Z7/S2: a time counts as a number exactly where it is written as dates write themselves", () => {
  const two = (max: number) => fc.integer({ min: 0, max }).map((value) => String(value).padStart(2, "0"));
  const near = fc
    .tuple(
      fc.integer({ min: 0, max: 9999 }),
      two(13),
      two(32),
      two(25),
      two(61),
      two(61),
      fc.constantFrom("Z", "", "z", "+00:00"),
    )
    .map(
      ([year, month, day, hour, minute, second, zone]) =>
        `${String(year).padStart(4, "0")}-${month}-${day}T${hour}:${minute}:${second}.000${zone}`,
    );
  const any = fc.date({ noInvalidDate: true }).map((date) => date.toISOString());
  fc.assert(
    fc.property(fc.oneof(near, any, fc.string()), (iso) => {
      expect(timeOf(iso)).toBe(slow(iso));
    }),
    { numRuns: 3_000 },
  );
  expect(timeOf("2026-02-28T23:59:59.999Z")).toBe(Date.UTC(2026, 1, 28, 23, 59, 59, 999));
  for (const odd of ["2026-02-30T00:00:00.000Z", "2026-01-01T24:00:00.000Z", "2026-01-01"])
    expect(timeOf(odd)).toBeNaN();
});
