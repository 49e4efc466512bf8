import { describe, expect, it } from "vitest";
import { dateTerms, isDateTerm, termsOfDate, termsOfWritten } from "./date-terms.ts";
import { extractTerms } from "./terms.ts";
import { writtenDates } from "./written-dates.ts";

const datesIn = (text: string): string[] => [
  ...new Set(writtenDates(text, { languages: [], zone: "UTC" }).flatMap(termsOfWritten)),
];

const day = dateTerms("2023-05-08T10:00:00.000Z");
const [year, month] = day;

describe("times as words", () => {
  it.each([
    ["What did we do on 8 May 2023?", day],
    ["what happened on May 8th, 2023", day],
    ["the 8th of May in 2023", day],
    ["2023-05-08", day],
    ["in May 2023", [month, year]],
    ["In May we met", [month]],
    ["während Mai 2023", [month, year]],
    ["am 8. Mai", [month, day[2]]],
    ["le 8 mai 2023", day],
    ["el 8 de mayo de 2023", day],
    ["8 мая 2023", day],
    ["5月8日去了哪里", [month, day[2]]],
    ["在5月8号", [month, day[2]]],
  ])("S5: are found in %s", (text, terms) => {
    expect(datesIn(text).toSorted()).toEqual([...terms].toSorted());
  });

  it.each(["may I ask", "they march on", "room 2023x", "I ate 8 eggs", "", "version 1.5.8"])(
    "S5: aren't seen in %s",
    (text) => {
      expect(datesIn(text)).toEqual([]);
    },
  );

  it("S5: are no words of any text", () => {
    expect(day.every(isDateTerm)).toBe(true);
    expect(extractTerms(day.join(" ")).some(isDateTerm)).toBe(false);
    expect(dateTerms("not a time")).toEqual([]);
  });

  it("X7: cover the days of a phrase", () => {
    expect(termsOfDate("2023-05-08")).toEqual(day);
    expect(termsOfDate("2023-05")).toEqual([year, month]);
    expect(termsOfDate("2023")).toEqual([year]);
    expect(termsOfDate("2023-05-08/2023-05-14")).toHaveLength(2 + 7);
  });
});
