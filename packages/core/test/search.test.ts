import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { createMemory, type Embedder, inMemoryStore } from "../src/index.ts";
import { MOST_ASKED } from "../src/search/asked-part.ts";
import { fuse } from "../src/search/fuse.ts";
import { decodeSegment, encodeSegment } from "../src/search/vector-segments.ts";
import { contentHash } from "../src/text/hash.ts";
import { assistant, call, codeOf, result, testMemory, texts, user } from "./support.ts";

/** Places each text in a space of topics, so that texts without a common word can be near. */
const TOPICS = [
  ["dog", "beagle", "puppy", "pet"],
  ["car", "vehicle", "engine", "drive"],
  ["tea", "drink", "coffee", "cup"],
];
const NOISE = 61;
const topicEmbedder = (modelId = "topics@1", fails: () => boolean = () => false): Embedder & { calls: number } => ({
  modelId,
  dimensions: TOPICS.length + NOISE,
  calls: 0,
  async embed(given) {
    this.calls++;
    if (fails()) throw new Error("embedder down");
    return given.map((text) => {
      const topics = TOPICS.map((words) => words.filter((word) => text.includes(word)).length);
      // What is of no topic lies in a direction of its own.
      const own = new Array<number>(NOISE).fill(0);
      own[Number.parseInt(contentHash(text).slice(-5), 36) % NOISE] = 0.1;
      return Float32Array.from([...topics, ...own]);
    });
  },
});

const setUp = async (embedder?: Embedder, store = inMemoryStore()) => {
  const made = testMemory({ store, ...(embedder ? { embedder } : {}) });
  const chat = made.memory.conversation({ id: "c", subject: "ana" });
  await chat.record({ id: "t1", messages: [user("my beagle likes to run"), assistant("nice")] });
  await chat.record({ id: "t2", messages: [user("the vehicle is at the garage"), assistant("I see")] });
  return { ...made, chat, store };
};

