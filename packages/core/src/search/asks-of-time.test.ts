import { describe, expect, it } from "vitest";
import { ASKING_WORDS } from "./asking-words.ts";
import { askedBeside } from "./asks-of-time.ts";
import { foldText } from "./terms.ts";

describe("S2: what is asked beside a time", () => {
  it.each([
    ["en", "What did we talk about ?", true, "past"],
    ["en", "What was going on ?", true, "past"],
    ["en", "What do I have to do ?", true, "ahead"],
    ["en", "What did I say I will do ?", true, "ahead"],
    ["en", "everything", true, "none"],
    ["en", "", true, "none"],
    ["en", "Which opera did we see ?", false, "past"],
    ["de", "Was ist passiert?", true, "past"],
    ["de", "Was passiert?", true, "ahead"],
    ["fr", "Qu'avons-nous fait ?", true, "past"],
    ["fr", "Qu'est-ce que je fais ?", true, "ahead"],
    ["ja", "は何をしましたか", true, "past"],
    ["ja", "は寿司を食べましたか", false, "past"],
    ["zh", "我们聊了什么", true, "past"],
    ["zh", "我要做什么", false, "ahead"],
    ["ko", "뭐 했어?", true, "past"],
    ["ko", "김치를 먹었어?", false, "past"],
  ] as const)("in %s, of %j: nothing else is %s, it is %s", (language, rest, isOfTime, tense) => {
    expect(askedBeside(rest, [language])).toEqual({ isOfTime, tense });
  });

  it("has its words as questions are folded", () => {
    for (const [language, words] of Object.entries(ASKING_WORDS)) {
      const all = Object.values(words).flatMap((list: readonly string[]) => list.flatMap((word) => word.split("+")));
      expect(
        all.filter((word) => word !== foldText(word) || !/^[\p{L}\p{M}]+$/u.test(word)),
        language,
      ).toEqual([]);
    }
  });
});
