import { decodePlace, stepsApart, type UnitPlace } from "./unit-place.ts";
import { WEIGHTS } from "./weights.ts";

/** Where one term stands, in parallel arrays. */
export interface UnitPostings {
  term: string;
  documentFrequency: number;
  documents: readonly number[];
  frequencies: readonly number[];
  lengths: readonly number[];
  conversations: readonly number[];
  places: readonly number[];
}

/** Pieces that hold some term, numbered from 0 in the order of their conversations: arrays are parallel. */
export interface GatheredUnits {
  size: number;
  documents: readonly number[];
  lengths: readonly number[];
  places: readonly UnitPlace[];
  /** Conversations are numbered from 0. */
  conversationOf: readonly number[];
  conversations: number;
  /** Of each term: how often it stands in each piece, and which pieces hold it. */
  terms: readonly { frequencies: Float64Array; held: readonly number[] }[];
  /** Which pieces stand around each, and what of their words counts there: those of unit `u` from `from[u]` to `from[u + 1]`. */
  near: { from: Uint32Array; units: Uint32Array; shares: Float64Array };
}

const REACH = Math.max(WEIGHTS.before.length, WEIGHTS.behind.length);

/** Brings the postings of several terms together by the pieces that hold them. Pure. */
export function gatherUnits(terms: readonly UnitPostings[]): GatheredUnits {
  const known = new Map<number, number>();
  const conversationNumbers = new Map<number, number>();
  const documents: number[] = [];
  const lengths: number[] = [];
  const codes: number[] = [];
  const conversationOf: number[] = [];
  const places: UnitPlace[] = [];
  const unitsOf = terms.map((term) =>
    term.documents.map((document, index) => {
      const found = known.get(document);
      if (found !== undefined) return found;
      const unit = documents.length;
      known.set(document, unit);
      documents.push(document);
      lengths.push(term.lengths[index] as number);
      codes.push(term.places[index] as number);
      places.push(decodePlace(term.places[index] as number));
      const conversation = term.conversations[index] as number;
      const number = conversationNumbers.get(conversation) ?? conversationNumbers.size;
      conversationNumbers.set(conversation, number);
      conversationOf.push(number);
      return unit;
    }),
  );
  const size = documents.length;
  const order = inOrder(conversationOf, codes, conversationNumbers.size);
  const rank = new Uint32Array(size);
  order.forEach((unit, index) => {
    rank[unit] = index;
  });
  const arranged = <Value>(values: readonly Value[]): Value[] => order.map((unit) => values[unit] as Value);
  const sorted = { places: arranged(places), conversationOf: arranged(conversationOf) };
  const near = surroundings(sorted.places, sorted.conversationOf);
  return {
    size,
    documents: arranged(documents),
    lengths: arranged(lengths),
    ...sorted,
    conversations: conversationNumbers.size,
    terms: terms.map((term, number) => {
      const frequencies = new Float64Array(size);
      const held = (unitsOf[number] as number[]).map((unit, index) => {
        const place = rank[unit] as number;
        frequencies[place] = term.frequencies[index] as number;
        return place;
      });
      return { frequencies, held };
    }),
    near,
  };
}

/** The pieces conversation by conversation, each in its order. Postings come in that order mostly, which sorting is quick with. */
function inOrder(conversationOf: readonly number[], codes: readonly number[], conversations: number): number[] {
  const lists: number[][] = Array.from({ length: conversations }, () => []);
  conversationOf.forEach((conversation, unit) => {
    lists[conversation]?.push(unit);
  });
  return lists.flatMap((list) => list.sort((left, right) => (codes[left] as number) - (codes[right] as number)));
}

/** What each piece stands next to. Whatever is around a piece has that piece around it. */
function surroundings(places: readonly UnitPlace[], conversationOf: readonly number[]): GatheredUnits["near"] {
  const size = places.length;
  const from = new Uint32Array(size + 1);
  const units = new Uint32Array(2 * REACH * size);
  const shares = new Float64Array(2 * REACH * size);
  let count = 0;
  for (let unit = 0; unit < size; unit++) {
    from[unit] = count;
    for (const step of [-1, 1]) {
      const weights = step < 0 ? WEIGHTS.before : WEIGHTS.behind;
      for (let passed = 1; passed <= REACH; passed++) {
        const other = unit + step * passed;
        if (conversationOf[other] !== conversationOf[unit]) break;
        // Of the turn before it isn't known how many pieces follow: no fewer than were passed.
        const steps = Math.max(passed, stepsApart(places[unit] as UnitPlace, places[other] as UnitPlace));
        if (steps > REACH) break;
        const isAmongPeople = places[unit]?.role !== "assistant" && places[other]?.role !== "assistant";
        // What the assistant says is about its own turn: beside other turns it would only repeat what people said there.
        if (!isAmongPeople && places[unit]?.seq !== places[other]?.seq) continue;
        units[count] = other;
        shares[count] = (weights[steps - 1] ?? 0) * (isAmongPeople ? 1 : WEIGHTS.besideAssistant);
        count++;
      }
    }
  }
  from[size] = count;
  return { from, units, shares };
}