describe("search", () => {
  it("S1: finds by words at once, and by meaning once embedded, with the reason", async () => {
    const { memory, chat } = await setUp(topicEmbedder());
    expect((await chat.search("beagle")).hits[0]).toMatchObject({ matched: "keyword", turn: "t1" });
    expect((await chat.search("puppy")).hits).toEqual([]);
    await memory.settled();
    expect((await chat.search("puppy")).hits.map((hit) => [hit.turn, hit.matched])).toEqual([["t1", "semantic"]]);
    expect((await chat.search("beagle")).hits[0]).toMatchObject({ matched: "both", turn: "t1" });
    expect((await chat.search("vehicle", { mode: "keyword" })).hits[0]?.matched).toBe("keyword");
  });

  it("S2: filters by role, time and conversation, and stays within its owner", async () => {
    const { memory, chat } = await setUp(topicEmbedder());
    await memory.conversation({ id: "d", subject: "ana" }).record({ messages: [user("another beagle")] });
    await memory.conversation({ id: "e", subject: "bob" }).record({ messages: [user("bob's beagle")] });
    await memory.settled();
    for (const mode of ["keyword", "semantic"] as const) {
      const found = async (filter: object) =>
        texts((await chat.search("beagle", { mode, ...filter })).hits.map((hit) => hit.message)).sort();
      expect(await found({})).toEqual(["another beagle", "my beagle likes to run"]);
      expect(await found({ conversation: "d" })).toEqual(["another beagle"]);
      expect(await found({ role: "assistant" })).toEqual([]);
      const at = (await chat.search("another")).hits[0]?.message.createdAt ?? "";
      expect(await found({ from: at })).toEqual(["another beagle"]);
      expect(await found({ to: at })).toEqual(["my beagle likes to run"]);
    }
    expect((await memory.operator.search("beagle")).hits).toHaveLength(3);
    expect((await memory.search("beagle", { subject: "bob" })).hits).toHaveLength(1);
    expect((await memory.search("beagle", { conversation: "d" })).hits).toHaveLength(1);
  });

  it("S2: gives neighbouring turns, and tool results, on request only", async () => {
    const { chat } = await setUp();
    await chat.record({
      id: "t3",
      messages: [
        user("look"),
        { role: "assistant", parts: [call("k")] },
        { role: "tool", parts: [result("k", "xylophone")] },
      ],
    });
    expect((await chat.search("xylophone")).hits).toEqual([]);
    expect((await chat.search("xylophone", { toolResults: true })).hits[0]?.turn).toBe("t3");
    const [hit] = (await chat.search("garage", { neighbours: 1 })).hits;
    expect(hit?.neighbours?.map((turn) => turn.id)).toEqual(["t1", "t3"]);
    expect(hit?.neighbours?.[0]).not.toHaveProperty("tokens");
  });

  it("S2: a filter that is none is refused with what may stand there", async () => {
    const { memory, chat } = await setUp();
    // What JavaScript may pass.
    const wrong: [object, RegExp][] = [
      [{ k: -1 }, /k must be a whole number, 0 or more/],
      [{ k: 1.5 }, /k must be a whole number/],
      [{ k: Number.NaN }, /k must be/],
      [{ neighbours: 6 }, /neighbours must be a whole number from 0 to 5/],
      [{ neighbours: -1 }, /neighbours must be/],
      [{ role: "human" }, /role must be one of system, user, assistant, tool/],
      [{ mode: "fuzzy" }, /mode must be one of hybrid, keyword, semantic/],
    ];
    for (const [filter, message] of wrong) {
      await expect(chat.search("beagle", filter)).rejects.toMatchObject({
        code: "INVALID_ARGUMENT",
        message: expect.stringMatching(message),
      });
    }
    expect((await chat.search("beagle", { k: 1, neighbours: 5, role: "user", mode: "hybrid" })).hits).toHaveLength(1);
    expect((await chat.search("beagle", { k: Number.POSITIVE_INFINITY })).hits).toHaveLength(1);
    expect(await chat.search("beagle", { k: 0 })).toMatchObject({ hits: [], reason: "No hit was asked for: k is 0." });
    const turn = await memory
      .conversation({ id: "d", subject: "ana" })
      .begin({ messages: [user("beagle")], recall: 1 });
    expect(turn.system).toContain("my beagle likes to run");
  });

  it.each([
    ["yesterday", "pike"],
    ["fishing last Tuesday", "lake"],
    ["gestern", "pike"],
    ["Was war letzten Dienstag?", "lake"],
    ["ayer", "pike"],
    ["ieri", "pike"],
  ])("S1: %j names a day, though it tells no language for sure", async (question, said) => {
    const { memory } = testMemory();
    const chat = memory.conversation({ id: "c", subject: "ana" });
    // The clock stands at Sunday, 1 March 2026.
    const days = { "2026-02-10": "snow", "2026-02-24": "lake", "2026-02-28": "pike" };
    for (const [day, content] of Object.entries(days)) {
      const createdAt = `${day}T10:00:00.000Z`;
      await chat.record({ startedAt: createdAt, messages: [{ role: "user", content, createdAt }] });
    }
    expect(texts((await chat.search(question)).hits.map((hit) => hit.message))[0]).toBe(said);
  });

  it("S1: few words that may point ahead, or at no day, stay words", async () => {
    const { memory } = testMemory();
    const chat = memory.conversation({ id: "c", subject: "ana" });
    for (const content of ["Morgen Freeman called", "wohnt hier gerne"])
      await chat.record({ messages: [user(content)] });
    const found = async (query: string) => texts((await chat.search(query)).hits.map((hit) => hit.message));
    expect(await found("Morgen")).toEqual(["Morgen Freeman called"]);
    expect(await found("hier")).toEqual(["wohnt hier gerne"]);
  });

  it("S3: by meaning alone is refused where nothing can be searched by meaning", async () => {
    const { chat } = await setUp();
    await expect(chat.search("beagle", { mode: "semantic" })).rejects.toMatchObject({
      code: "INVALID_ARGUMENT",
      message: expect.stringContaining("embedder"),
    });
    const { memory } = testMemory({ embedder: topicEmbedder(), policy: { enabled: true, search: false } });
    const off = memory.conversation({ id: "c" });
    expect(await codeOf(() => off.search("beagle", { mode: "semantic" }))).toBe("TIER_OFF");
  });

  it("S3: switched off, nothing is embedded and words are found all the same", async () => {
    const embedder = topicEmbedder();
    const { memory } = testMemory({ embedder, policy: { enabled: true, search: false } });
    const chat = memory.conversation({ id: "c" });
    await chat.record({ messages: [user("my beagle")] });
    await memory.settled();
    expect((await chat.search("beagle")).hits).toHaveLength(1);
    expect((await chat.search("puppy")).hits).toEqual([]);
    expect(embedder.calls).toBe(0);
  });

  it("S4: another model's vectors are never answered with; reindex embeds anew and can be resumed", async () => {
    const { memory, store } = await setUp(topicEmbedder());
    await memory.settled();
    const other = testMemory({ store, embedder: topicEmbedder("topics@2") }).memory;
    const chat = other.conversation({ id: "c", subject: "ana" });
    await chat.record({ id: "t3", messages: [user("a cup of tea")] });
    await other.settled();
    expect(await chat.search("puppy")).toMatchObject({ hits: [], code: "EMBEDDING_MODEL_MISMATCH" });
    expect((await chat.search("beagle")).hits[0]?.matched).toBe("keyword");
    expect(await codeOf(() => chat.search("puppy", { mode: "semantic" }))).toBe("EMBEDDING_MODEL_MISMATCH");
    const progress: number[] = [];
    const report = await other.reindex({ onProgress: ({ conversations }) => progress.push(conversations) });
    expect(report).toEqual({ conversations: 1, embedded: 3 });
    expect(progress).toEqual([1]);
    expect((await chat.search("puppy")).hits[0]?.turn).toBe("t1");
    expect((await other.reindex()).embedded).toBe(0);
    expect(await codeOf(() => testMemory({ store }).memory.reindex())).toBe("INVALID_ARGUMENT");
  });

  it("S4: that turns get no vectors is told once, with what to do, and not a word of what was said", async () => {
    const { memory, store } = await setUp(topicEmbedder());
    await memory.settled();
    const { memory: other, events } = testMemory({ store, embedder: topicEmbedder("topics@2") });
    const chat = other.conversation({ id: "c", subject: "ana" });
    for (const text of ["a cup of zanzibar", "more of the zanzibar"]) {
      await chat.record({ messages: [user(text)] });
      await other.settled();
    }
    const told = () => events.filter(({ type }) => type === "memory.not_embedded");
    expect(told()).toEqual([
      expect.objectContaining({
        conversation: "c",
        code: "EMBEDDING_MODEL_MISMATCH",
        reason: expect.stringMatching(/"topics@1".*"topics@2".*memory\.reindex\(\)/),
      }),
    ]);
    expect(JSON.stringify(events)).not.toContain("zanzibar");
    expect((await other.manifest()).embedding).toMatchObject({ modelId: "topics@2", stored: { modelId: "topics@1" } });

    await other.reindex();
    await chat.record({ messages: [user("tea")] });
    await other.settled();
    expect(told()).toHaveLength(1);
    expect((await other.manifest()).embedding).not.toHaveProperty("stored");
  });

  it("S4: without a listener it is told on the console", async () => {
    const warned = vi.spyOn(console, "warn").mockImplementation(() => undefined);
    const { memory, store } = await setUp(topicEmbedder());
    await memory.settled();
    const other = createMemory({ agent: "helper", store, env: {}, embedder: topicEmbedder("topics@2") });
    await other.conversation({ id: "c", subject: "ana" }).record({ messages: [user("zanzibar")] });
    await other.settled();
    const lines = warned.mock.calls.map(([line]) => String(line)).filter((line) => line.includes("reindex()"));
    expect(lines).toHaveLength(1);
    expect(lines[0]).not.toContain("zanzibar");
    warned.mockRestore();
  });

  it("S6: an embedder that fails leaves the turn recorded and found by words; it is embedded later", async () => {
    let broken = true;
    const { memory, chat, events } = await setUp(topicEmbedder("m", () => broken));
    await memory.settled();
    expect(events.some((event) => event.type === "memory.work_failed" && event.code === "EMBEDDER_FAILED")).toBe(true);
    expect((await chat.search("beagle")).hits).toHaveLength(1);
    broken = false;
    await memory.sweep();
    expect((await chat.search("puppy")).hits).toHaveLength(1);
    broken = true;
    expect(await chat.search("beagle")).toMatchObject({ code: "EMBEDDER_FAILED", hits: [{ turn: "t1" }] });
  });

  it("S6: where only meaning was asked for, the error of an embedder that fails has what it threw as its cause", async () => {
    let broken = false;
    const { memory, chat } = await setUp(topicEmbedder("m", () => broken));
    await memory.settled();
    broken = true;
    await expect(chat.search("puppy", { mode: "semantic" })).rejects.toMatchObject({
      code: "EMBEDDER_FAILED",
      cause: { cause: { message: "embedder down" } },
    });
  });

  it("S6: turns that were settled before there was an embedder are embedded by the next sweeps", async () => {
    const { memory, store } = await setUp();
    await memory.settled();
    const later = testMemory({ store, embedder: topicEmbedder() }).memory;
    await later.conversation({ id: "new", subject: "ana" }).record({ messages: [user("hello")] });
    await later.settled();
    await later.sweep();
    expect((await later.subject("ana").search("puppy")).hits[0]?.turn).toBe("t1");
  });

  it("G8: declines where nothing is near, and says why", async () => {
    const { memory, chat } = await setUp(topicEmbedder());
    await memory.settled();
    expect(await chat.search("quantum chromodynamics")).toMatchObject({ hits: [], reason: expect.any(String) });
    expect(await chat.search("  ")).toMatchObject({ hits: [], reason: "The query is empty." });
    expect(await chat.search("!!!", { mode: "keyword" })).toMatchObject({
      hits: [],
      reason: expect.stringContaining("no word"),
    });
    expect((await memory.subject("nobody").search("beagle")).reason).toContain("Nothing");
  });

  it("G8: the top of a larger k is the answer for the smaller", async () => {
    const { memory } = testMemory({ embedder: topicEmbedder() });
    const chat = memory.conversation({ id: "c", subject: "ana" });
    const words = ["dog", "beagle", "car", "tea", "run", "cup", "pet"];
    for (let n = 0; n < 40; n++) {
      await chat.record({ messages: [user(`${words[n % 7]} and ${words[(n * 3) % 7]} number ${n}`)] });
    }
    await memory.settled();
    const all = (await chat.search("dog tea run", { k: 30 })).hits.map((hit) => hit.message.id);
    for (let k = 0; k <= 30; k++) {
      expect((await chat.search("dog tea run", { k })).hits.map((hit) => hit.message.id)).toEqual(all.slice(0, k));
    }
  });

  it("G8/PR4: fused scores keep both orders' best, and stay between 0 and 1", () => {
    const scores = fc.uniqueArray(
      fc.record({ key: fc.constantFrom(..."abcdefgh"), score: fc.double({ min: 0.01, max: 9, noNaN: true }) }),
      {
        selector: (entry) => entry.key,
      },
    );
    const cosines = fc.uniqueArray(
      fc.record({ key: fc.constantFrom(..."abcdefgh"), score: fc.double({ min: 0.35, max: 1, noNaN: true }) }),
      {
        selector: (entry) => entry.key,
      },
    );
    const shares = fc.uniqueArray(
      fc.record({ key: fc.constantFrom(..."abcdefgh"), score: fc.double({ min: 0, max: 1, noNaN: true }) }),
      {
        selector: (entry) => entry.key,
      },
    );
    fc.assert(
      fc.property(scores, cosines, shares, (words, near, facts) => {
        const fused = fuse({ words, meaning: near, facts, floor: 0.35 });
        expect(new Set(fused.map((entry) => entry.key))).toEqual(
          new Set([...words, ...near, ...facts].map((entry) => entry.key)),
        );
        for (const entry of fused) {
          const inBoth =
            [...words, ...facts].some(({ key }) => key === entry.key) && near.some(({ key }) => key === entry.key);
          expect(entry.matched === "both").toBe(inBoth);
          if (words.length > 0 && near.length > 0) expect(entry.score).toBeLessThanOrEqual(1.000001);
        }
        const order = fused.map((entry) => entry.score);
        expect([...order].sort((a, b) => b - a)).toEqual(order);
        if (words.length === 0) return;
        // What is of no weight changes nothing of what the words say.
        const scoreOf = (list: typeof fused) => new Map(list.map(({ key, score }) => [key, score]));
        const plain = scoreOf(fuse({ words, meaning: [], facts, floor: 0.35 }));
        const weightless = scoreOf(fuse({ words, meaning: near, facts, floor: 0.35, weight: 0 }));
        if (facts.length > 0) for (const [key, score] of plain) expect(weightless.get(key)).toBeCloseTo(score, 9);
      }),
      { numRuns: 10_000 },
    );
  });

  it("W16: a deleted message is gone from the vectors too", async () => {
    const { memory, chat } = await setUp(topicEmbedder());
    await memory.settled();
    const [hit] = (await chat.search("puppy")).hits;
    await chat.deleteMessages([hit?.message.id ?? ""]);
    expect((await chat.search("puppy")).hits).toEqual([]);
    expect((await chat.search("drive")).hits).toHaveLength(1);
  });

  it("keeps vectors exactly, and refuses bytes that are none", () => {
    const entries = [1, 2, 3].map((n) => ({
      turn: `t${n}`,
      seq: n,
      position: 0,
      message: `m\ud83d${n}`.toWellFormed(),
      role: "user" as const,
      createdAt: "2026-03-01T09:00:00.000Z",
      vector: Float32Array.from([n, -n, 0.5]),
    }));
    expect(decodeSegment(encodeSegment(3, entries))).toEqual(entries);
    expect(() => decodeSegment(new Uint8Array([1, 2]))).toThrow(expect.objectContaining({ code: "STORE_CORRUPT" }));
  });
});

