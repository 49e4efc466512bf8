import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { countTerms, extractTerms } from "./terms.ts";

/** True where every term of the query is a term of the text. */
const finds = (text: string, query: string): boolean => {
  const { terms } = countTerms(text);
  const wanted = extractTerms(query);
  return wanted.length > 0 && wanted.every((term) => terms.has(term));
};

describe("terms", () => {
  it.each([
    ["composed and decomposed accents", "we met at the caf\u00e9", "cafe\u0301"],
    ["accents left out", "Crème brûlée für Zoë", "creme brulee fur zoe"],
    ["case", "The INVOICE from Straße 5", "invoice strasse"],
    ["Greek final sigma", "Ο Οδυσσέας και ο ΟΔΥΣΣΕΥΣ", "οδυσσευς"],
    ["Chinese", "我下周三要去北京出差", "北京"],
    ["Latin words in Chinese", "使用React开发应用", "react"],
    ["numbers in Japanese", "東京2020オリンピック", "2020"],
    ["addresses in Chinese", "联系foo@example.org吧", "foo@example.org"],
    ["Chinese behind a Latin word", "iPhone手机", "手机"],
    ["identifiers that begin with an underscore", "the field _private_name", "private"],
    ["one Chinese character", "我有一只猫", "猫"],
    ["Japanese", "東京タワーの近くに住んでいます", "タワー"],
    ["Korean", "내일 서울에서 만나요", "서울에서"],
    ["Thai", "ฉันชอบกินข้าวผัด", "ข้าว"],
    ["Arabic with vowel signs left out", "كَتَبَ الطالب الدرس", "كتب الدرس"],
    ["Hebrew with points left out", "שָׁלוֹם לכולם", "שלום"],
    ["Hindi", "मुझे चाय पसंद है", "चाय"],
    ["emoji", "see you at the beach 🏖️ then", "🏖"],
    ["emoji sequences", "my family 👩‍👩‍👧 is here", "👩‍👩‍👧"],
    ["flags", "we flew to 🇯🇵", "🇯🇵"],
    ["e-mail addresses", "write to ana.lopez+news@example.org please", "ana.lopez+news@example.org"],
    ["a part of an e-mail address", "write to ana.lopez@example.org please", "lopez"],
    ["camel case", "call getUserById now", "user"],
    ["a whole identifier", "call getUserById now", "getUserById"],
    ["snake case", "set max_retry_count to 3", "retry"],
    ["acronyms in identifiers", "the parseHTMLDocument function", "html"],
    ["versions", "upgrade to v2.11.4 today", "v2.11.4"],
    ["full-width forms", "ＡＢＣ１２３ order", "abc123"],
    ["phone numbers", "call +49-170-1234567", "1234567"],
    ["apostrophes", "it's Ana's dog", "ana dog"],
  ])("S5: finds %s", (_, text, query) => {
    expect(finds(text, query)).toBe(true);
  });

  it("S5: doesn't confuse words that only share letters", () => {
    expect(finds("we talked about the cat", "category")).toBe(false);
    expect(finds("我下周三要去北京出差", "东京")).toBe(false);
  });

  it("has no term for punctuation, spaces and lone surrogates", () => {
    expect(extractTerms("  ,.;!? \n\t — … \ud800 ")).toEqual([]);
  });

  it("S5: finds a text by itself, composed or decomposed, in any case", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 60 }), (text) => {
        const terms = extractTerms(text);
        expect(extractTerms(text.normalize("NFD"))).toEqual(terms);
        for (const term of terms) expect(term.length).toBeLessThanOrEqual(64);
      }),
      { numRuns: 2_000 },
    );
  });
});
