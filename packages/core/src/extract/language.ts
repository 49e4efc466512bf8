/** Scripts that tell the language, or the one that most likely writes so. */
const BY_SCRIPT: readonly (readonly [RegExp, string])[] = [
  [/[\p{Script=Hiragana}\p{Script=Katakana}]/u, "ja"],
  [/\p{Script=Hangul}/u, "ko"],
  [/\p{Script=Han}/u, "zh"],
  [/\p{Script=Thai}/u, "th"],
  [/\p{Script=Arabic}/u, "ar"],
  [/\p{Script=Hebrew}/u, "he"],
  [/\p{Script=Devanagari}/u, "hi"],
  [/\p{Script=Greek}/u, "el"],
  [/[іїєґ]/iu, "uk"],
  [/\p{Script=Cyrillic}/u, "ru"],
];

/** All scripts but the Latin one are. */
const BEYOND_ASCII = /[^\p{ASCII}]/u;

/** Short words that stand in most sentences of a language and seldom in another. */
const BY_WORDS: Readonly<Record<string, ReadonlySet<string>>> = {
  en: new Set("the i my is and to of that it with was have for you are we at this".split(" ")),
  de: new Set("ich und der die das ist nicht mein meine wir habe bin mit auf ein eine zu es heiße den dem".split(" ")),
  fr: new Set("je j et le la les est mon ma nous suis ai un une des pas dans avec pour au du c l d de le".split(" ")),
  es: new Set("yo y el los es mi que en una soy tengo con para no las me del se por está de al".split(" ")),
  pt: new Set("eu e o os meu minha que em um uma sou tenho com para não as me do da está no na de".split(" ")),
  it: new Set("io e il lo mio mia che in un una sono ho con per non gli mi della di è al l".split(" ")),
  nl: new Set("ik en de het een mijn is niet van met ben heb dat op we te voor bij naar".split(" ")),
  pl: new Set("i w na jestem mam moja mój się nie że to do z jest mnie moje".split(" ")),
  sv: new Set("jag och är min mitt det en ett att inte har med på som vi till".split(" ")),
  tr: new Set("ben ve bir benim bu için ile çok ama var da de mi".split(" ")),
};

/** Languages that are told apart by their short words. */
export const WORD_LANGUAGES: readonly string[] = Object.keys(BY_WORDS);

/** The languages a text is most likely written in, as far as its script and its short words tell: several where these are of several. Pure. */
export function guessLanguages(text: string): string[] {
  if (BEYOND_ASCII.test(text)) for (const [script, language] of BY_SCRIPT) if (script.test(text)) return [language];
  const words = text.toLowerCase().match(/\p{L}+/gu) ?? [];
  const hits = Object.entries(BY_WORDS).map(
    ([language, known]) => [language, words.filter((word) => known.has(word)).length] as const,
  );
  const most = Math.max(...hits.map(([, count]) => count));
  return most === 0 ? [] : hits.filter(([, count]) => count === most).map(([language]) => language);
}
