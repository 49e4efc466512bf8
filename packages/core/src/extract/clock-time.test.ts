import fc from "fast-check";
import { expect, it } from "vitest";
import { localDate, startOfDay } from "./clock-time.ts";

it("X7: a day begins at the first moment that is that day in its zone, also where clocks are changed", () => {
  const day = fc
    .date({ min: new Date("1990-01-01T00:00:00Z"), max: new Date("2037-12-31T00:00:00Z"), noInvalidDate: true })
    .map((date) => date.toISOString().slice(0, 10));
  const zone = fc.constantFrom(
    "UTC",
    "Europe/Berlin",
    "America/Los_Angeles",
    "Pacific/Auckland",
    "Asia/Kathmandu",
    "America/Sao_Paulo",
    "Pacific/Honolulu",
    "America/Santiago",
    "Africa/Cairo",
  );
  fc.assert(
    fc.property(day, zone, (date, timeZone) => {
      const start = startOfDay(date, timeZone);
      expect(localDate(start, timeZone)).toBe(date);
      expect(localDate(new Date(Date.parse(start) - 1).toISOString(), timeZone) < date).toBe(true);
    }),
  );
  expect(startOfDay("2026-03-29", "Europe/Berlin")).toBe("2026-03-28T23:00:00.000Z");
  expect(startOfDay("2026-03-30", "Europe/Berlin")).toBe("2026-03-29T22:00:00.000Z");
  // There the clocks are put forward at midnight.
  expect(startOfDay("2026-09-06", "America/Santiago")).toBe("2026-09-06T04:00:00.000Z");
});
