import { describe, expect, it } from "vitest";
import { WORD_LANGUAGES } from "../../src/extract/language.ts";
import { PHRASES_OF } from "../../src/extract/language-phrases.ts";
import { openPhrases } from "../../src/extract/open-phrases.ts";
import { relativePhrases } from "../../src/extract/relative-phrases.ts";
import { DateResolver } from "../../src/extract/resolve-dates.ts";
import { tellingLanguages } from "../../src/extract/telling-words.ts";
import { user } from "../support.ts";
import { DATED_PHRASES, SAID_AT } from "./dated-phrases.ts";
import { extracting, scripted } from "./distillers.ts";

const dates = new DateResolver();
const datesIn = (text: string, at = SAID_AT, zone = "Europe/Lisbon") =>
  dates
    .phrasesIn(text, { at, zone })
    .map(({ date }) => date)
    .join(" ");

describe("dates", () => {
  it.each(DATED_PHRASES)("X7: in %s, %j means %j, said on Friday, 6 March 2026", (_, said, means) => {
    expect(datesIn(said)).toBe(means);
  });

  it.each([
    ["last Friday", "2026-03-06T10:00:00Z", "UTC", "2026-02-27"],
    ["next Friday", "2026-03-06T10:00:00Z", "UTC", "2026-03-13"],
    ["this Friday", "2026-03-06T10:00:00Z", "UTC", "2026-03-06"],
    ["yesterday", "2024-03-01T08:00:00Z", "UTC", "2024-02-29"],
    ["a year ago", "2024-02-29T08:00:00Z", "UTC", "2023"],
    ["last month", "2026-03-31T08:00:00Z", "UTC", "2026-02"],
    ["yesterday", "2026-03-29T00:30:00Z", "Europe/Berlin", "2026-03-28"],
    ["yesterday", "2026-03-29T23:30:00Z", "Europe/Berlin", "2026-03-29"],
    ["tomorrow", "2026-11-01T05:30:00Z", "America/New_York", "2026-11-02"],
    ["today", "2026-12-31T10:30:00Z", "Pacific/Kiritimati", "2027-01-01"],
    ["today", "2026-01-01T10:30:00Z", "Pacific/Pago_Pago", "2025-12-31"],
    ["last weekend", "2026-03-08T10:00:00Z", "UTC", "2026-02-28/2026-03-01"],
    ["this weekend", "2026-03-08T10:00:00Z", "UTC", "2026-03-07/2026-03-08"],
    ["last week", "2026-01-01T10:00:00Z", "UTC", "2025-12-22/2025-12-28"],
  ])("X7: %j said at %s in %s means %s", (said, at, zone, means) => {
    expect(datesIn(`It is ${said}`, at, zone)).toBe(means);
  });

  it("X7: what a language is looked through for is in each of its phrases", () => {
    for (const language of new Set([...WORD_LANGUAGES, ...Object.keys(PHRASES_OF), "th"])) {
      const meant = [...relativePhrases(language)].flatMap(([phrase, offset]) => (offset === null ? [] : [phrase]));
      const phrases = [...meant, ...openPhrases(language).keys()];
      expect(phrases.filter((phrase) => !tellingLanguages(phrase).has(language))).toEqual([]);
    }
    expect(tellingLanguages("tomatoes basil").size).toBe(0);
  });

  it.each([
    ["I bought the tent lastweek", "2026-02-23/2026-03-01"],
    ["We had pancakes lastnight", "2026-03-05"],
    ["I saw her 2daysago", "2026-03-04"],
    ["Ben haftasonu göle gittim", ""],
    ["Jag gick ut imorse", "2026-03-06"],
    ["Jag träffade henne iförrgår", "2026-03-04"],
    ["पिछलेहफ्ते मैं गया", "2026-02-23/2026-03-01"],
    ["ΧΘΕΣ:ΕΦΑΓΑ ΨΑΡΙ", "2026-03-05"],
  ])("X7: in %j the phrase counts though it is written together", (said, means) => {
    expect(datesIn(said)).toBe(means);
  });

  it("X7: of phrases that are written together those with a longer word are looked for", () => {
    for (const language of [...WORD_LANGUAGES, "el", "hi", "uk", "ru"]) {
      const phrases = [...relativePhrases(language)].flatMap(([phrase, offset]) => (offset === null ? [] : [phrase]));
      const tellBy = phrases.filter((phrase) =>
        phrase.split(/[^\p{L}\p{M}]/u).some((word) => word.length > 4 && tellingLanguages(word).has(language)),
      );
      expect(tellBy.length).toBeGreaterThan(50);
      const together = tellBy.map((phrase) => `x${phrase.replaceAll(" ", "")}`);
      expect(together.filter((phrase) => !tellingLanguages(phrase).has(language))).toEqual([]);
    }
  });

  it("X7: a phrase counts though a mark stands behind it", () => {
    expect(datesIn("اشتريت خيمة أمسِ")).toBe("2026-03-05");
  });

  it("X7/PR5: what is all marks is looked through as fast as anything else", { timeout: 5_000 }, () => {
    expect(tellingLanguages(`a${"\u0301".repeat(40_000)} yesterday`)).toEqual(new Set(["en"]));
  });

  it.each([
    ["Ich war gestern Morgen beim Arzt", "2026-03-05"],
    ["Kaffee am frühen Morgen", ""],
    ["Läuft am Sonntag Morgen", ""],
    ["Ich trinke gegen Morgen Tee", ""],
    ["Morgen fahre ich nach Wien", "2026-03-07"],
    ["Gut, Morgen fahre ich nach Wien", "2026-03-07"],
    ["Schön. Morgen fahre ich nach Wien", "2026-03-07"],
    ["ich fahre morgen nach Wien", "2026-03-07"],
  ])("X7: in %j a noun is a part of the day, and the word is tomorrow", (said, means) => {
    expect(datesIn(said)).toBe(means);
  });

  it.each(["Kaffee am Morgen", "Guten Morgen!", "Tee jeden Morgen", "koffie elke morgen"])(
    "X7: %j, a few words that tell no language, holds no day of another one",
    (said) => {
      expect(datesIn(said)).toBe("");
    },
  );

  it("X7: digits of every script count", () => {
    expect(datesIn("मैंने ३ दिन पहले काम शुरू किया")).toBe("2026-03-03");
    expect(datesIn("３日前に引っ越しました")).toBe("2026-03-03");
  });

  it("X7: a word that is a day in another language only gets no date", async () => {
    expect(datesIn("wohnt hier gerne")).toBe("");
    const { distiller } = scripted({ hier: [{ key: "home", value: "wohnt hier gerne", quote: "Wohne hier gerne" }] });
    const { memory } = extracting(distiller);
    await memory
      .conversation({ id: "c", subject: "ute" })
      .record({ startedAt: SAID_AT, messages: [user("Wohne hier gerne. Das ist meine Stadt.")] });
    await memory.settled();
    expect((await memory.subject("ute").facts()).map(({ value }) => value)).toEqual(["wohnt hier gerne"]);
  });
});
