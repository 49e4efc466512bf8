import { describe, expect, it } from "vitest";
import { type Conversation, inMemoryStore, MemoryError, type MemoryStore, type Summarizer } from "../src/index.ts";
import { assistant, testMemory, texts, user } from "./support.ts";

const SMALL = { enabled: true, conversation: { maxMessages: 4, keepMessages: 2 } };
const words: Summarizer = async ({ turns, previous }) =>
  `${previous ?? ""} ${turns.map((turn) => texts(turn.messages).join("|")).join(";")}`;

const fill = async (chat: Conversation, count: number): Promise<void> => {
  for (let index = 0; index < count; index++) {
    const question = { ...user(`q${index}`), id: `u${index}` };
    await chat.record({ id: `t${index}`, messages: [question, assistant(`a${index}`)] });
  }
};

/** Five turns, a fold under way that has read them, and the means to let it end. */
async function foldUnderWay() {
  const started = Promise.withResolvers<void>();
  const goOn = Promise.withResolvers<void>();
  const { memory } = testMemory({
    policy: SMALL,
    summarizer: async (input) => {
      started.resolve();
      await goOn.promise;
      return words(input);
    },
  });
  const chat = memory.conversation({ id: "c", subject: "ana" });
  await fill(chat, 5);
  const settled = memory.settled();
  await started.promise;
  return {
    chat,
    async end() {
      goOn.resolve();
      await settled;
    },
  };
}

describe("a fold under way while its turns change", () => {
  it("W6/A2: a message deleted meanwhile is not in the summary", async () => {
    const { chat, end } = await foldUnderWay();
    await chat.deleteMessages(["u0"]);
    await end();
    expect((await chat.summary())?.text ?? "").not.toContain("q0");
  });

  it("W6/W16: what was cleared meanwhile is not in the summary", async () => {
    const { chat, end } = await foldUnderWay();
    await chat.clear();
    await end();
    expect((await chat.summary())?.text ?? "").not.toContain("q0");
    expect(await chat.systemContext()).toBe("");
  });

  it("W6/W16: what was rewound meanwhile is not in the summary, and what stays is in the history", async () => {
    const { chat, end } = await foldUnderWay();
    await chat.rewind({ to: "t0" });
    await end();
    expect((await chat.summary())?.text ?? "").not.toContain("q2");
    expect(texts(await chat.history())).toEqual(["q0", "a0"]);
  });

  it("W6/W15: what was replaced meanwhile is not in the summary", async () => {
    const { chat, end } = await foldUnderWay();
    await chat.record({ id: "edit", replaces: "t1", messages: [user("edited"), assistant("other")] });
    await end();
    expect((await chat.summary())?.text ?? "").not.toContain("q2");
    expect(texts(await chat.history())).toEqual(["q0", "a0", "edited", "other"]);
  });
});

describe("a summary of turns that no longer count", () => {
  it("W15/E1: goes with the turns that are replaced, also where the store fails once in between", async () => {
    const base = inMemoryStore();
    let fails = false;
    const store: MemoryStore = Object.assign(Object.create(base), base, {
      commitSummary: async (...given: Parameters<MemoryStore["commitSummary"]>) => {
        if (fails && given[1].summary === null) {
          fails = false;
          throw new MemoryError("STORE_BUSY", "busy");
        }
        return base.commitSummary(...given);
      },
    });
    const { memory } = testMemory({ store, policy: SMALL, summarizer: words });
    const chat = memory.conversation({ id: "c", subject: "ana" });
    await fill(chat, 6);
    await memory.settled();
    fails = true;
    await chat.record({ id: "edit", replaces: "t1", messages: [user("edited"), assistant("other")] });
    expect((await chat.summary())?.text ?? "").not.toContain("q2");
    expect(texts(await chat.history())).toEqual(["q0", "a0", "edited", "other"]);
  });

  it("W3: the newest turn is verbatim in the history, also after going back to one that was folded", async () => {
    const { memory } = testMemory({ policy: SMALL, summarizer: words });
    const chat = memory.conversation({ id: "c", subject: "ana" });
    await fill(chat, 5);
    await memory.settled();
    const through = (await chat.summary())?.through as string;
    await chat.rewind({ to: through });
    expect((await chat.history()).map((message) => message.turn)).toContain(through);
  });

  it("W6/E3: is dropped by the next fold where the process ended before it was", async () => {
    const base = inMemoryStore();
    let fails = false;
    const store: MemoryStore = Object.assign(Object.create(base), base, {
      commitSummary: async (...given: Parameters<MemoryStore["commitSummary"]>) => {
        if (fails && given[1].summary === null) throw new MemoryError("STORE_FAILED", "killed here");
        return base.commitSummary(...given);
      },
    });
    const { memory } = testMemory({ store, policy: SMALL, summarizer: words });
    const chat = memory.conversation({ id: "c", subject: "ana" });
    await fill(chat, 6);
    await memory.settled();
    fails = true;
    await expect(chat.rewind({ to: "t1" })).rejects.toThrow("killed");
    fails = false;
    await chat.record({ messages: [user("next"), assistant("ok")] });
    await memory.settled();
    expect((await chat.summary())?.text).toContain("q1");
    expect((await chat.summary())?.text).not.toContain("q2");
    expect(texts(await chat.history())).toEqual(["next", "ok"]);
  });
});
