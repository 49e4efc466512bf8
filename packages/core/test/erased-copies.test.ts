import { describe, expect, it } from "vitest";
import { type Conversation, inMemoryStore, type Memory, type MessageInput } from "../src/index.ts";
import { extracting, scripted } from "./extract/distillers.ts";
import { assistant, testMemory, texts, user } from "./support.ts";

const DAY_MS = 86_400_000;
const policy = {
  enabled: true,
  carryOver: { enabled: true },
  extract: { when: "after-reply" },
  retention: { messages: "10d" },
} as const;

describe("copies of what retention erases", () => {
  it("PR7/A4: what was quarantined and what was carried over go with the turns they are of", async () => {
    const { distiller } = scripted({
      Porto: [
        { key: "city", value: "Porto", quote: "I live in Porto" },
        { key: "job", value: "pilot", quote: "Porto made me fly" },
      ],
    });
    const { memory, tick } = extracting(distiller, {
      policy,
      summarizer: ({ turns }) => turns.flatMap(({ messages }) => texts(messages)).join(" "),
    });
    const chat = memory.conversation({ id: "c", subject: "ana", login: "monday" });
    await chat.record({ id: "t1", messages: [user("I live in Porto."), assistant("I see.")] });
    await memory.settled();
    const told = async () => JSON.stringify(await memory.subject("ana").export());
    const audit = await memory.subject("ana").audit();
    expect([audit.quarantined.length, audit.carryOver.length, audit.facts.length]).toEqual([1, 1, 1]);
    tick(11 * DAY_MS);
    await memory.operator.sweepRetention({ dryRun: true });
    expect(await memory.subject("ana").audit()).toMatchObject({ quarantined: [{}], carryOver: [{}] });
    await memory.operator.sweepRetention();
    expect(await memory.subject("ana").audit()).toMatchObject({
      quarantined: [],
      carryOver: [],
      facts: [{ value: "Porto", source: { conversation: "c", turn: "t1" } }],
    });
    expect(await told()).not.toContain("I live in");
    expect(await told()).not.toContain("made me fly");
  });
});

/** Erasures of what the person said in `t1`, whose first message is `m1`. */
const erasures: readonly [
  what: string,
  erase: (memory: Memory, chat: Conversation) => Promise<{ kept?: Record<string, number> }>,
][] = [
  ["messages", (_memory, chat) => chat.deleteMessages(["m1"])],
  ["conversations", (_memory, chat) => chat.delete()],
  ["old turns", (memory) => memory.operator.sweepRetention()],
];

/** A store in which turns are erased only after `go`; `erasing` tells that all before it was done. */
function holdingErasures() {
  const base = inMemoryStore();
  const erasing = Promise.withResolvers<void>();
  const go = Promise.withResolvers<void>();
  const held =
    <Given extends unknown[], Result>(call: (...given: Given) => Promise<Result>) =>
    async (...given: Given): Promise<Result> => {
      erasing.resolve();
      await go.promise;
      return call(...given);
    };
  return { base, store: { ...base, changeTurns: held(base.changeTurns), erase: held(base.erase) }, erasing, go };
}

describe("what is quarantined while its words are erased", () => {
  it.each(erasures)("PR7/A4: isn't kept where %s go", async (_what, erase) => {
    const { base, store, erasing, go } = holdingErasures();
    const quarantining = Promise.withResolvers<void>();
    const write = Promise.withResolvers<void>();
    const commitRecords: typeof base.commitRecords = async (owner, commits, ...rest) => {
      if (commits.some(({ namespace, value }) => namespace.includes("quarantine") && value !== undefined)) {
        quarantining.resolve();
        await write.promise;
      }
      return base.commitRecords(owner, commits, ...rest);
    };
    const { distiller } = scripted({ Porto: [{ key: "job", value: "pilot", quote: "Porto made me fly" }] });
    const { memory, tick } = extracting(distiller, { policy, store: { ...store, commitRecords } });
    const chat = memory.conversation({ id: "c", subject: "ana" });
    await chat.record({ id: "t1", messages: [{ ...user("I live in Porto."), id: "m1" }, assistant("I see.")] });
    const settled = memory.settled();
    await quarantining.promise;
    tick(11 * DAY_MS);
    const running = erase(memory, chat);
    await erasing.promise;
    write.resolve();
    await settled;
    expect((await memory.subject("ana").audit()).quarantined).toHaveLength(1);
    go.resolve();
    await running;
    expect((await memory.subject("ana").audit()).quarantined).toEqual([]);
  });
});