it.each([
  ["names its person", "ana", ["row", "identity"]],
  ["names nobody", undefined, ["row"]],
])(
  "J8/F13: a search in a conversation that %s reads its row once, and asks once at most who a name is",
  async (_what, subject, needed) => {
    const base = inMemoryStore();
    const asked: string[] = [];
    const readConversation: typeof base.readConversation = (...given) => {
      asked.push("row");
      return base.readConversation(...given);
    };
    const resolveSubject: typeof base.resolveSubject = (...given) => {
      asked.push("identity");
      return base.resolveSubject(...given);
    };
    const { memory } = testMemory({ store: { ...base, readConversation, resolveSubject } });
    await memory.conversation({ id: "c", subject: "ana" }).record({ messages: [user("I live in Porto")] });
    const chat = memory.conversation({ id: "c", ...(subject === undefined ? {} : { subject }) });
    for (const query of ["Porto", "Where did I live yesterday?"]) {
      asked.length = 0;
      await chat.search(query);
      expect(asked).toEqual(needed);
    }
  },
);

it("J7: a pasted document is asked by its beginning and its end, in words, by meaning and among facts", async () => {
  const embedded: string[] = [];
  const embedder = topicEmbedder();
  const embed = embedder.embed.bind(embedder);
  embedder.embed = (given, options) => {
    embedded.push(...given);
    return embed(given, options);
  };
  const { memory, chat } = await setUp(embedder);
  await memory.subject("ana").remember({ value: "keeps a beagle" });
  await memory.settled();
  const pasted = "lorem ipsum ".repeat(20_000);
  for (const question of [`Where is the vehicle? ${pasted}`, `${pasted}Where is the vehicle?`]) {
    embedded.length = 0;
    const { hits } = await chat.search(question, { mode: "keyword" });
    expect(hits[0]?.turn).toBe("t2");
    expect((await chat.search(question, { mode: "semantic" })).hits[0]?.turn).toBe("t2");
    expect(embedded).toHaveLength(1);
    expect(embedded[0]?.length).toBeLessThanOrEqual(MOST_ASKED);
  }
  const { facts } = await chat.recall({ query: `${pasted}What do I keep, a beagle?` });
  expect(facts).toMatchObject([{ value: "keeps a beagle" }]);
});
