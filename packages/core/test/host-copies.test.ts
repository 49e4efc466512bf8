import { describe, expect, it } from "vitest";
import type { Conversation, MessageInput } from "../src/index.ts";
import { assistant, testMemory, texts, user } from "./support.ts";

/** A host that resends its whole copy each time, with ids or without. */
async function talk(chat: Conversation, count: number, ids: boolean): Promise<MessageInput[]> {
  const copy: MessageInput[] = [];
  const named = (message: MessageInput, id: string): MessageInput => (ids ? { ...message, id } : message);
  for (let index = 0; index < count; index++) {
    copy.push(named(user(`question ${index}`), `u${index}`));
    const turn = await chat.begin({ messages: copy });
    const answer = named(assistant(`answer ${index}`), `a${index}`);
    await turn.complete([answer]);
    copy.push(answer);
  }
  return copy;
}

describe("hosts that go back in their own copy", () => {
  it("W15: the host's copy wins in the prompt where the edited message has a new id", async () => {
    const { memory } = testMemory();
    const chat = memory.conversation({ id: "c", subject: "ana" });
    const copy = await talk(chat, 4, true);
    const edited = [...copy.slice(0, 2), { ...user("edited"), id: "new" }];
    const turn = await chat.begin({ messages: edited });
    expect(texts(turn.messages)).toEqual(["question 0", "answer 0", "edited"]);
    await turn.complete([assistant("other")]);
    expect(texts(await chat.history())).toEqual(["question 0", "answer 0", "edited", "other"]);
  });

  it("W15: the host's copy wins in the prompt where an edited copy has no ids", async () => {
    const { memory } = testMemory();
    const chat = memory.conversation({ id: "c", subject: "ana" });
    const copy = await talk(chat, 4, false);
    const turn = await chat.begin({ messages: [...copy.slice(0, 4), user("edited")] });
    expect(texts(turn.messages)).toEqual(["question 0", "answer 0", "question 1", "answer 1", "edited"]);
  });

  it("W1: a copy without ids that ends before the window stores nothing twice", async () => {
    const { memory } = testMemory();
    const chat = memory.conversation({ id: "c", subject: "ana" });
    const copy = await talk(chat, 20, false);
    const turn = await chat.begin({ messages: [...copy.slice(0, 4), user("edited")] });
    await turn.complete([assistant("other")]);
    const said = (await chat.transcript({ limit: 500 })).turns.flatMap((entry) => texts(entry.messages));
    expect(said.filter((text) => text === "question 0")).toHaveLength(1);
  });

  it("W1/W15: a regeneration of a question older than the window, told by ids, replaces that turn", async () => {
    const { memory } = testMemory();
    const chat = memory.conversation({ id: "c", subject: "ana" });
    const copy = await talk(chat, 20, true);
    const turn = await chat.begin({ messages: copy.slice(0, 5) });
    await turn.complete([{ ...assistant("other"), id: "b" }]);
    expect(texts(await chat.history())).toEqual([
      "question 0",
      "answer 0",
      "question 1",
      "answer 1",
      "question 2",
      "other",
    ]);
  });

  it("W1/W15: an answer without an id is not stored again where the copy ends before the window", async () => {
    const { memory } = testMemory();
    const chat = memory.conversation({ id: "c", subject: "ana" });
    const copy = (await talk(chat, 20, true)).map(
      ({ id, ...message }): MessageInput =>
        message.role === "user" && id !== undefined ? { ...message, id } : message,
    );
    const turn = await chat.begin({ messages: [...copy.slice(0, 4), { ...user("edited"), id: "new" }] });
    await turn.complete([assistant("other")]);
    const said = (await chat.transcript({ limit: 500 })).turns.flatMap((entry) => texts(entry.messages));
    expect(said.filter((text) => text === "answer 1")).toHaveLength(1);
  });

  it("W15: the prompt of a fork before the window holds what the copy holds, not what came after", async () => {
    for (const summarizer of [undefined, async () => "a summary that tells of everything"]) {
      const { memory } = testMemory({ ...(summarizer === undefined ? {} : { summarizer }), policy: { enabled: true } });
      const chat = memory.conversation({ id: "c", subject: "ana" });
      const copy = await talk(chat, 20, true);
      await memory.settled();
      const turn = await chat.begin({ messages: [...copy.slice(0, 4), { ...user("edited"), id: "new" }] });
      expect(texts(turn.messages)).toEqual(["question 0", "answer 0", "question 1", "answer 1", "edited"]);
      expect(turn.system).not.toContain("everything");
    }
  });

  it("W15: a copy without the app's own messages leaves them where they are", async () => {
    const { memory } = testMemory();
    const chat = memory.conversation({ id: "c", subject: "ana" });
    const copy = await talk(chat, 2, true);
    await chat.record({ messages: [assistant("a reminder")] });
    const turn = await chat.begin({ messages: [...copy, { ...user("next"), id: "new" }] });
    await turn.complete([assistant("last")]);
    expect(texts(await chat.history())).toContain("a reminder");
  });

  it("W1/W15: an edited copy without ids goes on without storing anything twice", async () => {
    const { memory } = testMemory();
    const chat = memory.conversation({ id: "c", subject: "ana" });
    const copy = [...(await talk(chat, 4, false)).slice(0, 4), user("edited")];
    for (const answer of ["one", "two", "three"]) {
      const turn = await chat.begin({ messages: copy });
      await turn.complete([assistant(answer)]);
      copy.push(assistant(answer), user(`after ${answer}`));
    }
    const said = (await chat.transcript({ limit: 500 })).turns.flatMap((entry) => texts(entry.messages));
    expect(said.length).toBe(new Set(said).size);
    expect(texts(await chat.history())).toEqual(
      texts(copy.slice(0, -1).map((m) => ({ parts: [{ type: "text", text: m.content ?? "" }] }))),
    );
  });
});

