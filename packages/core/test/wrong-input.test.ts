import { describe, expect, it } from "vitest";
import {
  anthropicDistiller,
  anthropicSummarizer,
  createMemory,
  inMemoryStore,
  MemoryError,
  memoryTools,
  openaiDistiller,
  openaiEmbedder,
  openaiSummarizer,
  patternDistiller,
} from "../src/index.ts";
import { codeOf, testMemory, user } from "./support.ts";

const { memory } = testMemory();
const chat = memory.conversation({ id: "c", subject: "ana" });
const ana = memory.subject("ana");
const odd: readonly unknown[] = [null, 5, Number.NaN, "text", {}, [null], Symbol("s"), 10n];

/** Calls with a wrong value, by name. */
const calls: Record<string, (value: never) => unknown> = {
  "memory.search filter": (value) => memory.search("q", value),
  "memory.conversations": (value) => memory.conversations(value),
  "memory.sweep": (value) => memory.sweep(value),
  begin: (value) => chat.begin(value),
  "begin messages": (value) => chat.begin({ messages: value }),
  "begin model": (value) => chat.begin({ messages: [user("x")], model: value }),
  "begin recall": (value) => chat.begin({ messages: [user("x")], recall: value }),
  reconcile: (value) => chat.reconcile(value),
  history: (value) => chat.history(value),
  "history model": (value) => chat.history({ model: value }),
  systemContext: (value) => chat.systemContext(value),
  transcript: (value) => chat.transcript(value),
  "transcript limit": (value) => chat.transcript({ limit: value }),
  remember: (value) => chat.remember(value),
  "remember quote": (value) => chat.remember({ key: "k", value: 1, quote: value }),
  "remember ttl": (value) => chat.remember({ key: "k", value: 1, ttl: value }),
  recall: (value) => chat.recall(value),
  "recall query": (value) => chat.recall({ query: value }),
  "recall n": (value) => chat.recall({ n: value }),
  forget: (value) => chat.forget(value),
  "forget scope": (value) => chat.forget({ key: "k", scope: value }),
  update: (value) => chat.update(value),
  rewind: (value) => chat.rewind(value),
  deleteMessages: (value) => chat.deleteMessages(value),
  "subject.facts": (value) => ana.facts(value),
  "subject.remember": (value) => ana.remember(value),
  "subject.search filter": (value) => ana.search("q", value),
  "subject.lift": (value) => ana.lift(value),
  "operator.remember": (value) => memory.operator.remember(value),
  "operator.forget": (value) => memory.operator.forget(value),
  "operator.link": (value) => memory.operator.link(value),
  "operator.unlink": (value) => memory.operator.unlink(value),
  "operator.undo": (value) => memory.operator.undo(value),
  "operator.transfer": (value) => memory.operator.transfer(value),
  "operator.sweepRetention": (value) => memory.operator.sweepRetention(value),
  "records.search": (value) => memory.records(["n"]).search(value),
  "records.list": (value) => memory.records(["n"]).list(value),
  "records.put options": (value) => memory.records(["n"]).put("k", 1, value),
  "turn.append": async (value) => (await chat.begin({ messages: [user("x")] })).append(value),
  "turn.complete": async (value) => (await chat.begin({ messages: [user("x")] })).complete(value),
  "turn.offload": async (value) => (await chat.begin({ messages: [user("x")] })).offload(value),
  "turn.compact": async (value) => (await chat.begin({ messages: [user("x")] })).compact(value),
  "turn.preflight": async (value) => (await chat.begin({ messages: [user("x")] })).preflight(value),
};

describe("PR5: wrong input is told by a code", () => {
  it.each(Object.keys(calls))("PR5/F3: %s", async (name) => {
    const others: string[] = [];
    for (const value of odd) {
      try {
        await calls[name]?.(value as never);
      } catch (error) {
        if (!MemoryError.isInstance(error)) others.push(`${typeof value} ${String(error)}`);
      }
    }
    expect(others).toEqual([]);
  });

  it("PR5: parts with flags that are no JSON are told by a code", async () => {
    const cyclic: Record<string, unknown> = {};
    cyclic.self = cyclic;
    const part = { type: "tool-result", callId: "a", tool: "b", output: 1, isError: cyclic };
    await expect(chat.record({ messages: [{ role: "tool", parts: [part as never] }] })).rejects.toSatisfy((error) =>
      MemoryError.isInstance(error),
    );
  });
});

