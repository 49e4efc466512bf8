import { DatabaseSync } from "node:sqlite";
import type { Memory, MemoryPolicyInput } from "@throughline/core";
import { describe, expect, it, onTestFinished } from "vitest";
import { PLACES, type Place, type Planted, plantMemory, token } from "./support/planted-memory.ts";

const DAY_MS = 86_400_000;
const chatOf = (memory: Memory) => memory.conversation({ id: "chat", subject: "ana" });

/** What the conversation `chat` holds besides durable facts, and what these quote of it. */
const CHAT: readonly Place[] = [
  "userText",
  "assistantText",
  "reasoning",
  "toolInput",
  "toolOutput",
  "fileData",
  "messageNative",
  "partNative",
  "callOnlyText",
  "turnError",
  "failedText",
  "agentName",
  "summary",
  "foldedText",
  "newestText",
  "title",
  "metadata",
  "conversationFact",
  "artifactPage",
  "userVector",
  "assistantVector",
  "newestVector",
  "factQuote",
];
/** Durable facts whose evidence is the conversation `chat`. */
const DERIVED: readonly Place[] = [
  "factKey",
  "factValue",
  "factOldValue",
  "factTag",
  "factQuote",
  "topic",
  "topicValue",
];
const ANA: readonly Place[] = [
  ...CHAT,
  ...DERIVED,
  "globalFact",
  "personsFact",
  "recordOfAna",
  "otherChatText",
  "otherChatVector",
];

interface Erasure {
  name: string;
  gone: readonly Place[];
  run(planted: Planted): Promise<unknown>;
  policy?: MemoryPolicyInput;
}

const later =
  (ms: number) =>
  async ({ memory, tick }: Planted) => {
    tick(ms);
    return memory.operator.sweepRetention();
  };
const KEEP_ALL = { toolResults: "forever", vectors: "forever", artifacts: "forever", summaries: "forever" } as const;

