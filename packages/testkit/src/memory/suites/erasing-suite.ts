import type {
  Conversation,
  ConversationOwner,
  FactOwner,
  Memory,
  MemoryStore,
  Receipt,
  Summarizer,
} from "@throughline/core";
import { expect } from "vitest";
import type { MemoryCase, MemorySuite } from "../memory-suite.ts";
import { assistant, calling, DAY_MS, resultOf, say, texts, topicEmbedder, user } from "../talk.ts";

const TOKEN = "planted-qk37vx-token";
const ANSWER = "answered-zw83jk-token";
const LARGE = "a line of the file\n".repeat(3_000);

/** Ids of a conversation's messages that have a vector, wherever the store has it kept. */
async function embeddedMessages(store: MemoryStore, owner: ConversationOwner): Promise<string[]> {
  const { modelId, dimensions } = topicEmbedder();
  const scope = { kind: "conversation", conversation: owner.conversation } as const;
  const vector = new Float32Array(dimensions);
  const found = await store.vectors?.nearest(owner, scope, {
    model: { modelId, dimensions },
    vector,
    limit: 99,
    floor: -2,
  });
  if (found !== undefined) return found.map(({ message }) => message);
  const items = await store.readItems(owner, { prefix: "vector/", limit: 9 });
  const heads = items.map(({ bytes }) => new TextDecoder().decode(bytes));
  return heads.flatMap((head) => ["m1", "m2"].filter((id) => head.includes(`"${id}"`)));
}

/** All facts of these people, of the app and of the conversation `c`, history included, and all records: what stays beside the turns. */
async function keptBeside(store: MemoryStore): Promise<string> {
  const agent = { tenant: "default", agent: "helper" };
  const owners: FactOwner[] = ["ana", "bob"].map((id) => ({ ...agent, scope: "user", id }));
  owners.push({ ...agent, scope: "conversation", id: "c" }, { ...agent, scope: "app", id: "" });
  const query = { now: "2026-01-01T00:00:00.000Z", history: true, limit: 99 } as const;
  const records = await store.readRecords(agent, { now: query.now, namespace: [], limit: 99 });
  return JSON.stringify([await store.readFacts(owners, query), records]);
}

/** A conversation whose facts quote its first turn: the person's words, and a tool's answer. */
async function quoted(memory: Memory, chat: Conversation): Promise<void> {
  const turn = await chat.begin({ id: "t1", messages: [user(`I live in Porto, ${TOKEN}`, "m1")] });
  const quote = `I live in Porto, ${TOKEN}`;
  await turn.conversation.remember("city", "Lisbon", { quote });
  await turn.conversation.remember("city", "Porto", { quote });
  await turn.conversation.remember("here", true, { quote, scope: "conversation" });
  await turn.conversation.remember("seen", "a page", { quote: `it said ${ANSWER}` });
  const source = { conversation: "c", turn: "t1", quote };
  await memory.operator.remember({ scope: "app", value: "people live in Porto", ...source });
  await turn.complete([calling("k", "m2"), resultOf("k", `read: ${ANSWER}`, "m3"), assistant("Fine.", "m4")]);
  await chat.record({ id: "t2", messages: [user("I have a dog", "m5"), assistant("Good.", "m6")] });
  await chat.remember("dog", "yes", { quote: "I have a dog" });
}

interface Erasing {
  memory: Memory;
  chat: Conversation;
  tick(ms: number): void;
}