describe("hosts whose conversation went on elsewhere", () => {
  /** Two turns in a host that keeps its history, and one through another host. */
  async function awayAndBack() {
    const { memory } = testMemory();
    const chat = memory.conversation({ id: "c", subject: "ana" });
    const copy = await talk(chat, 2, true);
    await chat.record({ id: "away", messages: [user("asked elsewhere"), assistant("answered elsewhere")] });
    return { chat, copy: [...copy, { ...user("back again"), id: "u-back" }] };
  }
  const shown = ["question 0", "answer 0", "question 1", "answer 1"];

  it("W14/W15: a copy that can't hold what was said elsewhere doesn't leave it out", async () => {
    const { chat, copy } = await awayAndBack();
    const turn = await chat.begin({ messages: copy, canHold: ({ id }) => id !== "away" });
    expect(texts(turn.messages)).toEqual([...shown, "asked elsewhere", "answered elsewhere", "back again"]);
    await turn.complete([assistant("welcome")]);
    expect(texts(await chat.history())).toContain("asked elsewhere");
  });

  it("W15: a copy that goes back behind a turn it held replaces what was said elsewhere since", async () => {
    const { chat, copy } = await awayAndBack();
    const edited = [...copy.slice(0, 2), copy.at(-1) as MessageInput];
    const turn = await chat.begin({ messages: edited, canHold: ({ id }) => id !== "away" });
    await turn.complete([assistant("other")]);
    expect(texts(await chat.history())).toEqual(["question 0", "answer 0", "back again", "other"]);
  });
});

describe("messages that are told again", () => {
  it("W12: keep the time at which they were told first", async () => {
    let now = Date.parse("2026-03-02T09:00:00.000Z");
    const { memory } = testMemory({ clock: () => new Date(now) });
    const chat = memory.conversation({ id: "c", subject: "ana" });
    const question = { ...user("May I?"), id: "u" };
    await chat.record({ id: "t", status: "paused", messages: [question] });
    now += 60_000;
    await chat.record({ id: "t", messages: [question, assistant("You may.")] });
    const { turns } = await chat.transcript();
    expect(turns[0]?.messages.map(({ createdAt }) => createdAt.slice(11, 16))).toEqual(["09:00", "09:01"]);
  });
});
