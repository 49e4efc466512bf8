import { describe, expect, it } from "vitest";
import { replayChat } from "./replay-chat.ts";
import { changeChats, trapChats } from "./traps.ts";

describe("what is alike, and what is said anew", () => {
  it.each(trapChats().map((chat) => [chat.controls.join(" / "), chat] as const))(
    "F7/G12: stays apart: %s",
    async (_, chat) => {
      const { parallels, mistaken, others } = await replayChat(chat);
      expect(parallels.map(({ isMeantFirst }) => isMeantFirst)).toEqual([true]);
      expect(mistaken).toEqual([]);
      expect(others).toBe(2);
    },
  );

  it.each(changeChats().map((chat) => [chat.controls.join(" / "), chat] as const))(
    "F6/F7: new first: %s",
    async (_, chat) => {
      const { updates } = await replayChat(chat);
      expect(updates).toMatchObject([{ isKept: true, isFound: true, isFirst: true }]);
    },
  );
});
