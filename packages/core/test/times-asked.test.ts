import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { queryTimes } from "../src/search/query-times.ts";
import { type AskedTime, TIMES_ASKED } from "./times-asked.ts";

/** A Friday. */
const NOW = "2026-11-20T13:00:00.000Z";

const dates = { resolver: null };
const timesOf = (question: string, at = NOW, timeZone = "UTC") =>
  queryTimes({ dates, options: { timeZone }, now: () => at }, question);

/** The days that a question of nothing but a time is narrowed to, the end exclusive. */
async function daysOf(question: string): Promise<AskedTime[2]> {
  const { isOfTime, period } = await timesOf(question);
  return isOfTime && period !== undefined ? [period.from.slice(0, 10), period.to.slice(0, 10)] : null;
}

describe("S2/X7: the times of a question", () => {
  it.each(TIMES_ASKED)("in %s, %j is %j on Friday, 20 November 2026", async (_, question, days) => {
    expect(await daysOf(question)).toEqual(days);
  });

  it("counts as terms where other words are asked for", async () => {
    for (const question of ["Which opera did we see on Sunday?", "Who baked the bread on 15 November 2026?"]) {
      const { isOfTime, period, terms, rest } = await timesOf(question);
      expect({ isOfTime, from: period?.from.slice(0, 10) }).toEqual({ isOfTime: false, from: "2026-11-15" });
      expect(terms).toHaveLength(3);
      // Who tells of that day may name it.
      expect(rest).toBe(question);
    }
    expect((await timesOf("Who baked the bread yesterday?")).rest).not.toContain("yesterday");
    expect((await timesOf("Who has Sunday shoes?")).terms).toEqual([]);
  });

  it("isn't on a day whose date can't be told, nor in a year that may be a name", async () => {
    for (const question of ["08/05/2026", "What did you say of 1984?"]) {
      expect((await timesOf(question)).isOfTime).toBe(false);
    }
  });

  it("is no date across the end of a sentence, a line or a quotation", async () => {
    for (const between of ["? ", ". ", "! ", "\n", ": ", " (", '" ']) {
      const { period, terms } = await timesOf(`What happened in May${between}5 of us were there`);
      expect([period?.from.slice(0, 10), period?.to.slice(0, 10), terms.length]).toEqual([
        "2026-05-01",
        "2026-06-01",
        1,
      ]);
    }
    expect((await timesOf('What does "yesterday" mean? And "5 May"?')).period).toBeUndefined();
  });

  const ZONES = [
    "UTC",
    "America/Los_Angeles",
    "Asia/Tokyo",
    "Europe/Berlin",
    "Pacific/Kiritimati",
    "Pacific/Pago_Pago",
    "Australia/Lord_Howe",
    "Asia/Kathmandu",
    // The clocks are put forward at midnight.
    "America/Santiago",
    "America/Havana",
    "Africa/Cairo",
    "Asia/Beirut",
  ];
  const LANGUAGES = "en de fr es pt it nl sv pl tr ru uk el ar he hi ja zh ko".split(" ");
  const two = (number: number): string => String(number).padStart(2, "0");
  const day = fc
    .integer({ min: Date.UTC(2016, 0) / 86_400_000, max: Date.UTC(2026, 10, 19) / 86_400_000 })
    .map((days) => new Date(days * 86_400_000));
  const form = fc.constantFrom<(date: Date) => string>(
    ...LANGUAGES.map((language) => (date: Date) => {
      const format = new Intl.DateTimeFormat(`${language}-u-ca-gregory-nu-latn`, {
        dateStyle: "long",
        timeZone: "UTC",
      });
      return format.format(date);
    }),
    (date) => date.toISOString().slice(0, 10),
    (date) => `${date.getUTCFullYear()}/${date.getUTCMonth() + 1}/${date.getUTCDate()}`,
    (date) => `Was war am ${date.getUTCDate()}.${date.getUTCMonth() + 1}.${date.getUTCFullYear()}?`,
    (date) => `${two(date.getUTCDate())}.${two(date.getUTCMonth() + 1)}.${date.getUTCFullYear()}`,
    (date) => `¿Qué hicimos el ${two(date.getUTCDate())}/${two(date.getUTCMonth() + 1)}/${date.getUTCFullYear()}?`,
    (date) => `What did we do on the ${date.getUTCDate()}th of ${nameOf(date)}, ${date.getUTCFullYear()}?`,
    (date) => `What happened on ${nameOf(date)} ${date.getUTCDate()}, ${date.getUTCFullYear()}?`,
  );
  const nameOf = (date: Date): string => new Intl.DateTimeFormat("en", { month: "long", timeZone: "UTC" }).format(date);
  /** The day of a moment, told by other means than the library's. */
  const dayIn = (at: number, timeZone: string): string =>
    new Intl.DateTimeFormat("sv", { timeZone, dateStyle: "short" }).format(at);

  it("S2/X7: any day, in any form, is exactly that day in any zone", async () => {
    await fc.assert(
      fc.asyncProperty(day, form, fc.constantFrom(...ZONES), async (date, written, zone) => {
        const { isOfTime, period } = await timesOf(written(date), NOW, zone);
        expect(isOfTime, written(date)).toBe(true);
        const [from, to] = [Date.parse(period?.from ?? ""), Date.parse(period?.to ?? "")];
        const name = date.toISOString().slice(0, 10);
        expect([from - 1, from, to - 1, to].map((at) => dayIn(at, zone) === name)).toEqual([false, true, true, false]);
      }),
      { numRuns: 600 },
    );
  });

  it("S2/X7: any day without its year is the last one that has begun", async () => {
    const back = fc.integer({ min: 0, max: 364 });
    await fc.assert(
      fc.asyncProperty(back, fc.constantFrom(...ZONES), async (days, zone) => {
        const today = Date.parse(dayIn(Date.parse(NOW), zone));
        const date = new Date(today - days * 86_400_000);
        const { period } = await timesOf(`What happened on ${nameOf(date)} ${date.getUTCDate()}?`, NOW, zone);
        expect(dayIn(Date.parse(period?.from ?? ""), zone)).toBe(date.toISOString().slice(0, 10));
      }),
      { numRuns: 200 },
    );
  });
});
