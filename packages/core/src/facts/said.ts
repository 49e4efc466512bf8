import type { Fact } from "../contract/fact.ts";
import { stem } from "../search/stem.ts";
import { extractTerms } from "../search/terms.ts";
import { isLikeTerm, meaningOf } from "../text/words.ts";
import { isChangeWord } from "./change-words.ts";
import { namesIn, subjectOf } from "./later-word.ts";
import { isMonth, type Measure, measuresIn } from "./measures.ts";
import { weekdayOf, weekdaysIn, withDigits } from "./number-words.ts";

/** A longer text, in UTF-16 code units, says more than one thing. */
const MOST_CHARS = 1_000;
/** Of a list of more quantities these are compared: each one is held against all of another fact's. */
const MOST_VALUES = 16;

/** A fact as recall compares it. */
export interface Said {
  text: string;
  /** Its words besides values and words of change. */
  subject: readonly string[];
  values: readonly Measure[];
  names: readonly string[];
  /** Terms of the question that it has in some form. */
  asked: ReadonlySet<string>;
}

/** What a fact says, numbers in words and days of the week among its values; `null` where it is no text, or a long one. Pure. */
export function saidIn({ value }: Pick<Fact, "value">, asked: readonly string[]): Said | null {
  if (typeof value !== "string" || value.length > MOST_CHARS) return null;
  const text = withDigits(value);
  const weekdays = weekdaysIn(text).map((day): Measure => ({ kinds: ["weekday"], amount: String(day) }));
  const names = namesIn(text).filter((name) => weekdayOf(name) === undefined && !isMonth(name) && !isChangeWord(name));
  const days = new Set(
    meaningOf((text.match(/[\p{L}-]+/gu) ?? []).filter((word) => weekdayOf(word) !== undefined).join(" ")),
  );
  const stems = [...new Set(extractTerms(value).map(stem))];
  return {
    text,
    subject: subjectOf(text).filter((term) => !days.has(term)),
    values: [...measuresIn(text, true), ...weekdays].slice(0, MOST_VALUES),
    names,
    asked: new Set(asked.filter((term) => stems.some((own) => isLikeTerm(own, term)))),
  };
}
