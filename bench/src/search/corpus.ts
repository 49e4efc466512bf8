import { seededRandom } from "../lib/random.ts";

const WORDS = 30_000;
const SYLLABLES = "ba de fi go lu ma ne pi ro su ta ve wi zo ka le mi no pu ra".split(" ");

/** Word of a rank: no word of any language, and no two alike. */
function wordOf(rank: number): string {
  let word = "";
  for (let rest = rank; word === "" || rest > 0; rest = Math.floor(rest / SYLLABLES.length)) {
    word += SYLLABLES[rest % SYLLABLES.length] ?? "";
  }
  return `${word}n`;
}

/** Texts of about twelve words, as unevenly spread as in a language, the same for the same seed. */
export function corpusTexts(seed: number): () => string {
  const random = seededRandom(seed);
  const sums = new Float64Array(WORDS);
  let total = 0;
  for (let rank = 0; rank < WORDS; rank++) {
    total += 1 / (rank + 3.7);
    sums[rank] = total;
  }
  const draw = (): number => {
    const wanted = random() * total;
    let [low, high] = [0, WORDS - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((sums[middle] ?? 0) < wanted) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  return () => Array.from({ length: 8 + Math.floor(random() * 9) }, () => wordOf(draw())).join(" ");
}

/** Six words, from common to rare. */
export function corpusQueries(seed: number): () => string {
  const random = seededRandom(seed);
  const ranks = [
    [0, 20],
    [20, 100],
    [100, 400],
    [400, 1_500],
    [1_500, 5_000],
    [5_000, 20_000],
  ] as const;
  return () => ranks.map(([from, to]) => wordOf(from + Math.floor(random() * (to - from)))).join(" ");
}
