import { stem } from "../search/stem.ts";
import { extractTerms } from "../search/terms.ts";
import { meaningOf } from "../text/words.ts";
import { isChangeWord } from "./later-word.ts";

/** Words that stand in the place of others are few: more of them are another way to say it. */
const MOST_WORDS = 2;
/** Part of one's words that the other must have in the same order: else they aren't built alike, and no word stands for another. */
const MIN_SAME = 0.5;
/** Terms of a text that are laid beside each other's. */
const COMPARED_TERMS = 60;

const termsOf = (text: string): string[] =>
  extractTerms(text)
    .slice(0, COMPARED_TERMS)
    .filter((term) => !isChangeWord(term));

/**
 * Whether a question asks for what one text names where the other names something else: "my son" for "my daughter", "on Monday"
 * for "on Friday". Its `asked` terms are stemmed. Pure.
 */
export function isContrasted(meant: string, other: string, asked: ReadonlySet<string>): boolean {
  const [own, others] = [termsOf(meant), termsOf(other)];
  const stems = new Set(others.map(stem));
  const isAskedAlone = (term: string): boolean => asked.has(stem(term)) && !stems.has(stem(term));
  if (!own.some(isAskedAlone)) return false;
  const gaps = replacements(own, others);
  const words = contentOf(own);
  if (contentOf(gaps.flatMap(([left]) => left)) > words * (1 - MIN_SAME)) return false;
  return gaps.some(([left, right]) => isShort(left) && isShort(right) && left.some(isAskedAlone));
}

/** How many of these terms carry meaning, besides numbers. */
const contentOf = (terms: readonly string[]): number =>
  meaningOf(terms.join(" ")).filter((term) => !/\d/.test(term)).length;

function isShort(terms: readonly string[]): boolean {
  const words = meaningOf(terms.join(" ")).length;
  return words > 0 && words <= MOST_WORDS;
}

/** What stands in two rows of terms between those that both have in one order. */
function replacements(a: readonly string[], b: readonly string[]): [left: string[], right: string[]][] {
  const [left, right] = [a.map(stem), b.map(stem)];
  // Length of the longest common row from each place on.
  const common = Array.from({ length: a.length + 1 }, () => new Uint16Array(b.length + 1));
  const at = (i: number, j: number): number => common[i]?.[j] ?? 0;
  for (let i = a.length - 1; i >= 0; i--) {
    const row = common[i];
    if (row === undefined) continue;
    for (let j = b.length - 1; j >= 0; j--) {
      row[j] = left[i] === right[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const gaps: [string[], string[]][] = [[[], []]];
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && left[i] === right[j]) {
      gaps.push([[], []]);
      i++;
      j++;
    } else if (j >= b.length || (i < a.length && at(i + 1, j) >= at(i, j + 1))) gaps.at(-1)?.[0].push(a[i++] ?? "");
    else gaps.at(-1)?.[1].push(b[j++] ?? "");
  }
  return gaps;
}