const ERASURES: readonly Erasure[] = [
  {
    name: "forgetting a key, with what it superseded",
    gone: ["factKey", "factValue", "factOldValue", "factTag", "factQuote"],
    run: ({ memory }) => chatOf(memory).forget(token("factKey")),
  },
  {
    name: "forgetting by id",
    gone: ["topic", "topicValue"],
    run: ({ memory, fact }) => chatOf(memory).forget({ id: fact.topic }),
  },
  {
    name: "forgetting by tag",
    gone: ["factKey", "factValue", "factOldValue", "factTag", "factQuote"],
    run: ({ memory }) => chatOf(memory).forget({ tag: token("factTag") }),
  },
  {
    name: "forgetting all that the conversation reaches",
    gone: [...DERIVED, "conversationFact", "personsFact"],
    run: ({ memory }) => chatOf(memory).forget({ all: true }),
  },
  {
    name: "the operator's forgetting of a fact of the app",
    gone: ["appFact"],
    run: ({ memory }) => memory.operator.forget({ scope: "app", key: "hours" }),
  },
  {
    name: "undoing a change: what it replaced is there again",
    gone: ["factValue", "factQuote"],
    run: ({ memory, fact }) => memory.subject("ana").undo(fact.keyed),
  },
  {
    name: "a fact that the cap pushes out",
    policy: { enabled: true, conversation: { maxMessages: 8, keepMessages: 4 }, longTerm: { maxAgentFacts: 2 } },
    gone: ["topic", "topicValue"],
    async run({ memory }) {
      // Said again it is newer than the other one.
      await chatOf(memory).remember(token("factKey"), token("factValue"));
      await chatOf(memory).remember("another", "one");
    },
  },
  {
    name: "deleting a message, with the summary that repeats it",
    gone: ["userText", "fileData", "userVector", "summary"],
    run: ({ memory }) => chatOf(memory).deleteMessages(["m-user"]),
  },
  {
    name: "deleting a call, with its result",
    gone: ["reasoning", "callOnlyText", "partNative", "messageNative", "toolInput", "toolOutput", "summary"],
    run: ({ memory }) => chatOf(memory).deleteMessages(["m-call"]),
  },
  {
    name: "deleting a message that is not folded yet",
    gone: ["newestText", "newestVector"],
    run: ({ memory }) => chatOf(memory).deleteMessages(["m-newest"]),
  },
  { name: "deleting the summary", gone: ["summary"], run: ({ memory }) => chatOf(memory).deleteSummary() },
  {
    name: "deleting the summary and folding again",
    gone: ["summary"],
    async run({ memory }) {
      await chatOf(memory).deleteSummary();
      await chatOf(memory).record({ messages: [{ role: "user", content: "Go on." }] });
      await memory.settled();
      expect((await chatOf(memory).summary())?.text).toContain(token("userText"));
    },
  },
  {
    name: "taking title and metadata away",
    gone: ["title", "metadata"],
    run: ({ memory }) => chatOf(memory).update({ title: null, metadata: null }),
  },
  {
    name: "deleting an artifact",
    gone: ["artifactPage"],
    run: ({ memory, artifact }) => chatOf(memory).artifact(artifact).delete(),
  },
  {
    name: "patching a text out of an artifact",
    gone: ["artifactPage"],
    run: ({ memory, artifact }) =>
      chatOf(memory)
        .artifact(artifact)
        .patch([{ find: token("artifactPage"), replace: "" }]),
  },
  {
    name: "deleting a record",
    gone: ["recordOfAna"],
    run: ({ memory }) => memory.records(["prefs"]).delete("ana"),
  },
  { name: "deleting a conversation", gone: CHAT, run: ({ memory }) => chatOf(memory).delete() },
  {
    name: "deleting a conversation with what was derived from it",
    gone: [...CHAT, ...DERIVED],
    run: ({ memory }) => chatOf(memory).delete({ derived: true }),
  },
  {
    name: "rewinding a conversation and deleting it",
    gone: CHAT,
    async run({ memory }) {
      await chatOf(memory).rewind({ to: "t1" });
      await chatOf(memory).delete();
    },
  },
  {
    name: "clearing a conversation and deleting it",
    gone: CHAT,
    async run({ memory }) {
      await chatOf(memory).clear();
      await chatOf(memory).delete();
    },
  },
  {
    name: "deleting a conversation and its clone",
    gone: CHAT,
    async run({ memory }) {
      const copy = await chatOf(memory).clone("copy");
      await memory.settled();
      await chatOf(memory).delete();
      await copy.delete();
    },
  },
  {
    name: "deleting a conversation one turn of which was edited and another resumed",
    gone: CHAT,
    async run({ memory }) {
      const chat = chatOf(memory);
      await chat.record({ messages: [{ role: "user", content: "edited" }], replaces: "t5" });
      const turn = await chat.begin({ messages: [{ role: "user", content: "wait" }] });
      await turn.pause([{ role: "assistant", content: token("newestText") }]);
      await (await chat.resume())?.complete([{ role: "assistant", content: "went on" }]);
      await memory.settled();
      await chat.delete();
    },
  },
  { name: "erasing a person", gone: ANA, run: ({ memory }) => memory.subject("ana").erase() },
  {
    name: "erasing a person under another name that was linked",
    gone: ANA,
    async run({ memory }) {
      await memory.operator.link({ identity: "ana", subject: "ana-of-accounts" });
      await memory.subject("ana").erase();
    },
  },
  {
    name: "erasing a person whose conversation was transferred stays with the new one",
    gone: ANA.filter((place) => !CHAT.includes(place) || DERIVED.includes(place)),
    async run({ memory }) {
      await memory.operator.transfer({ conversation: "chat", subject: "bob" });
      await memory.subject("ana").erase();
    },
  },
  {
    name: "erasing a person takes what they said in a conversation that is another's now",
    gone: ANA.filter(
      (place) =>
        !["newestText", "newestVector", "title", "metadata", "conversationFact", "artifactPage"].includes(place),
    ),
    async run({ memory }) {
      await chatOf(memory).rebindSubject("bob");
      await memory.subject("ana").erase();
    },
  },
  {
    name: "the retention of tool results",
    policy: { retention: { ...KEEP_ALL, toolResults: "1d" } },
    gone: ["toolOutput"],
    run: later(2 * DAY_MS),
  },
  {
    name: "the retention of artifacts",
    policy: { retention: { ...KEEP_ALL, artifacts: "1d" } },
    gone: ["artifactPage"],
    run: later(2 * DAY_MS),
  },
  {
    name: "the retention of summaries",
    policy: { retention: { ...KEEP_ALL, summaries: "1d" } },
    gone: ["summary"],
    run: later(2 * DAY_MS),
  },
  {
    name: "the retention of vectors",
    policy: { retention: { ...KEEP_ALL, vectors: "1d" } },
    gone: PLACES.filter((place) => place.endsWith("Vector")),
    run: later(2 * DAY_MS),
  },
  {
    name: "the retention of messages, of everybody",
    policy: { retention: { ...KEEP_ALL, messages: "1d" } },
    gone: [
      ...CHAT.filter((place) => !["title", "metadata", "conversationFact"].includes(place)),
      "otherChatText",
      "otherChatVector",
      "bobsText",
      "bobsVector",
    ],
    run: later(2 * DAY_MS),
  },
  {
    name: "the expiry of what agents noted",
    policy: { retention: KEEP_ALL },
    gone: [...DERIVED, "conversationFact", "bobsFact"],
    run: later(100 * DAY_MS),
  },
];