const QUOTING: readonly {
  name: string;
  /** What the answer says that stays. */
  erase(planted: Erasing): Promise<Receipt["kept"]>;
  /** How many facts rest on what went, history and the conversation's own included where these stay. */
  resting: number;
  /** What is quoted still. */
  left: readonly string[];
}[] = [
  {
    name: "deleting a message",
    resting: 4,
    erase: async ({ chat }) => (await chat.deleteMessages(["m1"])).kept,
    left: [ANSWER, "I have a dog"],
  },
  {
    name: "deleting a tool's answer",
    resting: 1,
    erase: async ({ chat }) => (await chat.deleteMessages(["m3"])).kept,
    left: [TOKEN, "I have a dog"],
  },
  {
    name: "deleting a turn, message by message",
    resting: 5,
    erase: async ({ chat }) => (await chat.deleteMessages(["m1", "m2", "m3", "m4"])).kept,
    left: ["I have a dog"],
  },
  { name: "deleting the conversation", resting: 5, erase: async ({ chat }) => (await chat.delete()).kept, left: [] },
  {
    name: "deleting a conversation that is another person's by then",
    resting: 5,
    async erase({ memory, chat }) {
      await chat.rebindSubject("bob", { restamp: "all" });
      return (await memory.conversation({ id: "c", subject: "bob" }).delete()).kept;
    },
    left: [],
  },
  {
    name: "erasing the person whose the conversation is by then",
    resting: 5,
    async erase({ memory, chat }) {
      await chat.rebindSubject("bob", { restamp: "all" });
      return (await memory.subject("bob").erase()).kept;
    },
    left: [],
  },
  {
    name: "the retention of messages",
    resting: 6,
    async erase({ memory, tick }) {
      tick(11 * DAY_MS);
      return (await memory.operator.sweepRetention()).kept;
    },
    left: [],
  },
  {
    name: "the retention of tool results",
    resting: 1,
    async erase({ memory, tick }) {
      tick(3 * DAY_MS);
      return (await memory.operator.sweepRetention()).kept;
    },
    left: [TOKEN, "I have a dog"],
  },
];

