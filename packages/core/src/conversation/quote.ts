import type { Json } from "../contract/json.ts";
import { isNegated, meaningOf, sharedTerms } from "../text/words.ts";

/** A text as quotes are compared: compatibility forms, case, punctuation and spaces don't count. */
const loosened = (text: string): string =>
  text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, " ")
    .trim();

/** Scripts that write no spaces between words: there a quote may begin and end anywhere. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/** Marks of something left out between two parts of a quote. */
const ELLIPSIS = /\s*(?:\[\s*(?:…|\.\.\.)\s*\]|…|\.\.\.)\s*/u;

const isBorder = (outside: string | undefined, inside: string | undefined): boolean =>
  outside === undefined || outside === " " || UNSPACED.test(outside) || (inside !== undefined && UNSPACED.test(inside));

/** Behind where in `text` whole words stand, from a place on; -1 where they don't. Both are loosened. */
function endOf(words: string, text: string, from: number): number {
  for (let at = text.indexOf(words, from); at >= 0; at = text.indexOf(words, at + 1)) {
    const end = at + words.length;
    if (isBorder(text[at - 1], words[0]) && isBorder(text[end], words.at(-1))) return end;
  }
  return -1;
}

/**
 * True where `quote` stands in `text`, whole words, without regard to punctuation and case. Of a quote with an ellipsis
 * each part stands there, in order. Pure.
 */
export function quoteStands(quote: string, text: string): boolean {
  const parts = quote
    .split(ELLIPSIS)
    .map(loosened)
    .filter((part) => part !== "");
  const said = loosened(text);
  let from = 0;
  for (const part of parts) {
    from = endOf(part, said, from);
    if (from < 0) return false;
  }
  return parts.length > 0;
}

/** All texts, numbers and yeses of a value, as one text. */
export function valueText(value: Json): string {
  if (typeof value === "string") return value;
  if (Array.isArray(value)) return value.map(valueText).join(" ");
  if (typeof value === "object" && value !== null) return Object.values(value).map(valueText).join(" ");
  return typeof value === "number" ? String(value) : "";
}

/** True where all words of a value stand in a text, in some form. Pure. */
export function wordsStand(value: Json, text: string): boolean {
  const terms = meaningOf(valueText(value));
  return terms.length === 0
    ? quoteStands(valueText(value), text)
    : sharedTerms(terms, meaningOf(text)) === terms.length;
}

/**
 * True where the words of a value stand in its quote, in some form, and the quote doesn't deny them: the quote by itself
 * bears the value out. `label` is what else the fact says, its key or topic: that may hold the denial. Pure.
 */
export function quoteCovers(quote: string, value: Json, label = ""): boolean {
  if (!wordsStand(value, quote)) return false;
  return isNegated(valueText(value)) || isNegated(label) || !isNegated(quote);
}
