import type { Fact } from "../contract/fact.ts";
import { quoteStands } from "../conversation/quote.ts";
import type { Slices } from "../search/slices.ts";
import { WEIGHTS } from "../search/weights.ts";
import { meaningOf, sharedTerms } from "../text/words.ts";
import { saysChange } from "./change-words.ts";
import type { FactWords } from "./fact-words.ts";
import { differing, sharesOf, WordWeights } from "./later-word.ts";
import type { Said } from "./said.ts";

/** Two facts that a question finds. */
export interface Pair {
  earlier: Said;
  later: Said;
  /** Which of the two fits the question better, and how the other's score stands beside its own, 0 … 1. */
  ahead: "earlier" | "later";
  score: number;
}

/** Tells whether an earlier and a later fact are about one thing, as far as a question goes. */
export class SaidComparison {
  readonly #words: WordWeights;
  readonly #terms: readonly string[];
  readonly #weights: readonly number[];

  /** `facts` are those that tell how rare a word is; of the question's stemmed `terms` it is known how many facts have them. */
  constructor(facts: readonly Fact[], terms: ReadonlyMap<string, number>, known?: FactWords) {
    this.#words = new WordWeights(facts, known);
    this.#terms = [...terms.keys()];
    this.#weights = [...terms.values()].map((having) => Math.log(1 + (facts.length - having + 0.5) / (having + 0.5)));
  }

  /**
   * Two give another value of one kind and are somewhat alike, or one has a name in the place of the other's, or they have nearly
   * the same of the question and are alike, whatever they say of it. In slices: the words of all facts may have to be counted.
   */
  *isOneThing(pair: Pair): Slices<boolean> {
    const { earlier, later, score } = pair;
    const { value, asked, changed } = WEIGHTS.anew;
    const { fit, cover } = this.#fit(pair);
    const values = differing(later.values, earlier.values);
    if (values.length === 0 && isOtherName(earlier, later)) return true;
    const isChange = saysChange(later, earlier);
    const least = isChange ? changed : asked;
    const isAsked = cover >= least.cover && fit >= least.fit;
    if (values.length === 0 && !isAsked) return false;
    const { ofA, ofB, shared } = sharesOf(earlier.subject, later.subject, yield* this.#words.weights());
    const alike = Math.max(ofA, ofB);
    if (isAsked && alike >= least.likeness) return true;
    // One word is enough where the earlier one has no other and the later one says that something changed.
    const isEnough = shared > 1 || (shared === 1 && earlier.subject.length === 1 && isChange);
    if (values.length === 0 || !isEnough) return false;
    const isAskedFor = values.some(({ kinds }) => sharedTerms(kinds, this.#terms) > 0);
    return (
      alike >= value.surely ||
      (alike >= (isAskedFor ? value.askedFor : value.likeness) && (score >= value.score || fit >= value.fit))
    );
  }

  /** The part of what the first has of the question that the second has too, and the part of the whole question. */
  #fit({ earlier, later, ahead }: Pair): { fit: number; cover: number } {
    const [first, second] = ahead === "earlier" ? [earlier, later] : [later, earlier];
    let [own, both, all] = [0, 0, 0];
    for (const [index, term] of this.#terms.entries()) {
      const weight = this.#weights[index] ?? 0;
      all += weight;
      if (!first.asked.has(term)) continue;
      own += weight;
      if (second.asked.has(term)) both += weight;
    }
    return own === 0 ? { fit: 0, cover: 0 } : { fit: both / own, cover: both / all };
  }
}

/** One name in the place of another, in the same words: "works at Siemens", "now works at Bosch". */
function isOtherName(earlier: Said, later: Said): boolean {
  const [[before, ...more], [after, ...others]] = [ownNames(earlier, later), ownNames(later, earlier)];
  if (before === undefined || after === undefined || more.length > 0 || others.length > 0) return false;
  const without = ({ subject }: Said, name: string): string[] => {
    const terms = new Set(meaningOf(name));
    return subject.filter((term) => !terms.has(term));
  };
  const [words, same] = [without(earlier, before), without(later, after)];
  return (
    words.length > 0 &&
    sharedTerms(words, same) === words.length &&
    sharedTerms(same, words) === same.length &&
    wordBefore(earlier.text, before) === wordBefore(later.text, after)
  );
}

const ownNames = ({ names }: Said, { text }: Said): string[] => names.filter((name) => !quoteStands(name, text));

const wordBefore = (text: string, name: string): string =>
  text
    .slice(0, text.indexOf(name))
    .match(/\p{L}[\p{L}\p{M}]*/gu)
    ?.at(-1)
    ?.toLowerCase() ?? "";
