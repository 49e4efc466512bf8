import { expect, it } from "vitest";
import { isPerfect } from "./perfect-tense.ts";
import { queryTimes } from "./query-times.ts";

/** Where a weekday, or a date without its year, was. */
const WAS: readonly (readonly [language: string, question: string])[] = [
  ["en", "What have we eaten on Sunday?"],
  ["en", "Who have I met on Sunday?"],
  ["en", "What has Anna bought on 3 May?"],
  ["en", "Which film have you all watched on Sunday?"],
  ["en", "What has my sister cooked on Sunday?"],
  ["de", "Was haben wir am 3. Mai gegessen?"],
  ["de", "Wen hast du am Sonntag getroffen, und wo?"],
  ["de", "was habe ich am sonntag gekauft"],
  ["de", "Was hab ich gelesen am Sonntag?"],
  ["de", "Wer hat mich am Dienstag besucht?"],
  ["de", "Was hat Anna am 3. Mai erzählt?"],
  ["de", "Was habe ich am Sonntag repariert?"],
  ["de", "Wohin sind wir am Sonntag hingefahren?"],
  ["de", "Wer ist am Dienstag angekommen?"],
  ["nl", "Wat hebben we op 3 mei gegeten?"],
  ["nl", "Wie heb ik zondag ontmoet?"],
  ["nl", "Waar zijn we op zondag geweest?"],
  ["nl", "Wie is op zondag vertrokken?"],
  ["fr", "Qu'avons-nous mangé le 3 mai ?"],
  ["fr", "Qui ai-je rencontré dimanche ?"],
  ["fr", "Qu'est-ce que j'ai acheté dimanche ?"],
  ["fr", "Qu'a-t-elle écrit le 3 mai ?"],
  ["fr", "Où sommes-nous allés dimanche ?"],
  ["fr", "Qui est venue le 3 mai ?"],
  ["es", "¿Qué hemos comido el 3 de mayo?"],
  ["es", "¿A quién he visto el domingo?"],
  ["it", "Cosa abbiamo mangiato il 3 maggio?"],
  ["it", "Chi ho incontrato domenica?"],
  ["it", "Dove siamo andati domenica?"],
  ["sv", "Vad har vi ätit den 3 maj?"],
  ["sv", "Vad har jag köpt i söndags?"],
];

/** Where it is to come, or nothing is told of it. */
const IS_NOT: readonly (readonly [language: string, question: string])[] = [
  ["en", "What have we planned for Sunday?"],
  ["en", "Have we got anything on Sunday?"],
  ["en", "Do I have anything related to work on Sunday?"],
  ["en", "Do I have a red dress?"],
  ["de", "Was haben wir am Sonntag zu erledigen?"],
  ["de", "Was habe ich am Sonntag vor?"],
  ["de", "Habe ich am Sonntag Termine?"],
  ["de", "Hast du am Sonntag Gelegenheiten?"],
  ["de", "Haben wir am Sonntag geöffnet?"],
  ["de", "Was haben wir am Sonntag geplant?"],
  ["de", "Welche Läden sind am Sonntag gesperrt?"],
  ["nl", "Wat hebben we zondag te vergaderen?"],
  ["nl", "Wat hebben we voor zondag afgesproken?"],
  ["nl", "Heb ik zondag gelegenheid?"],
  ["fr", "Qu'avons-nous dimanche ?"],
  ["fr", "Qu'avons-nous prévu dimanche ?"],
  ["fr", "Ai-je une soirée dimanche ?"],
  ["es", "¿Con quién hemos quedado el domingo?"],
  ["es", "¿Tengo algún partido el domingo?"],
  ["it", "Che impegni abbiamo domenica?"],
  ["it", "Ho una partita domenica?"],
  ["it", "Cosa abbiamo previsto domenica?"],
  ["sv", "Har vi mat på söndag?"],
  ["sv", "Vad har vi planerat på söndag?"],
  ["pl", "Co mam w niedzielę?"],
];

it.each(WAS)("S2/X7: in %s, %j asks for what was", async (language, question) => {
  expect(isPerfect(question, language)).toBe(true);
  const engine = { dates: { resolver: null }, options: { timeZone: "UTC" }, now: () => "2026-11-20T13:00:00.000Z" };
  const { period } = await queryTimes(engine, question);
  expect(["2026-05-03", "2026-11-15", "2026-11-17"]).toContain(period?.from.slice(0, 10));
});

it.each(IS_NOT)("S2/X7: in %s, %j doesn't", (language, question) => {
  expect(isPerfect(question, language)).toBe(false);
});

it("PR5: a long question is read as fast as a short one", { timeout: 5_000 }, () => {
  for (const words of ["haben ", "haben ge", "have I ", "ai je ", "    ", "heb ge", "har Jag "]) {
    for (const language of ["en", "de", "nl", "fr", "es", "it", "sv"]) {
      expect(isPerfect(words.repeat(8_000 / words.length), language)).toBe(false);
    }
  }
});
