import { describe, expect, it } from "vitest";
import { lifeChats } from "./lives.ts";
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

  // How many of a life come out right is the bench's to say; here, that all of it is kept and that little is wrong.
  it.each(lifeChats().map((chat) => [chat.id, chat] as const))("F6/F7: a life beside itself: %s", async (_, chat) => {
    const { updates, parallels, mistaken } = await replayChat(chat);
    expect(mistaken).toEqual([]);
    expect(updates.every(({ isKept }) => isKept)).toBe(true);
    expect(updates.filter(({ isFirst }) => !isFirst).length).toBeLessThanOrEqual(2);
    expect(parallels.filter(({ isMeantFirst }) => !isMeantFirst).length).toBeLessThanOrEqual(1);
  });
});
