import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createMemory, type Embedder, type Memory, type MemoryPolicyInput, type Part } from "@throughline/core";
import { sqliteStore } from "@throughline/store-sqlite";
import { onTestFinished } from "vitest";
import { temporaryDirectory } from "./fixtures.ts";

const WORDS = [
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
  "factKey",
  "factValue",
  "factOldValue",
  "factTag",
  "factQuote",
  "topic",
  "topicValue",
  "conversationFact",
  "globalFact",
  "personsFact",
  "artifactPage",
  "recordOfAna",
  "otherChatText",
  "bobsText",
  "bobsFact",
  "appFact",
  "recordOfNobody",
] as const;
const VECTORS = ["userVector", "assistantVector", "newestVector", "otherChatVector", "bobsVector"] as const;

/** Everywhere a text can come to stand. */
export type Place = (typeof WORDS)[number] | (typeof VECTORS)[number];

/** The word that stands at a place and nowhere else. */
export const token = (place: (typeof WORDS)[number]): string => `zq${WORDS.indexOf(place)}q${place.toLowerCase()}qz`;

const DIMENSIONS = 16;

/** A vector that tells its text. */
function vectorOf(text: string): Float32Array {
  let state = 7;
  for (const unit of text) state = (Math.imul(state, 31) + unit.charCodeAt(0)) >>> 0;
  return Float32Array.from({ length: DIMENSIONS }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 31 - 1;
  });
}

/** The bytes that such a vector is kept as: at length 1, 32-bit floats. */
function vectorBytes(text: string): Buffer {
  const vector = vectorOf(text);
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
  return Buffer.from(vector.map((value) => value / length).buffer);
}

const TEXTS = {
  user: `Please look at ${token("userText")} for me`,
  assistant: `There it is: ${token("assistantText")}`,
  newest: `One more thing: ${token("newestText")}`,
  other: `In the other chat: ${token("otherChatText")}`,
  bob: `I am Bob, ${token("bobsText")}`,
};
const FILE = Buffer.from(`file of ${token("fileData")}`).toString("base64");

/** What to look for in the bytes. */
const TRACES: readonly (readonly [Place, Buffer])[] = [
  ...WORDS.map((place) => [place, Buffer.from(place === "fileData" ? FILE : token(place))] as const),
  ["userVector", vectorBytes(TEXTS.user)],
  ["assistantVector", vectorBytes(TEXTS.assistant)],
  ["newestVector", vectorBytes(TEXTS.newest)],
  ["otherChatVector", vectorBytes(TEXTS.other)],
  ["bobsVector", vectorBytes(TEXTS.bob)],
];
export const PLACES: readonly Place[] = TRACES.map(([place]) => place);

const embedder: Embedder = {
  modelId: "telling@1",
  dimensions: DIMENSIONS,
  embed: async (texts) => texts.map(vectorOf),
};

/** Ids that tests name. */
export interface Planted {
  memory: Memory;
  directory: string;
  path: string;
  /** Ids of facts. */
  fact: { keyed: string; topic: string };
  artifact: string;
  /** Moves the memory's clock on. */
  tick(ms: number): void;
  /** The places whose text stands in the database, its log or beside them. */
  found(): Place[];
  /** The memory again, on the same file. */
  reopen(): Promise<Memory>;
}

/** A memory on a file with a token at every place. */
export async function plantMemory(policy: MemoryPolicyInput = {}): Promise<Planted> {
  const directory = temporaryDirectory();
  const path = join(directory, "memory.db");
  let aheadMs = 0;
  let id = 0;
  let folds = 0;
  const open = (): Memory => {
    const memory = createMemory({
      agent: "helper",
      store: sqliteStore({ path }),
      policy: { enabled: true, conversation: { maxMessages: 8, keepMessages: 4 }, ...policy },
      env: {},
      embedder,
      // Repeats what it folds, as summaries do, and has a word of its own the first time.
      summarizer: ({ previous, turns }) => {
        const words = turns.flatMap((turn) => turn.messages.flatMap((message) => wordsOf(message.parts)));
        return [previous ?? (folds++ === 0 ? token("summary") : "again"), ...words].join(" ");
      },
      onEvent: () => undefined,
      clock: () => new Date(Date.UTC(2026, 2, 1) + aheadMs++),
      createId: () => `id-${++id}`,
    });
    onTestFinished(() => memory.close());
    return memory;
  };
  let memory = open();
  const ids = await plant(memory);
  return {
    memory,
    directory,
    path,
    ...ids,
    tick(ms) {
      aheadMs += ms;
    },
    found() {
      const bytes = Buffer.concat(readdirSync(directory).map((name) => readFileSync(join(directory, name))));
      return TRACES.filter(([, trace]) => bytes.includes(trace)).map(([place]) => place);
    },
    async reopen() {
      await memory.close();
      memory = open();
      await memory.conversations();
      return memory;
    },
  };
}

