import { describe, expect, it } from "vitest";
import { type Conversation, inMemoryStore, type Summarizer, type SummarizerInput } from "../src/index.ts";
import { assistant, testMemory, texts, user } from "./support.ts";

/** Names every turn it was given, so that nothing can be lost or folded twice unseen. */
const listing: Summarizer = ({ previous, turns }) =>
  [previous, ...turns.map((turn) => texts(turn.messages)[0])].filter((text) => text !== null).join(" ");

const say = async (chat: Conversation, from: number, to: number) => {
  for (let n = from; n <= to; n++) await chat.record({ id: `t${n}`, messages: [user(`q${n}`), assistant(`a${n}`)] });
};
const policy = { enabled: true, conversation: { maxMessages: 8, keepMessages: 4 } };

describe("folding", () => {
  it("W4: folds the older turns down to keepMessages, once, and marks the border", async () => {
    const given: SummarizerInput[] = [];
    const { memory, events } = testMemory({
      policy,
      summarizer: (input) => {
        given.push(input);
        return listing(input);
      },
    });
    const chat = memory.conversation({ id: "c" });
    await say(chat, 1, 4);
    await memory.settled();
    expect(await chat.summary()).toBeNull();
    await say(chat, 5, 5);
    expect(given).toHaveLength(0);
    await memory.settled();
    expect(texts(await chat.history())).toEqual(["q4", "a4", "q5", "a5"]);
    expect(await chat.summary()).toMatchObject({ text: "q1 q2 q3", through: "t3", turns: 3, version: 1 });
    expect(given).toHaveLength(1);
    expect(given[0]).toMatchObject({ previous: null, maxTokens: 1_024 });
    expect((await chat.transcript()).turns).toHaveLength(5);
    expect((await chat.transcript()).summarizedThrough).toBe("t3");
    expect(events.filter((event) => event.type === "memory.folded")).toHaveLength(1);
    await say(chat, 6, 7);
    await memory.settled();
    expect(given).toHaveLength(1);
    await say(chat, 8, 8);
    await memory.settled();
    expect(given[1]?.previous).toBe("q1 q2 q3");
    expect((await chat.summary())?.text).toBe("q1 q2 q3 q4 q5 q6");
  });

  it("W2: leaves no gap: what isn't folded yet is shown, whatever maxMessages says", async () => {
    const { memory } = testMemory({ policy, summarizer: listing });
    const chat = memory.conversation({ id: "c" });
    await say(chat, 1, 9);
    expect(await chat.history()).toHaveLength(18);
    const system = await chat.systemContext();
    expect(system).toBe("");
    await memory.settled();
    expect(await chat.history()).toHaveLength(4);
    expect(await chat.systemContext()).toContain("q1 q2 q3 q4 q5 q6 q7");
  });

  it("W5: a fold still due at the next turn is done there", async () => {
    const { memory } = testMemory({ policy, summarizer: listing });
    const chat = memory.conversation({ id: "c" });
    await say(chat, 1, 6);
    const turn = await chat.begin({ messages: [user("next")] });
    expect(turn.system).toContain("q1 q2 q3 q4");
    expect(texts(turn.messages)).toEqual(["q5", "a5", "q6", "a6", "next"]);
    expect(turn.injected).toContainEqual({ kind: "summary", id: "c" });
  });

  it("W5: a slow fold delays a reply at most for the deadline, and is there afterwards", async () => {
    let finish: (text: string) => void = () => undefined;
    const { memory } = testMemory({
      policy,
      readTimeoutMs: 30,
      summarizer: () => new Promise<string>((resolve) => (finish = resolve)),
    });
    const chat = memory.conversation({ id: "c" });
    await say(chat, 1, 6);
    const turn = await chat.begin({ messages: [user("next")] });
    expect(turn.messages).toHaveLength(13);
    finish("late summary");
    await memory.settled();
    expect((await chat.summary())?.text).toBe("late summary");
  });

  it.each<[string, Summarizer]>([
    ["throws", () => Promise.reject(new Error("model down: secret prompt"))],
    ["returns nothing", () => "  "],
    ["returns something else", () => undefined as never],
  ])("W6: a summarizer that %s leaves the history as it was, and the next turn tries again", async (_, broken) => {
    let works = false;
    const { memory, events, tick } = testMemory({
      policy,
      summarizer: (input) => (works ? listing(input) : broken(input)),
    });
    const chat = memory.conversation({ id: "c" });
    await say(chat, 1, 6);
    await memory.settled();
    expect(await chat.summary()).toBeNull();
    expect(await chat.history()).toHaveLength(12);
    expect(events.find((event) => event.type === "memory.work_failed")).toMatchObject({
      work: "fold",
      code: "SUMMARIZER_FAILED",
    });
    expect(JSON.stringify(events)).not.toContain("secret");
    works = true;
    tick(120_000);
    await chat.begin({ messages: [user("next")] });
    expect((await chat.summary())?.text).toBe("q1 q2 q3 q4");
  });

  it("W6: within a minute of a failure no reply waits for another try", async () => {
    let calls = 0;
    const { memory } = testMemory({
      policy,
      summarizer: () => {
        calls++;
        throw new Error("down");
      },
    });
    const chat = memory.conversation({ id: "c" });
    await say(chat, 1, 6);
    await chat.begin({ messages: [user("one")] });
    await chat.begin({ messages: [user("two")] });
    expect(calls).toBe(1);
    // A sweep tries whatever happened.
    await memory.sweep();
    expect(calls).toBe(2);
  });

  it("W6: two folds at once leave one correct summary", async () => {
    const store = inMemoryStore();
    const make = () => testMemory({ store, policy, summarizer: async (input) => listing(input) }).memory;
    const [one, two] = [make(), make()];
    const chat = one.conversation({ id: "c" });
    await say(chat, 1, 7);
    // Both are past the lease: one of them folds without it, as a process would whose lease ran out.
    await Promise.all([one.conversation({ id: "c" }).begin({ messages: [user("x")] }), two.sweep(), one.sweep()]);
    await Promise.all([one.settled(), two.settled()]);
    expect((await chat.summary())?.text).toBe("q1 q2 q3 q4 q5");
  });

  it("W6: a turn that began before a fold and was committed after it is not lost", async () => {
    const { memory } = testMemory({ policy, summarizer: listing });
    const chat = memory.conversation({ id: "c" });
    const early = await chat.begin({ id: "early", messages: [user("early question")] });
    await say(chat, 1, 6);
    await memory.settled();
    expect((await chat.summary())?.text).toBe("q1 q2 q3 q4");
    await early.complete([assistant("late answer")]);
    expect(texts(await chat.history())).toContain("early question");
    await say(chat, 7, 10);
    await memory.settled();
    expect((await chat.summary())?.text).toBe("q1 q2 q3 q4 q5 q6 early question q7 q8");
  });

  it("W7: deleting a summary brings the folded turns back, and the next fold is written from the turns", async () => {
    const given: SummarizerInput[] = [];
    const { memory } = testMemory({
      policy,
      summarizer: (input) => {
        given.push(input);
        return listing(input);
      },
    });
    const chat = memory.conversation({ id: "c" });
    await say(chat, 1, 6);
    await memory.settled();
    expect((await chat.deleteSummary()).status).toBe("stored");
    expect(await chat.summary()).toBeNull();
    expect(await chat.history()).toHaveLength(12);
    await say(chat, 7, 7);
    await memory.settled();
    expect(given.at(-1)?.previous).toBeNull();
    expect((await chat.summary())?.text).toBe("q1 q2 q3 q4 q5");
  });

  it("W4: cuts a summary that is longer than it may be", async () => {
    const { memory } = testMemory({
      policy: { ...policy, summarize: { maxTokens: 20 } },
      summarizer: () => "This is one sentence. ".repeat(50),
    });
    const chat = memory.conversation({ id: "c" });
    await say(chat, 1, 6);
    await memory.settled();
    expect((await chat.summary())?.text).toMatch(/^(This is one sentence\. ?){1,5}$/);
  });

  it("W12: folds completed and aborted turns; failed ones are not summarised", async () => {
    const { memory } = testMemory({ policy, summarizer: listing });
    const chat = memory.conversation({ id: "c" });
    await chat.record({ messages: [user("done"), assistant("x")] });
    await chat.record({ status: "aborted", messages: [user("cut short"), assistant("y")] });
    await chat.record({ status: "failed", messages: [user("broke")] });
    await say(chat, 1, 4);
    await memory.settled();
    expect((await chat.summary())?.text).toBe("done cut short q1 q2");
  });

  it("W3: never folds the newest turn, however large", async () => {
    const { memory } = testMemory({ policy, summarizer: listing });
    const chat = memory.conversation({ id: "c" });
    await say(chat, 1, 2);
    await chat.record({ id: "huge", messages: [user("x ".repeat(40_000)), assistant("ok")] });
    await memory.settled();
    expect((await chat.summary())?.text).toBe("q1 q2");
    expect((await chat.history()).map((message) => message.turn)).toEqual(["huge", "huge"]);
  });

  it("W15: a summary that holds a replaced turn is dropped, and written again without it", async () => {
    const { memory } = testMemory({ policy, summarizer: listing });
    const chat = memory.conversation({ id: "c" });
    await say(chat, 1, 6);
    await memory.settled();
    await chat.record({ id: "again", messages: [user("q2 anew"), assistant("a")], replaces: "t2" });
    expect(await chat.summary()).toBeNull();
    expect(texts(await chat.history())).toEqual(["q1", "a1", "q2 anew", "a"]);
  });

  it("T2: without a summarizer the history is simply windowed", async () => {
    const { memory } = testMemory({ policy });
    const chat = memory.conversation({ id: "c" });
    await say(chat, 1, 9);
    await memory.settled();
    expect(await chat.history()).toHaveLength(8);
    expect(await chat.summary()).toBeNull();
  });
});