describe("a sweep of retention", () => {
  it("J8: reads the turns of a long conversation twice, however many tool results it makes stubs of", async () => {
    const base = inMemoryStore();
    let rows = 0;
    const readTurns: typeof base.readTurns = async (...given) => {
      const turns = await base.readTurns(...given);
      rows += turns.length;
      return turns;
    };
    const retention = { toolResults: "10d" } as const;
    const { memory, tick } = testMemory({ store: { ...base, readTurns }, policy: { enabled: true, retention } });
    const chat = memory.conversation({ id: "c", subject: "ana" });
    const asked = (callId: string): MessageInput[] => [
      user("Look it up"),
      { role: "assistant", parts: [{ type: "tool-call", callId, tool: "look", input: {} }] },
      { role: "tool", parts: [{ type: "tool-result", callId, tool: "look", output: "found" }] },
    ];
    for (let turn = 0; turn < 200; turn++) await chat.record({ id: `t${turn}`, messages: asked(`call-${turn}`) });
    tick(11 * DAY_MS);
    rows = 0;
    expect(await memory.operator.sweepRetention()).toMatchObject({ toolResults: 200 });
    expect(rows).toBe(400);
  });
});

/** A memory in which something comes between deciding about a fact and writing it, once; and the store that it is on. */
function interrupted() {
  const base = inMemoryStore();
  let meanwhile = async (): Promise<unknown> => undefined;
  const commitFacts: typeof base.commitFacts = async (...given) => {
    const running = meanwhile;
    meanwhile = async () => undefined;
    await running();
    return base.commitFacts(...given);
  };
  const { memory } = testMemory({ store: { ...base, commitFacts } });
  return {
    memory,
    base,
    before(run: () => Promise<unknown>) {
      meanwhile = run;
    },
  };
}

describe("a quote whose turn is looked up", () => {
  it("PR7/G4: isn't kept where another process erases its words meanwhile", async () => {
    const { memory, base, before } = interrupted();
    const chat = memory.conversation({ id: "c", subject: "ana" });
    await chat.record({ id: "t1", messages: [{ ...user("My dog is called Rex"), id: "m1" }, assistant("Hello")] });
    const another = testMemory({ store: base }).memory.conversation({ id: "c", subject: "ana" });
    before(() => another.deleteMessages(["m1"]));
    await chat.remember("dog", "yes", { quote: "My dog is called Rex" });
    const [fact] = await memory.subject("ana").facts();
    expect(fact).toMatchObject({ value: "yes", source: { conversation: "c", turn: "t1" } });
    expect(fact?.source?.quote).toBeUndefined();
  });

  it("PR7/G4: stays where what another process erases meanwhile is another message of its turn", async () => {
    const { memory, base, before } = interrupted();
    const chat = memory.conversation({ id: "c", subject: "ana" });
    const dog = { ...user("My dog is called Rex"), id: "m1" };
    await chat.record({ id: "t1", messages: [dog, user("My cat is called Tom"), assistant("Hello")] });
    await chat.remember("cat", "yes", { quote: "My cat is called Tom" });
    const another = testMemory({ store: base }).memory.conversation({ id: "c", subject: "ana" });
    before(() => another.deleteMessages(["m1"]));
    await chat.remember("dog", "yes", { quote: "My dog is called Rex" });
    const quotes = (await memory.subject("ana").facts()).map(({ key, source }) => [key, source?.quote]);
    expect(new Map(quotes as [string, string | undefined][])).toEqual(
      new Map([
        ["cat", "My cat is called Tom"],
        ["dog", undefined],
      ]),
    );
  });

  it.each(erasures)("PR7/A4: isn't kept where another process writes it while %s go", async (_what, erase) => {
    const { base, store, erasing, go } = holdingErasures();
    const committing = Promise.withResolvers<void>();
    const commit = Promise.withResolvers<void>();
    let isFirst = true;
    const commitFacts: typeof base.commitFacts = async (...given) => {
      if (isFirst) {
        isFirst = false;
        committing.resolve();
        await commit.promise;
      }
      return base.commitFacts(...given);
    };
    const retention = { messages: "10d" } as const;
    const { memory, tick } = testMemory({ store, policy: { enabled: true, retention } });
    // In another process: in one, erasing waits for what is being remembered.
    const another = testMemory({ store: { ...base, commitFacts } }).memory;
    const chat = memory.conversation({ id: "c", subject: "ana" });
    const dog = { ...user("My dog is called Rex"), id: "m1" };
    await chat.record({ id: "t1", messages: [dog, assistant("Hello")] });
    tick(11 * DAY_MS);
    const remembering = another
      .conversation({ id: "c", subject: "ana" })
      .remember("dog", "yes", { quote: "My dog is called Rex" });
    await committing.promise;
    const running = erase(memory, chat);
    await erasing.promise;
    commit.resolve();
    expect(await remembering).toMatchObject({ status: "stored" });
    const [before] = await memory.subject("ana").facts();
    expect(before?.source?.quote).toBe("My dog is called Rex");
    go.resolve();
    expect((await running).kept).toEqual({ facts: 1 });
    const [fact] = await memory.subject("ana").facts();
    expect(fact?.source).toEqual({ conversation: "c", turn: "t1" });
  });

  it("G4/G10: is nobody's in a conversation that is another person's", async () => {
    const { memory } = testMemory();
    await memory.conversation({ id: "c", subject: "ana" }).record({ messages: [user("My pin is 4711")] });
    await memory.conversation({ id: "c", subject: "bob" }).remember("guess", 1, { quote: "My pin is 4711" });
    expect((await memory.subject("bob").facts())[0]?.source).toBeUndefined();
  });
});