describe("PR5: input that was meant to do something", () => {
  it.each([
    ["begin with a text", () => chat.begin("hello" as never), "begin"],
    ["begin with a list", () => chat.begin([user("hello")] as never), "begin"],
    ["begin with an unknown member", () => chat.begin({ message: user("hello") } as never), "message"],
    ["record with an unknown member", () => chat.record({ messages: [user("x")], state: "failed" } as never), "state"],
    ["remember with an unknown member", () => chat.remember({ key: "k", value: 1, tag: "x" } as never), "tag"],
    ["messages that are none", () => chat.begin({ messages: ["hello"] as never }), "messages"],
  ])("refuses %s, and names it", async (_, call, named) => {
    const error = await call().then(
      () => null,
      (caught: unknown) => caught,
    );
    expect(MemoryError.isInstance(error) && error.message).toContain(named);
  });

  it("PR5: takes a fact as it is where it is to be forgotten, and nothing that is none", async () => {
    await chat.remember("dog", "Rex");
    const [fact] = (await chat.recall({ n: 1 })).facts;
    if (fact === undefined) throw new Error("The fact is there.");
    expect(await codeOf(() => chat.forget({ id: fact.id, value: fact.value } as never))).toBe("INVALID_ARGUMENT");
    expect(await chat.forget(fact)).toMatchObject({ forgotten: 1 });
  });

  it.each(["constructor", "toString", "__proto__"])("PR5: refuses the member %s as any other", async (member) => {
    expect(await codeOf(() => chat.history(JSON.parse(`{"${member}":1}`)))).toBe("INVALID_ARGUMENT");
  });

  it("refuses what ends a turn and is no list of messages", async () => {
    const turn = await chat.begin({ messages: [user("hello")] });
    expect(await codeOf(() => turn.complete("hi" as never))).toBe("INVALID_MESSAGE");
  });
});

const count = [-1, 0, 1.5, Number.NaN, Number.POSITIVE_INFINITY, "3", null, 10n];
const some = count.filter((value) => value !== Number.POSITIVE_INFINITY);
const whole = count.filter((value) => value !== 0);
const most = whole.filter((value) => value !== Number.POSITIVE_INFINITY);
const amount = whole.filter((value) => value !== 1.5);
const share = [-0.1, 1.1, Number.NaN, "0.5", null];
const env = { OPENAI_API_KEY: "k", ANTHROPIC_API_KEY: "k" };
const milliseconds = [-1, 0, Number.NaN, "5s", null];

/** Numbers that can't be meant, by the call and the option. */
const numbers: [call: string, option: string, values: readonly unknown[], (given: object) => unknown][] = [
  ["conversation.recall", "n", some, (given) => chat.recall({ ...given })],
  ["conversation.search", "k", most, (given) => chat.search("q", given)],
  ["conversation.search", "neighbours", [...whole, 99], (given) => chat.search("q", given)],
  ["subject.search", "k", most, (given) => ana.search("q", given)],
  ["operator.search", "k", most, (given) => memory.operator.search("q", given)],
  ["memory.search", "k", most, (given) => memory.search("q", { subject: "ana", ...given })],
  ["memory.conversations", "limit", some, (given) => memory.conversations(given)],
  ["memory.sweep", "limit", count, (given) => memory.sweep(given)],
  ["subject.conversations", "limit", some, (given) => ana.conversations(given)],
  ["begin", "recall", most, (given) => chat.begin({ messages: [user("x")], ...given })],
  ["systemContext", "recall", most, (given) => chat.systemContext(given)],
  ["history", "maxMessages", count, (given) => chat.history(given)],
  ["history", "maxTokens", count, (given) => chat.history(given)],
  ["transcript", "limit", some, (given) => chat.transcript(given)],
  ["remember", "confidence", share, (given) => chat.remember({ key: "k", value: 1, ...given })],
  ["remember", "ifVersion", whole, (given) => chat.remember("k", 1, given)],
  ["remember", "ttl", [-1, 0, Number.NaN, Number.POSITIVE_INFINITY], (given) => chat.remember("k", 1, given)],
  ["update", "ifVersion", whole, (given) => chat.update({ title: "t", ...given })],
  ["turn.compact", "besideTokens", amount, async (given) => (await chat.begin()).compact([], given)],
  ["records.put", "ifVersion", whole, (given) => memory.records(["n"]).put("k", 1, given)],
  ["records.delete", "ifVersion", whole, (given) => memory.records(["n"]).delete("k", given)],
  ["records.list", "limit", whole, (given) => memory.records(["n"]).list(given)],
  ["records.list", "offset", whole, (given) => memory.records(["n"]).list(given)],
  ["records.search", "limit", whole, (given) => memory.records(["n"]).search("q", given)],
  ["checkpoints.threads", "limit", count, (given) => memory.checkpoints.threads(given)],
  ["checkpoints.list", "limit", whole, (given) => memory.checkpoints.list(given as never)],
  ["createMemory", "semanticFloor", [-1.1, ...share.slice(1)], (given) => createMemory({ agent: "a", env, ...given })],
  ["createMemory", "keywordFloor", share, (given) => createMemory({ agent: "a", env, ...given })],
  ["createMemory", "readTimeoutMs", milliseconds, (given) => createMemory({ agent: "a", env, ...given })],
  ["createMemory", "writeTimeoutMs", milliseconds, (given) => createMemory({ agent: "a", env, ...given })],
  ["createMemory", "contextWindow", amount, (given) => createMemory({ agent: "a", env, ...given })],
  ["openaiEmbedder", "dimensions", count, (given) => openaiEmbedder({ env, ...given })],
  ["openaiEmbedder", "batchSize", count, (given) => openaiEmbedder({ env, ...given })],
  ["openaiEmbedder", "maxTextTokens", count, (given) => openaiEmbedder({ env, ...given })],
  ["openaiEmbedder", "timeoutMs", milliseconds, (given) => openaiEmbedder({ env, ...given })],
  ["openaiSummarizer", "maxRetries", most, (given) => openaiSummarizer({ env, ...given })],
  ["openaiDistiller", "maxInputTokens", count, (given) => openaiDistiller({ env, ...given })],
  ["anthropicSummarizer", "timeoutMs", milliseconds, (given) => anthropicSummarizer({ env, ...given })],
  ["anthropicDistiller", "maxInputTokens", count, (given) => anthropicDistiller({ env, ...given })],
  [
    "patternDistiller",
    "confidence",
    share,
    (given) => patternDistiller({ patterns: [{ match: /x/, topic: "t", language: "en", ...given } as never] }),
  ],
];

