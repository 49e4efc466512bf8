/** Letters and digits, with apostrophes inside. */
const WORD = /[\p{L}\p{N}\p{M}]+(?:['’][\p{L}\p{M}]+)*/gu;
const MARKS = /\p{M}+/gu;
/** How the tables' texts were taken apart: `doesn't` is `does` and `n't`, `Ann's` is `ann` and `'s`. */
const NEGATION = /^(.+)n'(t)$/;
const ENDING = /^(.+)('(?:s|m|d|re|ve|ll))$/;

/** The words of a text that a table has a vector for, in order, as its places, and how many there were in all. */
export function placesOf(text: string, places: ReadonlyMap<string, number>): { found: number[]; words: number } {
  const found: number[] = [];
  let words = 0;
  for (const [raw] of text.matchAll(WORD)) {
    words += 1;
    // One word may be two of the table's. Composed or not, accents are one letter.
    const word = raw.normalize("NFKC").toLowerCase().replaceAll("’", "'");
    const known = find(word, places);
    if (known !== undefined) found.push(known);
    else found.push(...partsOf(word).flatMap((part) => find(part, places) ?? []));
  }
  return { found, words };
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