describe("the bytes after an erasure", () => {
  it.each(ERASURES)("PR7/A3: $name", async ({ gone, run, policy }) => {
    const planted = await plantMemory(policy);
    // Were a token not in the bytes before, its absence would show nothing.
    const before = planted.found();
    if (policy === undefined || "retention" in policy) expect(before).toEqual(PLACES);
    await run(planted);
    const after = before.filter((place) => !gone.includes(place));
    expect(planted.found()).toEqual(after);
    await planted.reopen();
    expect(planted.found()).toEqual(after);
  });
});

/** Another program that still reads the state before an erasure. */
function reader(path: string): { letGo(): void } {
  const database = new DatabaseSync(path);
  database.exec("BEGIN");
  database.prepare("SELECT count(*) FROM heap").get();
  let isOpen = true;
  const letGo = () => {
    if (isOpen) database.close();
    isOpen = false;
  };
  onTestFinished(letGo);
  return { letGo };
}

describe("the bytes while another program reads an older state", () => {
  it.each<[string, readonly Place[], (planted: Planted) => Promise<{ residue: { what: string }[] }>]>([
    ["a conversation", CHAT, ({ memory }) => chatOf(memory).delete()],
    ["a person", ANA, ({ memory }) => memory.subject("ana").erase()],
  ])(
    "PR7/A3/G4: the receipt of erasing %s names what is left, and it is gone once nobody reads it",
    async (...given) => {
      const [, gone, erase] = given;
      const planted = await plantMemory();
      const { letGo } = reader(planted.path);
      const { residue } = await erase(planted);
      expect(residue.map((entry) => entry.what)).toEqual(["write-ahead log"]);
      expect(planted.found()).toEqual(PLACES);
      letGo();
      // The next erasure empties the log, and so does closing.
      expect((await planted.memory.conversation({ id: "none" }).delete()).residue).toEqual([]);
      expect(planted.found()).toEqual(PLACES.filter((place) => !gone.includes(place)));
    },
  );

  const noted: [name: string, gone: readonly Place[], erase: (planted: Planted) => Promise<{ residue?: unknown }>][] = [
    ["a forget", ["topic", "topicValue"], ({ memory, fact }) => chatOf(memory).forget({ id: fact.topic })],
    ["the operator's forget", ["appFact"], ({ memory }) => memory.operator.forget({ scope: "app", key: "hours" })],
    ["an undo", ["factValue", "factQuote"], ({ memory, fact }) => memory.subject("ana").undo(fact.keyed)],
    ["a deleted message", ["newestText", "newestVector"], ({ memory }) => chatOf(memory).deleteMessages(["m-newest"])],
    ["a deleted summary", ["summary"], ({ memory }) => chatOf(memory).deleteSummary()],
    ["a retention sweep", ["toolOutput"], later(40 * DAY_MS)],
  ];
  it.each(noted)(
    "PR7/A3: the answer to %s names what is left, and it is gone once nobody reads it",
    async (...given) => {
      const [, gone, erase] = given;
      const planted = await plantMemory({ retention: { ...KEEP_ALL, toolResults: "30d" } });
      const { letGo } = reader(planted.path);
      expect(await erase(planted)).toMatchObject({ residue: [{ what: "write-ahead log" }] });
      expect(planted.found()).toEqual(PLACES);
      letGo();
      await planted.reopen();
      expect(planted.found()).toEqual(PLACES.filter((place) => !gone.includes(place)));
    },
  );
});
