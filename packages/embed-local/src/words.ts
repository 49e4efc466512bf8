/** Letters and digits, with apostrophes inside. */
const WORD = /[\p{L}\p{N}\p{M}]+(?:['’][\p{L}\p{M}]+)*/gu;
const MARKS = /\p{M}+/gu;
/** How the tables' texts were taken apart: `doesn't` is `does` and `n't`, `Ann's` is `ann` and `'s`. */
const NEGATION = /^(.+)n'(t)$/;
const ENDING = /^(.+)('(?:s|m|d|re|ve|ll))$/;

/** So many of a table's words, which are in order of how common they are, say little by themselves: "what", "is", "government". */
const COMMON = 200;
/** Letters that the tables' texts had no words of. */
const SHORTEST = 3;

/** What a table knows of a text. */
export interface KnownWords {
  /** The words that there is a vector for, in order, as the table's places. */
  found: number[];
  /** How many there were in all. */
  words: number;
  /** Whether it says nothing but common words beside others that aren't known: what it is about isn't known. */
  isHollow: boolean;
}

/** The words of a text that a table has a vector for. */
export function placesOf(text: string, places: ReadonlyMap<string, number>): KnownWords {
  const found: number[] = [];
  let words = 0;
  let isUnknown = false;
  for (const [raw] of text.matchAll(WORD)) {
    words += 1;
    // One word may be two of the table's. Composed or not, accents are one letter.
    const word = raw.normalize("NFKC").toLowerCase().replaceAll("’", "'");
    const known = find(word, places);
    const parts = known === undefined ? partsOf(word).flatMap((part) => find(part, places) ?? []) : [known];
    found.push(...parts);
    if (parts.length === 0 && word.length >= SHORTEST) isUnknown = true;
  }
  return { found, words, isHollow: isUnknown && found.every((place) => place < COMMON) };
}

function find(word: string, places: ReadonlyMap<string, number>): number | undefined {
  return places.get(word) ?? places.get(word.normalize("NFD").replace(MARKS, ""));
}

function partsOf(word: string): string[] {
  const negated = NEGATION.exec(word);
  if (negated) return [negated[1] ?? "", "n't"];
  const ended = ENDING.exec(word);
  if (ended) return [ended[1] ?? "", ended[2] ?? ""];
  return word.includes("'") ? word.split("'") : [];
}
