import type { Fact } from "../contract/fact.ts";
import type { Slices } from "../search/slices.ts";
import { WEIGHTS } from "../search/weights.ts";
import { SaidComparison } from "./compare-said.ts";
import { isContrasted } from "./contrast.ts";
import type { FactWords } from "./fact-words.ts";
import { type Said, saidIn } from "./said.ts";

/** What is asked. */
export interface Asked {
  /** The question's stemmed terms, each with the number of facts that have it. */
  terms: ReadonlyMap<string, number>;
  /** Whether it asks how something was before it changed. */
  isEarlier: boolean;
}

interface Compared<Found> {
  fact: Found;
  said: Said | null;
}

/**
 * The facts in their order, but of the best ones a newer one about the same thing stands ahead of the older one, or behind it
 * where the question asks how it was before; neither does where the question asks for what only the other one names. `facts`
 * are those that tell how rare a word is, `known` their words. In slices.
 */
export function* newerFirst<Found extends Fact & { score: number }>(
  ranked: readonly Found[],
  facts: readonly Fact[],
  { terms, isEarlier }: Asked,
  known?: FactWords,
): Slices<Found[]> {
  const comparison = new SaidComparison(facts, terms, known);
  const asked = [...terms.keys()];
  const stems = new Set(asked);
  const list: Compared<Found>[] = [];
  for (const fact of ranked.slice(0, WEIGHTS.anew.compared)) {
    list.push({ fact, said: saidIn(fact, asked) });
    yield;
  }
  for (let place = 1; place < list.length; place++) {
    const behind = list[place];
    if (behind === undefined || behind.said === null) continue;
    const { fact, said } = behind;
    const goesAhead = function* ({ fact: other, said: ahead }: Compared<Found>): Slices<boolean> {
      if (ahead === null || other.createdAt === fact.createdAt) return false;
      if (other.createdAt < fact.createdAt === isEarlier) return false;
      const score = fact.score / other.score;
      const isOne = isEarlier
        ? yield* comparison.isOneThing({ earlier: said, later: ahead, ahead: "later", score })
        : yield* comparison.isOneThing({ earlier: ahead, later: said, ahead: "earlier", score });
      return isOne && !isContrasted(ahead.text, said.text, stems);
    };
    for (let before = 0; before < place; before++) {
      const isAhead = yield* goesAhead(list[before] as Compared<Found>);
      yield;
      if (!isAhead) continue;
      list.splice(before, 0, ...list.splice(place, 1));
      break;
    }
  }
  return [...list.map(({ fact }) => fact), ...ranked.slice(WEIGHTS.anew.compared)];
}