describe("PR5/F3: a number that can't be meant", () => {
  it.each(numbers)("PR5: %s refuses it, and names %s", async (_, option, values, call) => {
    for (const value of values) {
      const error = await (async () => call({ [option]: value }))().then(
        () => null,
        (caught: unknown) => caught,
      );
      expect(error, String(value)).toMatchObject({ code: "INVALID_ARGUMENT" });
      expect(String(error), String(value)).toContain(option);
    }
  });

  it("PR5: what counts to all there is may be Infinity", async () => {
    const search = chat.search("q", { k: Number.POSITIVE_INFINITY });
    await expect(search).resolves.toMatchObject({ hits: [] });
    const fresh = testMemory().memory.conversation({ id: "all", subject: "ana" });
    for (let index = 0; index < 12; index++)
      await fresh.remember(`fact_of_${"abcdefghijkl"[index]}`, `number ${index}`);
    expect((await fresh.recall({ n: Number.POSITIVE_INFINITY })).facts).toHaveLength(12);
  });
});

describe("PR5: memoryTools", () => {
  it.each([
    ["the memory itself", () => memoryTools(memory as never), "conversation"],
    ["a name that no tool has", () => memoryTools(chat, { only: ["memory_recal" as never] }), '"memory_recall"'],
    ["a text for names", () => memoryTools(chat, { except: "memory_recall" as never }), "except"],
  ])("refuses %s", (_, call, named) => {
    expect(call).toThrow(
      expect.objectContaining({ code: "INVALID_ARGUMENT", message: expect.stringContaining(named) }),
    );
  });
});

