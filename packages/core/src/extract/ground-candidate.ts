import type { Fact } from "../contract/fact.ts";
import type { FactCandidate } from "../contract/models.ts";
import { ORIGINS, type Origin } from "../contract/origin.ts";
import { quoteCovers, quoteStands, valueText, wordsStand } from "../conversation/quote.ts";
import { isNegated, meaningOf, sharedTerms } from "../text/words.ts";
import { isAgreement } from "./agreement.ts";
import type { Evidence, Said } from "./evidence.ts";
import { hardTokens } from "./hard-tokens.ts";

/** What a look at the words says of a candidate. */
export type Grounding =
  | { status: "grounded"; evidence: Evidence; origin: Origin /** May be an instruction. */; covers: boolean }
  /** Somebody said it, and not the person in these turns: it is no fact about the person, and no news. */
  | { status: "refused" }
  | { status: "quarantined"; code: "QUOTE_NOT_FOUND" | "NOT_BORNE_OUT" };

/** What was said around the evidence, which can explain it and is none itself. */
export interface Surroundings {
  /** Words of earlier turns, the person's and the assistant's, and the names of those who speak. */
  recent: string;
  /** The dates that phrases of the evidence mean. */
  dates: string;
  /** Names of the person, and of the others who speak. */
  names: { own: readonly string[]; others: readonly string[] };
  known: readonly Fact[];
}

/** Part of a paraphrase's words that somebody must have said; more where each character is a term. */
const MIN_SAID = 0.34;
const MIN_SAID_UNSPACED = 0.5;
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

const beginsWith = (text: string, name: string): boolean =>
  name !== "" && quoteStands(name, text.slice(0, name.length + 1));

/** What one speaker says to another about that one, in the languages that most often say so. */
const TO_ANOTHER =
  /(?<![\p{L}'’])(?:you|your|you['’]re|yours|du|dich|dir|dein\p{L}*|tu|toi|ton|votre|tú|usted|você|tuo|tua|jij|jouw)(?![\p{L}])/iu;
const OF_ONESELF =
  /(?<![\p{L}'’])(?:I|I['’]\p{L}+|me|my|mine|myself|ich|mir|mich|mein\p{L}*|je|moi|mon|ma|mes|yo|mi|mis|eu|meu|minha|io|mio|mia|ik|mij|mijn)(?![\p{L}])/iu;

function isToldOfAnother({ value, quote }: FactCandidate, { own, others }: Surroundings["names"]): boolean {
  const text = valueText(value);
  if (others.some((name) => beginsWith(text, name))) return true;
  const names = (list: readonly string[]): boolean => list.some((name) => name !== "" && quoteStands(name, text));
  return names(others) && !names(own) && TO_ANOTHER.test(quote) && !OF_ONESELF.test(quote);
}

const lower = (a: Origin, b: Origin): Origin => (ORIGINS.indexOf(a) >= ORIGINS.indexOf(b) ? a : b);

/**
 * Looks a candidate up in the words it claims to rest on, without a model: whether its quote stands there, who said it, and
 * whether the value stays with what was said. Numbers and names of the value must have been said, and its words must be
 * the quote's, in some form, or at least touch them. Pure.
 */
export function groundCandidate(
  candidate: FactCandidate,
  evidence: readonly Evidence[],
  surroundings: Surroundings,
): Grounding {
  const { quote } = candidate;
  // What the person says of another speaker is no fact about the person.
  if (isToldOfAnother(candidate, surroundings.names)) return { status: "refused" };
  const named = evidence.find(({ id }) => id === candidate.turn);
  const places = named === undefined ? evidence : [named, ...evidence.filter((place) => place !== named)];
  let code: "QUOTE_NOT_FOUND" | "NOT_BORNE_OUT" = "QUOTE_NOT_FOUND";
  for (const place of places) {
    for (const said of place.said) {
      if (!quoteStands(quote, said.text)) continue;
      const found = weigh(candidate, said, place, surroundings);
      if (found !== null) return { status: "grounded", evidence: place, ...found };
      code = "NOT_BORNE_OUT";
    }
  }
  if (isSomebodyElses(candidate, code, places, surroundings)) return { status: "refused" };
  return { status: "quarantined", code };
}

function weigh(
  candidate: FactCandidate,
  said: Said,
  place: Evidence,
  { recent, dates }: Surroundings,
): { origin: Origin; covers: boolean } | null {
  const { quote, value } = candidate;
  const label = `${candidate.key ?? ""} ${candidate.topic ?? ""}`.replaceAll("_", " ");
  if (quoteCovers(quote, value, label)) return { origin: said.origin, covers: true };
  if (isAgreement(said.text) || isAgreement(quote)) {
    // Only a question can be agreed to; what else the assistant said is its own.
    if (!/[?？؟]/u.test(said.answers) || !quoteCovers(said.answers, value, label)) return null;
    // An agreement among other words may be meant for something else.
    return { origin: lower(said.origin, "user-confirmed"), covers: isAgreement(said.text) };
  }
  const text = valueText(value);
  if (isFlipped(text, label, quote)) return null;
  const own = place.said.map((each) => each.text).join("\n");
  // Nor does the value deny what nobody denied.
  if (isNegated(text) && !isNegated(own) && !isNegated(said.answers)) return null;
  const around = `${own}\n${said.answers}\n${recent}\n${dates}`;
  if (!hardTokens(text).every((token) => quoteStands(token, around))) return null;
  const terms = meaningOf(text);
  const touches = sharedTerms(terms, meaningOf(own)) > 0 || sharedTerms(meaningOf(label), meaningOf(own)) > 0;
  // Words that nobody said at all are the distiller's own: a paraphrase has some, not most.
  const least = terms.length * (UNSPACED.test(text) ? MIN_SAID_UNSPACED : MIN_SAID);
  const shared = sharedTerms(terms, meaningOf(around));
  return touches && shared > 0 && shared >= least ? { origin: said.origin, covers: false } : null;
}

/** The value says what the quote denies. */
const isFlipped = (value: string, label: string, quote: string): boolean =>
  isNegated(quote) &&
  !isNegated(value) &&
  !isNegated(label) &&
  sharedTerms(meaningOf(value), meaningOf(quote)) === meaningOf(value).length;

/** Whether a candidate repeats what others said, what was said before, or what is known: an echo, which is never kept. */
function isSomebodyElses(
  { quote, value }: FactCandidate,
  code: "QUOTE_NOT_FOUND" | "NOT_BORNE_OUT",
  places: readonly Evidence[],
  { recent, known }: Surroundings,
): boolean {
  const others = [
    ...places.map((place) => place.others),
    ...places.flatMap(({ said }) => said.map((each) => each.answers)),
  ];
  if (code === "QUOTE_NOT_FOUND" && [...others, recent].some((text) => quoteStands(quote, text))) return true;
  if (others.some((text) => text !== "" && wordsStand(value, text))) return true;
  return known.some((fact) => {
    const text = valueText(fact.value);
    return quoteStands(quote, text) || (text !== "" && quoteStands(valueText(value), text));
  });
}
