import { expect, it } from "vitest";
import { clausesOfTimes, isPerfect } from "./perfect-tense.ts";
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
  ["en", "what have i eaten on sunday"],
  ["en", "What have the kids eaten for lunch on Sunday?"],
  ["en", "What have Anna and I eaten on Sunday?"],
  ["en", "Hey! Have we met Anna on Sunday?"],
  ["en", "What’s new? Who’ve I met on Sunday?"],
  ["de", "Guten Tag! Haben wir am Sonntag zusammen gegessen?"],
  ["de", "Was hat mir Anna am Sonntag empfohlen?"],
  ["de", "Was haben wir am Sonntag bei Dr. Meyer besprochen?"],
  ["de", "Wem bin ich am Sonntag begegnet?"],
  ["fr", "Bonjour ! Avons-nous mangé ensemble dimanche ?"],
  ["fr", "À quelle heure me suis-je levé dimanche ?"],
  ["fr", "Qu’ai\u2011je acheté dimanche ?"],
  ["es", "Hola. ¿Hemos comido juntos el domingo?"],
  ["it", "A che ora mi sono alzata domenica?"],
];

/** Where it is to come, or nothing is told of it. */
const IS_NOT: readonly (readonly [language: string, question: string])[] = [
  ["en", "What have we planned for Sunday?"],
  ["en", "What have we organised on Sunday?"],
  ["en", "Have we got anything on Sunday?"],
  ["en", "Which tickets have I bought for Sunday?"],
  ["en", "Do I have anything related to work on Sunday?"],
  ["en", "Does Anna have paid leave on Sunday?"],
  ["en", "Which shops have limited hours on Sunday?"],
  ["en", "I've finished the report. Do I have anything on Sunday?"],
  ["en", "I have finished my report. What's on Sunday?"],
  ["en", "Have you seen what I have on Sunday?"],
  ["de", "Was haben wir am Sonntag zu erledigen?"],
  ["de", "Was habe ich am Sonntag vor?"],
  ["de", "Habe ich am Sonntag Termine?"],
  ["de", "Hast du am Sonntag Gelegenheiten?"],
  ["de", "habe ich am sonntag verabredungen?"],
  ["de", "habe ich am sonntag gelegenheit?"],
  ["de", "hat anna am sonntag gesangsunterricht?"],
  ["de", "Haben wir am Sonntag geöffnet?"],
  ["de", "Was haben wir am Sonntag geplant?"],
  ["de", "Was haben wir am Sonntag geplant und wer hat zugesagt?"],
  ["de", "Welche Karten habe ich für Sonntag gekauft?"],
  ["de", "Ich habe eben gegessen. Habe ich am Sonntag Termine?"],
  ["de", "Hast du vergessen, dass ich am Sonntag Geburtstag habe?"],
  ["de", "Welche Läden sind am Sonntag gesperrt?"],
  ["nl", "Wat hebben we zondag te vergaderen?"],
  ["nl", "Wat hebben we voor zondag afgesproken?"],
  ["nl", "Heb ik zondag gelegenheid?"],
  ["nl", "Heb ik zondag een bericht?"],
  ["nl", "Hebben we zondag vergaderingen?"],
  ["nl", "Wat heb ik voor zondag gekocht?"],
  ["fr", "Qu'avons-nous dimanche ?"],
  ["fr", "Qu'avons-nous prévu dimanche ?"],
  ["fr", "Quels billets avons-nous achetés pour dimanche ?"],
  ["fr", "J'ai fini le rapport. Qu'est-ce que j'ai dimanche ?"],
  ["fr", "Ai-je une soirée dimanche ?"],
  ["fr", "Ai-je congé dimanche ?"],
  ["es", "¿Con quién hemos quedado el domingo?"],
  ["es", "¿Qué hemos agendado para el domingo?"],
  ["es", "¿Tengo algún partido el domingo?"],
  ["it", "Che impegni abbiamo domenica?"],
  ["it", "Ho una partita domenica?"],
  ["it", "Ho mercato domenica?"],
  ["it", "Ho finito il rapporto. Cosa c'è domenica?"],
  ["it", "Cosa abbiamo previsto domenica?"],
  ["sv", "Har vi mat på söndag?"],
  ["sv", "Har jag annat på söndag?"],
  ["sv", "Vad har vi tänkt på söndag?"],
  ["sv", "Har jag fått tid hos läkaren på söndag?"],
  ["pl", "Co mam w niedzielę?"],
];

const NOW = "2026-11-20T13:00:00.000Z";
const timesOf = (question: string) =>
  queryTimes({ dates: { resolver: null }, options: { timeZone: "UTC" }, now: () => NOW }, question);

it.each(WAS)("S2/X7: in %s, %j asks for what was", async (_, question) => {
  const { period } = await timesOf(question);
  expect(["2026-05-03", "2026-11-15", "2026-11-17"]).toContain(period?.from.slice(0, 10));
});

it.each(IS_NOT)("S2/X7: in %s, %j doesn't", async (_, question) => {
  const { period, isOfTime } = await timesOf(question);
  expect({ period, isOfTime: isOfTime && period !== undefined }).toEqual({ period: undefined, isOfTime: false });
});

it("PR5: a long question is read as fast as a short one", { timeout: 5_000 }, () => {
  for (const words of [
    "haben ",
    "haben ge",
    "have I ",
    "ai je ",
    "    ",
    "heb ge",
    "har Jag ",
    "have I bought ",
    "?",
  ]) {
    const question = words.repeat(8_000 / words.length);
    expect(clausesOfTimes(question, [{ index: 4_000, length: 3 }])).toHaveLength(1);
    for (const language of ["en", "de", "nl", "fr", "es", "it", "sv"]) isPerfect(question, language);
  }
});