describe("T9/PR5: createMemory", () => {
  const make = (options: object) => () => createMemory({ agent: "a", env: {}, ...options } as never);

  it.each([
    ["a store that is a text", { store: "memory.db" }],
    ["a store that is a promise", { store: Promise.resolve(inMemoryStore()) }],
    ["a store that wasn't made", { store: inMemoryStore }],
    ["a store that is an empty object", { store: {} }],
    ["a time that is a text", { readTimeoutMs: "5s" }],
    ["a time that is no number", { writeTimeoutMs: Number.NaN }],
    ["a floor that is a text", { semanticFloor: "0.5" }],
    ["a floor that no cosine reaches", { semanticFloor: 1.5 }],
    ["a floor below any cosine", { semanticFloor: -2 }],
    ["a floor of more than a whole question", { keywordFloor: 16.5 }],
    ["a floor of less than nothing", { keywordFloor: -0.1 }],
    ["an embedder of no model", { embedder: { modelId: "", dimensions: 3, embed: () => [] } }],
    ["an embedder of no numbers", { embedder: { modelId: "m", dimensions: 0, embed: () => [] } }],
    ["a summarizer that is an object", { summarizer: {} }],
    ["a sink that is no function", { sinks: [null] }],
    ["an embedder without a model", { embedder: { embed: () => [] } }],
  ])("refuses %s", async (_, options) => {
    expect(await codeOf(make(options))).toBe("INVALID_ARGUMENT");
  });

  it("takes floors at the ends of what they may be", () => {
    expect(make({ semanticFloor: -1, keywordFloor: 0 })).not.toThrow();
    expect(make({ semanticFloor: 1, keywordFloor: 1 })).not.toThrow();
  });

  it("says what a conversation is named by", () => {
    const memory = createMemory({ agent: "a", env: {} });
    for (const ref of ["abc", 1, null, undefined]) {
      // Another shape than the types allow.
      expect(() => memory.conversation(ref as never)).toThrow(
        expect.objectContaining({ code: "INVALID_ARGUMENT", message: expect.stringContaining("{ id, subject }") }),
      );
    }
    expect(() => memory.conversation({} as never)).toThrow(expect.objectContaining({ code: "INVALID_ID" }));
  });

  it("says whose messages a search is to be for, and which member of a filter is none", async () => {
    const memory = testMemory().memory;
    // What JavaScript may pass.
    await expect(memory.search("dog", {} as never)).rejects.toMatchObject({
      code: "INVALID_ARGUMENT",
      message: expect.stringContaining("a subject or a conversation"),
    });
    const limited = { limit: 3 } as object;
    const calls = [
      () => memory.subject("a").search("dog", limited),
      () => memory.conversation({ id: "c" }).search("dog", limited),
      () => memory.operator.search("dog", limited),
      () => memory.search("dog", { subject: "a", ...limited }),
    ];
    for (const call of calls) {
      await expect(call()).rejects.toMatchObject({
        code: "INVALID_ARGUMENT",
        message: expect.stringMatching(/limit.*k, role/),
      });
    }
    await expect(memory.subject("a").search(undefined as never)).rejects.toThrow("it is undefined.");
  });

  it("G7: an option that doesn't exist is refused, with what it may have meant: nothing is kept elsewhere than was said", async () => {
    const typo = { stor: inMemoryStore() };
    expect(() => createMemory({ agent: "a", env: {}, ...typo })).toThrow('"stor" (did you mean "store"?)');
    expect(await codeOf(make({ store: inMemoryStore(), embeder: null }))).toBe("INVALID_ARGUMENT");
    expect(await codeOf(make({ store: inMemoryStore(), embeder: undefined }))).toBeUndefined();
  });

  it("G7: what a call has no member for is refused before it does anything", async () => {
    const { memory } = testMemory();
    const chat = memory.conversation({ id: "c", subject: "ana" });
    const turn = await chat.begin({ id: "t", messages: [user("I have a dog")] });
    await turn.conversation.remember("dog", "Rex");
    await turn.complete();
    const wrong: [(given: never) => Promise<unknown>, object][] = [
      [(given) => chat.delete(given), { derive: true }],
      [(given) => chat.forget(given), { key: "dog", dryrun: true }],
      [(given) => chat.forget("dog", given), { scop: "conversation" }],
      [(given) => chat.recall(given), { scopes: "conversation" }],
      [(given) => memory.operator.sweepRetention(given), { dry: true }],
      [(given) => memory.subject("ana").erase(given), { dryRun: true }],
      [(given) => memory.subject("ana").facts(given), { scopes: "user" }],
      [(given) => memory.conversations(given), { subjects: "ana" }],
      [(given) => memory.records(["n"]).put("k", 1, given), { expires: "1d" }],
    ];
    for (const [call, given] of wrong) {
      expect(await codeOf(() => call(given as never))).toBe("INVALID_ARGUMENT");
    }
    expect(await chat.recall("dog")).toBe("Rex");
    expect((await chat.transcript()).turns).toHaveLength(1);
    // What the app has in its hand is no list of options.
    const [info] = (await memory.conversations()).items;
    if (info === undefined) throw new Error("The conversation is listed.");
    expect(await memory.conversation(info).recall("dog")).toBe("Rex");
    const [fact] = await memory.subject("ana").facts();
    if (fact === undefined) throw new Error("The fact is there.");
    expect(await memory.operator.undo({ ...fact, subject: "ana" })).toMatchObject({ status: "stored" });
  });

  it("E4: closed, refuses reads and writes, and opens nothing in order to close it", async () => {
    const { memory: open } = testMemory();
    const talk = open.conversation({ id: "c" });
    await open.close();
    await open.close();
    expect(await codeOf(() => talk.begin({ messages: [user("x")] }))).toBe("STORE_CLOSED");
    expect(await codeOf(() => talk.history())).toBe("STORE_CLOSED");
    expect(await talk.record({ messages: [user("x")] })).toMatchObject({ status: "failed", code: "STORE_CLOSED" });
    const unused = createMemory({ agent: "a", env: { AGENT_MEMORY_URL: "postgres://nobody@nowhere/none" } });
    await unused.close();
  });
});