/** Erasing: what goes, what stays, and that nothing under way brings it back. */
export const erasingSuite: MemorySuite = {
  name: "erasing",
  cases: [
    {
      rules: ["A2"],
      title: "a deleted conversation leaves durable facts, and a turn under way in it is refused",
      async run({ memory }) {
        const made = memory();
        const chat = made.conversation({ id: "c", subject: "ana" });
        await say(chat, 1, 2);
        await chat.remember("dog", "Rex");
        await chat.remember("here", 1, { scope: "conversation" });
        const turn = await chat.begin({ messages: [user("late")] });
        const receipt = await chat.delete();
        expect(receipt).toMatchObject({ removed: { conversations: 1, turns: 2, messages: 4, facts: 1 } });
        expect(await turn.complete([assistant("late")])).toMatchObject({ status: "refused", code: "ERASED" });
        expect(await turn.conversation.remember("here", 2, { scope: "conversation" })).toMatchObject({
          code: "ERASED",
        });
        expect((await made.conversations()).items).toEqual([]);
        expect((await made.subject("ana").facts()).map((fact) => fact.key)).toEqual(["dog"]);
        await chat.record({ messages: [user("anew")] });
        expect(texts(await chat.history())).toEqual(["anew"]);
      },
    },
    {
      rules: ["PR7", "A3"],
      title: "of what is erased no byte is left, or the receipt names what holds it and why",
      async run({ memory, peek }) {
        const made = memory();
        const chat = made.conversation({ id: "c", subject: "ana" });
        await chat.record({ messages: [user(`my ${TOKEN}`, "m1"), assistant("yes", "m2")] });
        await chat.remember("note", TOKEN);
        await made.settled();
        const residues = [
          (await chat.forget("note")).residue,
          (await chat.deleteMessages(["m1"])).residue,
          (await chat.delete()).residue,
          (await made.subject("ana").erase()).residue,
        ];
        for (const left of residues.flatMap((residue) => residue ?? [])) {
          expect([left.what, left.why]).toEqual([expect.stringMatching(/./), expect.stringMatching(/./)]);
        }
        const runs = (await peek?.()) ?? [];
        const isThere = runs.some((run) => Buffer.from(run.buffer, run.byteOffset, run.byteLength).includes(TOKEN));
        if (isThere) expect(residues.at(-1), "what still holds it").not.toEqual([]);
        expect((await made.subject("ana").search(TOKEN)).hits).toEqual([]);
      },
    },
    ...QUOTING.map(
      ({ name, erase, left, resting }): MemoryCase => ({
        rules: ["PR7", "G4"],
        title: `after ${name} no fact quotes what went, and the facts stay with where they came from`,
        async run({ memory, store, tick, peek }) {
          const made = memory({ policy: { enabled: true, retention: { messages: "10d", toolResults: "2d" } } });
          const chat = made.conversation({ id: "c", subject: "ana" });
          await quoted(made, chat);
          expect(await keptBeside(store)).toContain(TOKEN);
          expect(await keptBeside(store)).toContain(ANSWER);
          const kept = await erase({ memory: made, chat, tick });
          const beside = await keptBeside(store);
          const quotes = [TOKEN, ANSWER, "I have a dog"];
          expect(quotes.filter((words) => beside.includes(words))).toEqual(left);
          const bytes = Buffer.concat((await peek?.()) ?? []);
          expect(quotes.filter((words) => bytes.includes(words) && !left.includes(words))).toEqual([]);
          const facts = await made.subject("ana").facts({ history: true });
          expect(new Set(facts.map(({ key, source }) => `${key} ${source?.conversation} ${source?.turn}`))).toEqual(
            new Set(["city c t1", "seen c t1", "dog c t2"]),
          );
          expect(facts.map(({ value }) => value).sort()).toEqual(["Lisbon", "Porto", "a page", "yes"]);
          expect(kept).toEqual({ facts: resting });
        },
      }),
    ),
    {
      rules: ["PR7", "G4"],
      title: "who deletes a message is told how many of a host's states may hold it still",
      async run({ memory, store }) {
        const made = memory();
        const chat = made.conversation({ id: "c", subject: "ana" });
        await chat.record({ messages: [user(TOKEN, "m1"), assistant("yes", "m2")] });
        const ref = { id: "c", subject: "ana" };
        const state = { space: "", values: [], tags: [], body: JSON.stringify(TOKEN) };
        if (store.checkpoints) for (const id of ["1", "2"]) await made.checkpoints.put(ref, { ...state, id });
        expect((await chat.deleteMessages(["m1"])).kept).toEqual(store.checkpoints && { checkpoints: 2 });
      },
    },
    {
      rules: ["G4"],
      title: "a fact quotes a turn that was over as it was written, and goes with what was derived from that",
      async run({ memory }) {
        const made = memory();
        const chat = made.conversation({ id: "c", subject: "ana" });
        await chat.record({ id: "t1", messages: [user("My dog is called Rex"), assistant("Hello Rex")] });
        await chat.record({ id: "t2", messages: [user("Bye")] });
        await chat.remember("dog", "Rex", { quote: "my dog is called Rex" });
        await chat.remember({ value: "likes jazz", quote: "I like jazz" });
        await made.conversation({ id: "c", subject: "bob" }).remember("dog", "Rex", { quote: "my dog is called Rex" });
        const sources = async (who: string) => (await made.subject(who).facts()).map(({ source }) => source);
        expect(await sources("ana")).toEqual([
          undefined,
          { conversation: "c", turn: "t1", quote: "my dog is called Rex" },
        ]);
        expect(await sources("bob")).toEqual([undefined]);
        const receipt = await chat.delete({ derived: true });
        expect(receipt).toMatchObject({ removed: { facts: 1 } });
        expect(receipt.kept).toBeUndefined();
        expect((await made.subject("ana").facts()).map(({ value }) => value)).toEqual(["likes jazz"]);
      },
    },
    {
      rules: ["A2", "C4"],
      title: "what is erased while a carry-over is made of it isn't told by that",
      async run({ memory }) {
        let meanwhile = async (): Promise<unknown> => undefined;
        const summarizer: Summarizer = async ({ previous, turns }) => {
          const running = meanwhile;
          meanwhile = async () => undefined;
          await running();
          return [previous ?? "", ...turns.flatMap(({ messages }) => texts(messages))].join(" ");
        };
        const policy = { enabled: true, carryOver: { every: "turn" } } as const;
        const made = memory({ summarizer, policy });
        const another = memory({ summarizer, policy });
        const in1 = (id: string) => ({ id, subject: "ana", login: "monday" });
        const sayIn = (id: string, said: string) =>
          made.conversation(in1(id)).record({ id: "t", messages: [user(said, "m1"), assistant("Fine.", "m2")] });
        const told = async () => (await made.subject("ana").carryOver())?.text ?? "";
        await sayIn("a", TOKEN);
        meanwhile = () => another.conversation(in1("a")).deleteMessages(["m1"]);
        await made.settled();
        expect((await told()).trim()).toBe("Fine.");
        await sayIn("b", TOKEN);
        meanwhile = async () => {
          await another.conversation(in1("b")).delete();
          await another.conversation(in1("b")).record({ id: "t", messages: [user("anew", "m1")] });
        };
        await made.settled();
        await made.sweep();
        expect(await told()).toContain("anew");
        expect(await told()).not.toContain(TOKEN);
      },
    },
    {
      rules: ["G4"],
      title: "deleted with what was derived from it alone, it takes its facts along and what they replaced is back",
      async run({ memory }) {
        const made = memory();
        const first = await made.conversation({ id: "first", subject: "ana" }).begin({ messages: [user("Porto")] });
        await first.conversation.remember("city", "Porto");
        await first.complete([assistant("ok")]);
        const chat = made.conversation({ id: "second", subject: "ana" });
        const second = await chat.begin({ messages: [user("Braga, and a dog")] });
        await second.conversation.remember("city", "Braga");
        await second.conversation.remember("dog", "Rex");
        await second.complete([assistant("ok")]);
        expect((await chat.delete({ derived: true })).removed).toMatchObject({ turns: 1, facts: 2 });
        const facts = await made.subject("ana").facts();
        expect(facts.map((fact) => [fact.key, fact.value])).toEqual([["city", "Porto"]]);
      },
    },
    {
      rules: ["S1", "W16"],
      title: "what is left of a turn that was rewritten while it was hidden is found once it is shown again",
      async run({ memory, store }) {
        const made = memory();
        const chat = made.conversation({ id: "c", subject: "ana" });
        const owner = { tenant: "default", agent: "helper", conversation: "c" };
        await chat.record({ id: "t1", messages: [user("hello")] });
        await chat.record({ id: "t2", messages: [user("about figs", "m1"), assistant("and plums", "m2")] });
        await made.settled();
        await chat.rewind({ to: "t1" });
        await chat.deleteMessages(["m1"]);
        await made.settled();
        const found = async (words: string) => (await made.subject("ana").search(words)).hits.map(({ turn }) => turn);
        expect(await found("plums")).toEqual([]);
        await store.changeTurns(owner, [{ turn: "t2", action: "show" }]);
        expect(await found("plums")).toEqual(["t2"]);
        expect(await found("figs")).toEqual([]);
      },
    },
    {
      rules: ["A2", "F11"],
      title: "an erased person is gone under every name, with records, and nobody else is touched",
      async run({ memory }) {
        const made = memory({ embedder: topicEmbedder() });
        await made.conversation({ id: "c", subject: "phone" }).record({ messages: [user("my beagle")] });
        const bob = made.conversation({ id: "b", subject: "bob" });
        await bob.record({ messages: [user("bob's beagle")] });
        await bob.remember("name", "Bob");
        await made.operator.link({ identity: "phone", subject: "ana" });
        await made.subject("ana").remember({ scope: "global", key: "name", value: "Ana" });
        await made.records(["prefs"]).put("ana", 1, { subject: "ana" });
        await made.settled();
        const turn = await made.conversation({ id: "c", subject: "ana" }).begin({ messages: [user("late")] });
        const receipt = await made.subject("ana").erase();
        expect(receipt.removed).toMatchObject({ turns: 1, facts: 1, records: 1, identities: 1 });
        expect(await turn.complete([assistant("late")])).toMatchObject({ code: "ERASED" });
        expect((await made.conversations()).items.map((info) => info.id)).toEqual(["b"]);
        expect(await made.subject("ana").facts({ history: true })).toEqual([]);
        expect(await made.records(["prefs"]).get("ana")).toBeNull();
        expect((await made.operator.search("puppy beagle")).hits.map((hit) => hit.conversation)).toEqual(["b"]);
        expect(await bob.recall("name")).toBe("Bob");
      },
    },
    {
      rules: ["A2", "F10"],
      title: "what an erased person said in a conversation of somebody else's now goes with its vectors and artifacts",
      async run({ memory, store }) {
        const made = memory({ embedder: topicEmbedder() });
        const chat = made.conversation({ id: "c", subject: "ana" });
        const turn = await chat.begin({ id: "t1", messages: [user("my beagle")] });
        const shown = await turn.offload({ type: "tool-result", callId: "k", tool: "read", output: LARGE });
        await turn.complete([
          { role: "assistant", parts: [{ type: "tool-call", callId: "k", tool: "read", input: {} }] },
          { role: "tool", parts: [shown] },
        ]);
        await chat.record({ id: "t2", messages: [user("and a vehicle")] });
        await made.settled();
        await chat.rebindSubject("bob");
        expect((await made.subject("ana").erase()).removed).toMatchObject({ turns: 1, items: 2 });
        expect((await chat.transcript()).turns.map((entry) => entry.id)).toEqual(["t2"]);
        expect((await chat.search("puppy")).hits).toEqual([]);
        expect((await chat.search("drive")).hits.map((hit) => hit.turn)).toEqual(["t2"]);
        const owner = { tenant: "default", agent: "helper", conversation: "c" };
        expect(await store.readItems(owner, { prefix: "artifact/", limit: 9 })).toEqual([]);
      },
    },
    {
      rules: ["A2", "W9"],
      title: "an artifact that a turn under way keeps too late isn't kept",
      async run({ memory, store }) {
        const chat = memory().conversation({ id: "c", subject: "ana" });
        const turn = await chat.begin({ messages: [user("read the file")] });
        await chat.delete();
        const shown = await turn.offload({ type: "tool-result", callId: "k", tool: "read", output: LARGE });
        expect(String(shown.output).length).toBeLessThan(LARGE.length);
        expect(await turn.complete([assistant("read")])).toMatchObject({ code: "ERASED" });
        const owner = { tenant: "default", agent: "helper", conversation: "c" };
        expect(await store.readItems(owner, { prefix: "", limit: 9 })).toEqual([]);
      },
    },
    {
      rules: ["A2", "S6"],
      title: "an embedder that is still at it brings back no vector of what was deleted meanwhile",
      async run({ memory, store }) {
        const { promise: held, resolve: release } = Promise.withResolvers<void>();
        const { promise: reached, resolve: reach } = Promise.withResolvers<void>();
        const made = memory({
          embedder: topicEmbedder({
            before() {
              reach();
              return held;
            },
          }),
        });
        const chat = made.conversation({ id: "c", subject: "ana" });
        const gone = made.conversation({ id: "gone", subject: "ana" });
        await chat.record({ messages: [user("my beagle", "m1"), assistant("drive on", "m2")] });
        await gone.record({ messages: [user("my puppy")] });
        const work = made.settled();
        await reached;
        await chat.deleteMessages(["m1"]);
        await gone.delete();
        release();
        await work;
        const owner = (conversation: string) => ({ tenant: "default", agent: "helper", conversation });
        expect(await store.readItems(owner("gone"), { prefix: "", limit: 9 })).toEqual([]);
        expect(await embeddedMessages(store, owner("c"))).toEqual(["m2"]);
      },
    },
  ],
};
