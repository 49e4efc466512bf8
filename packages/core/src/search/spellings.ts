import { plainDigits } from "../text/plain-digits.ts";
import { stem } from "./stem.ts";
import { foldText, MAX_TERM_CHARS } from "./terms.ts";

/** Letters that people write otherwise where their keyboard has none, or their language writes them so. */
const WRITTEN_OUT = new Map(Object.entries({ ä: "ae", ö: "oe", ü: "ue", å: "aa", ø: "oe" }));
/** Letters that no folding of accents makes plain. */
const PLAIN = new Map(Object.entries({ ı: "i", ø: "o", æ: "ae", œ: "oe", ł: "l", đ: "d", ð: "d", þ: "th" }));

const SPECIAL = new RegExp(`[${[...WRITTEN_OUT.keys(), ...PLAIN.keys()].join("")}]`, "gu");
const WORD = /[\p{L}\p{M}\p{N}_]+/gu;
const FOREIGN_DIGITS = /(?![0-9])\p{Nd}/u;
/**
 * "1,000", "1,00,000", "1’000": a comma before fewer than three digits at the end parts something else. No number has more
 * groups than these; without an end a long row of them would be gone through anew from each.
 */
const GROUPED =
  /(?<![\p{L}\p{N}.,'’])\p{Nd}{1,3}(?:[,'’\u00a0\u202f]\p{Nd}{2,3}){0,10}[,'’\u00a0\u202f]\p{Nd}{3}(?![\p{N},'’]\p{N}|\p{N})/gu;
/** What most texts hold none of. */
const ANY = /[^\p{ASCII}]|\d[,']\d/u;

/**
 * Terms for other spellings of a text's words and numbers, beside those that they have: "mueller" for "Müller", "isik" for
 * "ışık", "2023" for "٢٠٢٣", "1000" for "1,000". What is written plainly has none, so that the plain word finds it, and is
 * found by it. Each once. Pure.
 */
export function otherSpellings(text: string): string[] {
  if (!ANY.test(text)) return [];
  const whole = text.toWellFormed().normalize("NFC").toLowerCase();
  const found = new Set<string>();
  for (const [word] of whole.matchAll(WORD)) {
    const own = foldText(word);
    for (const other of spellingsOf(word)) if (other !== own) found.add(stem(other));
  }
  for (const [number] of whole.matchAll(GROUPED)) {
    const plain = plainDigits(number).replace(/[^0-9]/g, "");
    if (plain !== "") found.add(plain);
  }
  return [...found].map((term) => (term.length > MAX_TERM_CHARS ? term.slice(0, MAX_TERM_CHARS).toWellFormed() : term));
}

function* spellingsOf(word: string): Generator<string> {
  if (FOREIGN_DIGITS.test(word)) yield foldText(plainDigits(word));
  if (word.search(SPECIAL) < 0) return;
  yield foldText(word.replace(SPECIAL, (letter) => WRITTEN_OUT.get(letter) ?? PLAIN.get(letter) ?? letter));
  yield foldText(word.replace(SPECIAL, (letter) => PLAIN.get(letter) ?? letter));
}
