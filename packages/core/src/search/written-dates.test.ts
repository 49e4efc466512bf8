import { describe, expect, it } from "vitest";
import { monthNamed } from "./month-names.ts";
import { writtenDates } from "./written-dates.ts";

/** As `year-month-day`, `?` for what isn't said; two readings of one date with `or` between them. */
const read = (text: string, languages: string[] = [], zone = "UTC"): string =>
  writtenDates(text, { languages, zone })
    .map(({ year = "?", month = "?", day = "?" }) => `${year}-${month}-${day}`)
    .join(" or ");

describe("S5: dates as they are written", () => {
  it.each([
    ["What happened on May 7th?", "?-5-7"],
    ["8 May 2026", "2026-5-8"],
    ["the 8th of May, 2026", "2026-5-8"],
    ["May the 8th 2026", "2026-5-8"],
    ["2026 May 8", "2026-5-8"],
    ["2026-05-08", "2026-5-8"],
    ["2026-05-08T10:00", "2026-5-8"],
    ["2026/5/8", "2026-5-8"],
    ["2026-05", "2026-5-?"],
    ["08.05.2026", "2026-5-8"],
    ["8. 5. 2026", "2026-5-8"],
    ["am 8.5.", "?-5-8"],
    ["31/12/2026", "2026-12-31"],
    ["12/31/2026", "2026-12-31"],
    ["5/5/2026", "2026-5-5"],
    ["May 2026", "2026-5-?"],
    ["in May", "?-5-?"],
    ["in 2025", "2025-?-?"],
    ["am 8. Mai", "?-5-8"],
    ["le 1er mai 2026", "2026-5-1"],
    ["8 de mayo del 2026", "2026-5-8"],
    ["8 de maio de 2026", "2026-5-8"],
    ["l'8 maggio 2026", "2026-5-8"],
    ["op 8 mei 2026", "2026-5-8"],
    ["den 8 maj 2026", "2026-5-8"],
    ["w maju 2026", "2026-5-?"],
    ["8 maja", "?-5-8"],
    ["8 Mayıs 2026'da", "2026-5-8"],
    ["8 мая 2026 года", "2026-5-8"],
    ["в мае", "?-5-?"],
    ["8 травня 2026", "2026-5-8"],
    ["8 Μαΐου 2026", "2026-5-8"],
    ["8 مايو 2026", "2026-5-8"],
    ["٨ مايو ٢٠٢٦", "2026-5-8"],
    ["ב-8 במאי 2026", "2026-5-8"],
    ["ב-8.5.2026", "2026-5-8"],
    ["8 मई 2026", "2026-5-8"],
    ["2026年5月8日", "2026-5-8"],
    ["二十八日より五月二十八日", "?-5-28"],
    ["十二月十日", "?-12-10"],
    ["5月8号", "?-5-8"],
    ["2026年", "2026-?-?"],
    ["2026년 5월 8일", "2026-5-8"],
    ["２０２６年５月８日", "2026-5-8"],
    ["between 3 May and 7 May", "?-5-3 or ?-5-7"],
    ["29 February", "?-2-29"],
  ])("reads %j as %s", (text, date) => {
    expect(read(text)).toBe(date);
  });

  it.each([
    ["may I ask"],
    ["they march on"],
    ["version 1.5.8"],
    ["192.168.1.1"],
    ["10.0.0.1"],
    ["room 2023x"],
    ["31 February"],
    ["2026-13-01"],
    ["45.5."],
    ["order 1-2-20267"],
    ["+49 30 1234-5678"],
    ["3 days ago"],
    ["2か月前"],
    ["三个月前"],
    ["2026年前"],
    ["half past 8"],
    ["½"],
  ])("sees no date in %j", (text) => {
    expect(read(text)).toBe("");
  });

  it("takes two numbers before a year as the language has them, or whoever lives there", () => {
    const [fifthMonth, eighthMonth, both] = ["2026-5-8", "2026-8-5", "2026-8-5 or 2026-5-8"];
    for (const [languages, zone, date] of [
      [["de"], "UTC", fifthMonth],
      [["es"], "America/Bogota", fifthMonth],
      [["en"], "UTC", eighthMonth],
      [["en"], "America/Los_Angeles", eighthMonth],
      [["en"], "Asia/Tokyo", eighthMonth],
      [["en"], "Europe/London", fifthMonth],
      [["en"], "Asia/Kolkata", fifthMonth],
      [["en"], "Pacific/Auckland", fifthMonth],
      [[], "Europe/Berlin", fifthMonth],
      [[], "UTC", both],
      [[], "America/New_York", both],
    ] as const) {
      expect(read("08/05/2026", [...languages], zone), `${languages} ${zone}`).toBe(date);
      expect(read("8-5-2026", [...languages], zone)).toBe(date);
    }
    expect(writtenDates("08/05/2026", { languages: [], zone: "UTC" }).every(({ isUnsure }) => isUnsure)).toBe(true);
  });

  it("isn't sure that a year by itself is one", () => {
    const unsure = (text: string) =>
      writtenDates(text, { languages: [], zone: "UTC" }).map(({ isUnsure }) => isUnsure === true);
    expect(unsure("who wrote 1984")).toEqual([true]);
    expect(unsure("in 1984")).toEqual([false]);
  });

  it("knows the months that the runtime's dates have, in each of these languages", () => {
    const languages = "en de fr es pt it nl sv pl tr ru uk el ar he hi".split(" ");
    for (const language of languages) {
      for (let month = 1; month <= 12; month++) {
        const date = new Date(Date.UTC(2026, month - 1, 8));
        for (const form of [{ day: "numeric" }, { year: "numeric" }, {}] as const) {
          const format = new Intl.DateTimeFormat(`${language}-u-ca-gregory`, {
            month: "long",
            timeZone: "UTC",
            ...form,
          });
          const name = format.formatToParts(date).find(({ type }) => type === "month")?.value ?? "";
          const word = name.toLowerCase().normalize("NFC");
          expect(monthNamed(word), `${language} ${word}`).toBe(month);
          // And finds them in what the runtime writes.
          const written = writtenDates(format.format(date), { languages: [language], zone: "UTC" });
          if ("day" in form) expect(written, format.format(date)).toMatchObject([{ month, day: 8 }]);
        }
      }
    }
  });

  it("tells where each stands", () => {
    const text = "What was on the 8th of May 2026, and in 2025?";
    const found = writtenDates(text, { languages: ["en"], zone: "UTC" });
    expect(found.map(({ index, length }) => text.slice(index, index + length))).toEqual(["8th of May 2026", "2025"]);
  });
});
