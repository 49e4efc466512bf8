/** A phrase that was found. */
export interface FoundPhrase<Meaning> {
  /** Where it stands in the text, in UTF-16 code units. */
  index: number;
  length: number;
  meaning: Meaning;
}

const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;
/** Particles are written on to a word. */
const HANGUL = /\p{Script=Hangul}/u;
const LETTER = /[\p{L}\p{N}]/u;

/**
 * Finds the phrases of one language in texts, in any case and whatever gap stands between their words. They are looked up by how
 * they begin: an expression of them all takes 50 ms to make ready, which a question without any would wait for as well.
 */
export class PhraseFinder<Meaning> {
  readonly #beginning = new Map<string, { phrase: string; meaning: Meaning }[]>();
  readonly #isUnspaced: boolean;
  readonly #isAgglutinated: boolean;

  /** Phrases in lower case with what each means; of several in one place the first counts. */
  constructor(phrases: ReadonlyMap<string, Meaning>) {
    const all = [...phrases.keys()].join(" ");
    this.#isUnspaced = UNSPACED.test(all);
    this.#isAgglutinated = HANGUL.test(all);
    for (const [phrase, meaning] of phrases) {
      const folded = folds(phrase);
      const key = beginningAt(folded, 0);
      const known = this.#beginning.get(key);
      if (known === undefined) this.#beginning.set(key, [{ phrase: folded, meaning }]);
      else known.push({ phrase: folded, meaning });
    }
  }

  /** From first to last; none begins in another. */
  find(text: string): FoundPhrase<Meaning>[] {
    const folded = folds(text);
    const found: FoundPhrase<Meaning>[] = [];
    for (let index = 0; index < folded.length; ) {
      const here = this.#at(folded, index);
      if (here !== undefined) found.push(here);
      index += here?.length ?? 1;
    }
    return found;
  }

  #at(text: string, index: number): FoundPhrase<Meaning> | undefined {
    if (text[index] === " " || (!this.#isUnspaced && isLetter(before(text, index)))) return undefined;
    const likely = this.#beginning.get(beginningAt(text, index));
    if (likely === undefined) return undefined;
    for (const { phrase, meaning } of likely) {
      const end = endOf(phrase, text, index);
      if (end === undefined || (!this.#isUnspaced && !this.#isAgglutinated && isLetter(at(text, end)))) continue;
      return { index, length: end - index, meaning };
    }
    return undefined;
  }
}

/** What stands at a place, in two characters; a gap between them may be there or not. */
function beginningAt(text: string, index: number): string {
  let next = index + 1;
  while (text[next] === " ") next++;
  return text.charAt(index) + text.charAt(next);
}

/** Where a phrase that begins at a place of the text ends; `undefined` where another text stands there. */
function endOf(phrase: string, text: string, index: number): number | undefined {
  let end = index;
  for (const character of phrase) {
    if (character === " ") while (text[end] === " ") end++;
    else if (text.startsWith(character, end)) end += character.length;
    else return undefined;
  }
  return end;
}

/** A text, place by place, in one case, with one apostrophe and one kind of gap. */
function folds(text: string): string {
  const lower = text.toLowerCase();
  const folded = lower.length === text.length ? lower : [...text].map(lowered).join("");
  return folded.replaceAll("’", "'").replaceAll("ς", "σ").replace(/\s/gu, " ");
}

const lowered = (character: string): string => {
  const lower = character.toLowerCase();
  return lower.length === character.length ? lower : character;
};

const at = (text: string, index: number): string => String.fromCodePoint(text.codePointAt(index) ?? 0);

/** The character that ends before a place. */
function before(text: string, index: number): string {
  const pair = text.codePointAt(index - 2) ?? 0;
  return pair > LAST_OF_ONE ? String.fromCodePoint(pair) : text.charAt(index - 1);
}

/** Greater code points take two places. */
const LAST_OF_ONE = 0xffff;

const isLetter = (character: string): boolean => LETTER.test(character);
