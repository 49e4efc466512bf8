import { foldText, withoutGaps } from "./terms.ts";

/** What stands in quotation marks in a question, as people write them in many scripts. */
export const QUOTED =
  /"([^"]+)"|[“”„‟]([^“”„‟"]+)[“”"]|«([^«»]+)»|»([^«»]+)«|「([^「」]+)」|『([^『』]+)』|＂([^＂]+)＂/gu;
/** More are taken for words. */
const MOST_PHRASES = 5;

/** The phrases that a question quotes, each once, as they were written. Single quotes are apostrophes more often. Pure. */
export function phrasesIn(query: string): string[] {
  const phrases = [...query.matchAll(QUOTED)].map((match) => match.slice(1).find((text) => text !== undefined) ?? "");
  return [...new Set(phrases)].filter((phrase) => plain(phrase) !== "").slice(0, MOST_PHRASES);
}

/** A question with a gap in the place of what it quotes. Pure. */
export const withoutPhrases = (query: string): string => query.replace(QUOTED, (quoted) => " ".repeat(quoted.length));

/** How many of the phrases a text holds as they stand, whatever the case, accents, punctuation and line breaks. Pure. */
export function countHeld(text: string, phrases: readonly string[]): number {
  const whole = ` ${plain(text)} `;
  return phrases.filter((phrase) => holds(whole, plain(phrase))).length;
}

const plain = (text: string): string =>
  foldText(text)
    .replace(/[^\p{L}\p{N}\p{M}\p{Extended_Pictographic}]+/gu, " ")
    .trim();

/** A word is held whole; of a script without gaps any part of a run is. */
function holds(whole: string, phrase: string): boolean {
  const before = withoutGaps(phrase.slice(0, 1)) ? "" : " ";
  const behind = withoutGaps(phrase.slice(-1)) ? "" : " ";
  return whole.includes(`${before}${phrase}${behind}`);
}
