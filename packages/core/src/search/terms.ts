/**
 * Terms of a text, for indexing and for queries alike. Compatibility forms, case and accents are folded (so `é` is
 * found composed, decomposed and as `e`). Words of scripts that write no spaces become single characters and pairs.
 * Identifiers and addresses are found whole and by their parts.
 */
export function extractTerms(text: string): string[] {
  const terms: string[] = [];
  for (const [run] of fold(text).matchAll(RUN)) {
    if (EMOJI.test(run)) terms.push(run.replace(/\ufe0f/g, ""));
    else if (UNSPACED.test(run)) pushUnspaced(run, terms);
    else pushWord(run, terms);
  }
  return terms;
}

/** Terms with how often each stands there, and how many there are in all. */
export function countTerms(text: string): { terms: Map<string, number>; length: number } {
  const terms = new Map<string, number>();
  const all = extractTerms(text);
  for (const term of all) terms.set(term, (terms.get(term) ?? 0) + 1);
  return { terms, length: all.length };
}

/** Longest term kept, in UTF-16 code units; longer ones (encoded data) are cut, alike in index and query. */
export const MAX_TERM_CHARS = 64;

/** Accents of Latin, Greek and Cyrillic, and the optional vowel signs of Hebrew and Arabic. */
const OPTIONAL_MARKS =
  /[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u065f\u0670\u0640]/gu;

/** Han, Kana, Thai, Lao, Khmer, Myanmar and their like write words without spaces between them. */
const SCRIPTS = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}`;
const UNSPACED = new RegExp(`[${SCRIPTS}]`, "u");

const EMOJI = /\p{Extended_Pictographic}|\p{Regional_Indicator}/u;

/** A letter of a spaced word: where an unspaced script begins, the word ends, so that "使用React开发" holds "React". */
const LETTER = String.raw`[[\p{L}\p{N}\p{M}]--[${SCRIPTS}\u30fc]]`;
const PICTOGRAPH = String.raw`\p{Extended_Pictographic}[\ufe0f\p{Emoji_Modifier}]*`;

/** An emoji sequence, a run of an unspaced script, or a word with the joints of identifiers and addresses in it. */
const RUN = new RegExp(
  [
    String.raw`\p{Regional_Indicator}{2}`,
    String.raw`${PICTOGRAPH}(?:\u200d${PICTOGRAPH})*`,
    String.raw`(?:[${SCRIPTS}\u30fc]\p{M}*)+`,
    String.raw`${LETTER}+(?:[._@'’+\-\/:#]${LETTER}+)*`,
  ].join("|"),
  "gv",
);

const BEYOND_ASCII = /[^\p{ASCII}]/u;

/** A text as terms are compared: without accents, compatibility forms and case. */
export const foldText = (text: string): string => lowered(fold(text));

/** A character of a script that writes no spaces. */
export const withoutGaps = (text: string): boolean => UNSPACED.test(text);

/** Final sigma has a form of its own in lower case only. */
const lowered = (text: string): string => text.toLowerCase().replaceAll("ς", "σ");

/** Case is kept until identifiers are split at their humps. */
function fold(text: string): string {
  if (!BEYOND_ASCII.test(text)) return text;
  return text.toWellFormed().normalize("NFKD").replace(OPTIONAL_MARKS, "").normalize("NFC").replaceAll("ß", "ss");
}

const push = (terms: string[], term: string): void => {
  const lower = lowered(term);
  terms.push(lower.length > MAX_TERM_CHARS ? lower.slice(0, MAX_TERM_CHARS).toWellFormed() : lower);
};

function pushWord(run: string, terms: string[]): void {
  const parts = run.split(/[._@'’+\-/:#]+/u).filter((part) => part !== "");
  for (const part of parts) {
    push(terms, part);
    if (/\p{Ll}\p{Lu}|\p{Lu}\p{Lu}\p{Ll}/u.test(part)) {
      const humps = part.split(/(?<=\p{Ll})(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u);
      for (const hump of humps) push(terms, hump);
    }
  }
  // "don't" and "user's" are not identifiers worth a term of their own.
  if (parts.length > 1 && !/['’]/u.test(run)) push(terms, run);
}

function pushUnspaced(run: string, terms: string[]): void {
  // A character with the marks that belong to it: vowels of Thai are marks.
  const characters = run.match(/\P{M}\p{M}*/gu) ?? [];
  for (const character of characters) push(terms, character);
  for (let index = 0; index + 1 < characters.length; index++) {
    push(terms, `${characters[index]}${characters[index + 1]}`);
  }
}
