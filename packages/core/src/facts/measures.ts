import { withoutGaps } from "../search/terms.ts";
import { meaningOf } from "../text/words.ts";

/** A quantity in a text: what it counts, and how much. */
export interface Measure {
  /** `money`, `percent`, `clock`, `date`, or the terms that stand beside the number. */
  kinds: readonly string[];
  amount: string;
}

const NUMBER = /(\p{Sc}\s?)?(\d+(?:[.,:/-]\d+)*)(\s?(?:\p{Sc}|%|٪|[ap]\.?m\b\.?))?/giu;
/** How far from a number its unit may stand, in UTF-16 code units. */
const REACH = 40;
/** The same for one that a phrase ends with. */
const WIDE_REACH = 400;
const SENTENCE_BREAK = /[.!?;…]\s|\n/u;

const MONTH =
  /^(?:jan(?:uar\p{L}*)?|feb(?:ruar\p{L}*)?|mar(?:ch|s|zo)?|märz|apr(?:il\p{L}*)?|may|mai|mayo|jun[ei]?|juin|junio|jul[yi]?|juillet|julio|aug(?:ust)?|août|agosto|sep(?:t\p{L}*)?|o[ck]t(?:ob\p{L}*)?|nov(?:emb\p{L}*)?|de[cz](?:emb\p{L}*)?)$/iu;

/** Money and percent in words, right behind the number. */
const MONEY =
  /^\s?(?:dollars?|euros?|pounds?|usd|eur|gbp|chf|francs?|franken|yen|pesos|reais|kronor|złot\p{L}*|рубл\p{L}*|万?元|万?円|만?원)(?!\p{Script=Latin})/iu;
const PERCENT =
  /^\s?(?:per ?cent|prozent|procent|pour ?cent|por ?ciento|por ?cento|per ?cento|процент\p{L}*|퍼센트)(?!\p{Script=Latin})/iu;
/** Korean writes on to the word that counts. */
const COUNTER = /^\p{Script=Hangul}/u;

/** Whether a word is a month's name or its beginning. */
export const isMonth = (word: string): boolean => MONTH.test(word);

/**
 * The quantities of a text, each with the terms that tell what it is of. With `isWide`, a number that a phrase ends with is of
 * what its sentence names before it: "the number of commits has grown to 165, …". Pure.
 */
export function measuresIn(text: string, isWide = false): Measure[] {
  return [...text.matchAll(NUMBER)].flatMap(({ 0: whole, 1: before = "", 2: digits = "", 3: after = "", index }) => {
    // Part of a name: v1.0.0, H2O.
    const joined = text[index - 1] ?? "";
    if (/[\p{L}_]$/u.test(joined) && !withoutGaps(joined)) return [];
    const left =
      text
        .slice(Math.max(0, index - REACH), index)
        .split(SENTENCE_BREAK)
        .at(-1) ?? "";
    const right = text.slice(index + whole.length, index + whole.length + REACH).split(SENTENCE_BREAK)[0] ?? "";
    const [previous = ""] = left.match(/[\p{L}\p{M}]+(?=[^\p{L}]*$)/u) ?? [];
    const [next = ""] = right.match(/^[\s\p{P}]*([\p{L}\p{M}]+)/u)?.slice(1) ?? [];
    const amount = digits.replace(/(?<=\d),(?=\d{3})/g, "");
    if (/\p{Sc}/u.test(before + after) || MONEY.test(right)) return [{ kinds: ["money"], amount }];
    if (/[%٪]/u.test(after) || PERCENT.test(right)) return [{ kinds: ["percent"], amount }];
    if (/[ap]\.?m/i.test(after) || /^\d{1,2}:\d\d$/.test(digits))
      return [{ kinds: ["clock"], amount: amount + after.trim().toLowerCase() }];
    if (MONTH.test(previous) || MONTH.test(next) || /^\d{4}-\d\d-\d\d$/.test(digits)) {
      const month = MONTH.test(previous) ? previous : MONTH.test(next) ? next : "";
      return [{ kinds: ["date"], amount: `${month.slice(0, 3).toLowerCase()} ${amount}` }];
    }
    if (isWide && /^\s*(?:\p{P}|$)/u.test(right)) {
      const sentence =
        text
          .slice(Math.max(0, index - WIDE_REACH), index)
          .split(SENTENCE_BREAK)
          .at(-1) ?? "";
      return [{ kinds: meaningOf(sentence).filter((term) => !/\d/.test(term)), amount }];
    }
    const counter = COUNTER.exec(right)?.[0];
    if (counter !== undefined) return [{ kinds: [counter], amount }];
    const unit = meaningOf(right).slice(0, 2);
    return [{ kinds: unit.length > 0 ? unit : meaningOf(left).slice(-2), amount }];
  });
}