const wordsOf = (parts: readonly Part[]): string[] =>
  parts.flatMap((part) => (part.type === "text" ? (part.text.match(/zq\w+qz/g) ?? []) : []));

const user = (content: string, id?: string) =>
  ({ role: "user", content, ...(id === undefined ? {} : { id }) }) as const;
const assistant = (content: string, id?: string) =>
  ({ role: "assistant", content, ...(id === undefined ? {} : { id }) }) as const;

async function plant(memory: Memory): Promise<Pick<Planted, "fact" | "artifact">> {
  const bob = memory.conversation({ id: "bobs", subject: "bob" });
  await bob.record({ id: "b1", messages: [user(TEXTS.bob)] });
  await bob.remember("trade", token("bobsFact"));
  await memory.operator.remember({ scope: "app", key: "hours", value: token("appFact") });
  await memory.records(["flags"]).put("open", { text: token("recordOfNobody") });

  const chat = memory.conversation({ id: "chat", subject: "ana" });
  await chat.record({
    id: "t1",
    agentName: token("agentName"),
    messages: [
      {
        id: "m-user",
        role: "user",
        parts: [
          { type: "text", text: TEXTS.user },
          { type: "file", mediaType: "text/plain", data: FILE },
        ],
      },
      {
        id: "m-call",
        role: "assistant",
        parts: [
          { type: "reasoning", text: token("reasoning") },
          { type: "text", text: token("callOnlyText"), native: { format: "h@1", value: token("partNative") } },
          { type: "tool-call", callId: "k", tool: "look", input: { at: token("toolInput") } },
        ],
        native: { format: "h@1", value: [token("messageNative")] },
      },
      {
        id: "m-result",
        role: "tool",
        parts: [{ type: "tool-result", callId: "k", tool: "look", output: { is: token("toolOutput") } }],
      },
      assistant(TEXTS.assistant, "m-answer"),
    ],
  });
  const failed = await chat.begin({ id: "t-failed", messages: [user(token("failedText"))] });
  await failed.fail(new Error(`The provider said ${token("turnError")}`));
  await chat.record({ id: "t2", messages: [user(`Earlier: ${token("foldedText")}`, "m-folded"), assistant("yes")] });
  for (const turn of ["t3", "t4"]) await chat.record({ id: turn, messages: [user(turn), assistant("fine")] });

  const turn = await chat.begin({
    id: "t5",
    messages: [user(TEXTS.newest, "m-newest")],
  });
  const noted = { tags: [token("factTag")], idempotencyKey: "call-1" };
  await turn.conversation.remember(`${token("factKey")}`, token("factOldValue"), noted);
  const keyed = await turn.conversation.remember(`${token("factKey")}`, token("factValue"), {
    ...noted,
    idempotencyKey: "call-2",
    quote: `as they said: ${token("factQuote")}`,
  });
  const topic = await turn.conversation.remember({ topic: token("topic"), value: { deep: [token("topicValue")] } });
  await turn.conversation.remember("here", token("conversationFact"), { scope: "conversation" });
  const large = `${"first page ".repeat(2_000)}${token("artifactPage")} ${"and on ".repeat(3_000)}`;
  const shown = await turn.offload({ type: "tool-result", callId: "big", tool: "fetch", output: large });
  await turn.complete([
    { role: "assistant", parts: [{ type: "tool-call", callId: "big", tool: "fetch", input: {} }] },
    { role: "tool", parts: [shown] },
    assistant("done"),
  ]);
  await memory.subject("ana").remember({ scope: "global", key: "name", value: token("globalFact") });
  await memory.subject("ana").remember({ key: "pronoun", value: token("personsFact") });
  await chat.update({ title: token("title"), metadata: { note: token("metadata") } });
  await memory.records(["prefs"]).put("ana", { theme: token("recordOfAna") }, { subject: "ana" });
  await memory.conversation({ id: "other", subject: "ana" }).record({ id: "o1", messages: [user(TEXTS.other)] });
  await memory.settled();
  const artifact = /art_\w+/.exec(JSON.stringify(shown.output))?.[0];
  if (artifact === undefined || keyed.id === undefined || topic.id === undefined)
    throw new Error("Not all is planted.");
  return { fact: { keyed: keyed.id, topic: topic.id }, artifact };
}
