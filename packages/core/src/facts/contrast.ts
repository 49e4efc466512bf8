import { stem } from "../search/stem.ts";
import { extractTerms, withoutGaps } from "../search/terms.ts";
import { WEIGHTS } from "../search/weights.ts";
import { isLikeTerm, meaningOf } from "../text/words.ts";
import { isChangeWord } from "./change-words.ts";
import { isMonth } from "./measures.ts";

/** Of scripts without gaps each character is a term, with its marks, and each pair: one of these says what two say. */
const ONE_CHARACTER = /^\P{M}\p{M}*$/u;

const termsOf = (text: string): string[] =>
  extractTerms(text)
    .filter((term) => !isChangeWord(term) && (!withoutGaps(term) || ONE_CHARACTER.test(term)))
    .slice(0, WEIGHTS.contrast.terms);

/**
 * Whether a question asks for what one text names where the other names something else: "my son" for "my daughter", "on Monday"
 * for "on Friday". Its `asked` terms are stemmed. Pure.
 */
export function isContrasted(meant: string, other: string, asked: ReadonlySet<string>): boolean {
  const [own, others] = [termsOf(meant), termsOf(other)];
  const isAskedAlone = (term: string): boolean =>
    asked.has(stem(term)) && !others.some((other) => isLikeTerm(term, other) || stem(term) === stem(other));
  if (!own.some(isAskedAlone)) return false;
  if (isOfSomebodyElse(own, others, isAskedAlone)) return true;
  const gaps = replacements(own, others);
  const words = contentOf(own);
  if (contentOf(gaps.flatMap(([left]) => left)) > words * (1 - WEIGHTS.contrast.same)) return false;
  return gaps.some(
    ([left, right]) =>
      isShort(left) && isShort(right) && hasNumber(left) === hasNumber(right) && left.some(isAskedAlone),
  );
}

/** What is somebody's own, and who that is, by language. As terms are, without accents. */
const OWN: readonly (readonly [own: readonly string[], who: readonly string[]])[] = [
  ["my", "i"],
  ["mein meine meinem meinen meiner", "ich"],
  ["mon ma mes", "je j"],
  ["mi mis", "yo"],
  ["meu minha meus minhas", "eu"],
  ["mio mia miei mie", "io"],
  ["mijn", "ik"],
  ["min mitt mina", "jag"],
  ["мои моя мое", "я"],
].map(([own = "", who = ""]) => [own.split(" "), who.split(" ")] as const);

/** One begins with somebody who is asked for ("my brother weighs"), and the other is of whoever speaks ("I weigh"). */
const isOfSomebodyElse = (
  own: readonly string[],
  others: readonly string[],
  isAskedAlone: (term: string) => boolean,
): boolean =>
  OWN.some(
    ([mine, who]) =>
      mine.includes(own[0] ?? "") &&
      isAskedAlone(own[1] ?? "") &&
      who.some((word) => others.includes(word) && !own.includes(word)),
  );

/** What stands beside a value is no counterpart of what doesn't: "… and areas", "… came back with 93 %". */
const hasNumber = (terms: readonly string[]): boolean => terms.some((term) => /\d/.test(term));

/** What says no more than that a value is little: no counterpart of another word. As terms are, without accents. */
const MERELY = new Set(
  "only merely just nur bloss lediglich seulement solo solamente soltanto so somente apenas slechts bara tylko только лишь".split(
    " ",
  ),
);

/** How many of these terms carry meaning, besides numbers and months. */
const contentOf = (terms: readonly string[]): number =>
  meaningOf(terms.join(" ")).filter((term) => !/\d/.test(term) && !isMonth(term) && !MERELY.has(term)).length;

function isShort(terms: readonly string[]): boolean {
  const words = contentOf(terms);
  return words > 0 && words <= WEIGHTS.contrast.words;
}

/** What stands in two rows of terms between those that both have in one order. */
function replacements(a: readonly string[], b: readonly string[]): [left: string[], right: string[]][] {
  const [left, right] = [a.map(stem), b.map(stem)];
  // Endings are another thing's too: "la bici è costata", "lo zaino è costato".
  const isSame = (i: number, j: number): boolean => left[i] === right[j] || isLikeTerm(a[i] as string, b[j] as string);
  // Length of the longest common row from each place on.
  const common = Array.from({ length: a.length + 1 }, () => new Uint16Array(b.length + 1));
  const at = (i: number, j: number): number => common[i]?.[j] ?? 0;
  for (let i = a.length - 1; i >= 0; i--) {
    const row = common[i];
    if (row === undefined) continue;
    for (let j = b.length - 1; j >= 0; j--) {
      row[j] = isSame(i, j) ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const gaps: [string[], string[]][] = [[[], []]];
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && isSame(i, j)) {
      gaps.push([[], []]);
      i++;
      j++;
    } else if (j >= b.length || (i < a.length && at(i + 1, j) >= at(i, j + 1))) gaps.at(-1)?.[0].push(a[i++] ?? "");
    else gaps.at(-1)?.[1].push(b[j++] ?? "");
  }
  return gaps;
}
