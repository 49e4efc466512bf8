import { describe, expect, it } from "vitest";
import { type Conversation, inMemoryStore } from "../src/index.ts";
import { assistant, call, codeOf, result, testMemory, texts, user } from "./support.ts";

const say = async (chat: Conversation, count: number) => {
  for (let n = 1; n <= count; n++) {
    await chat.record({
      id: `t${n}`,
      messages: [
        { ...user(`q${n}`), id: `u${n}` },
        { ...assistant(`a${n}`), id: `a${n}` },
      ],
    });
  }
};

describe("administering a conversation", () => {
  it("W16: titles, with a version that nobody overwrites unseen", async () => {
    const { memory } = testMemory();
    const chat = memory.conversation({ id: "c", subject: "ana" });
    await say(chat, 1);
    await chat.update({ title: "Holidays", metadata: { folder: 7 } });
    const [info] = (await memory.conversations()).items;
    expect(info).toMatchObject({ title: "Holidays", metadata: { folder: 7 } });
    expect(await codeOf(() => chat.update({ title: "x", ifVersion: 1 }))).toBe("VERSION_CONFLICT");
    await chat.update({ title: null, ifVersion: info?.version ?? 0 });
    expect((await memory.conversations()).items[0]?.title).toBeUndefined();
    expect(await codeOf(() => chat.update({ title: 7 as never }))).toBe("INVALID_ARGUMENT");
    expect(await codeOf(() => memory.conversation({ id: "c", subject: "bob" }).update({ title: "x" }))).toBe(
      "CONVERSATION_OWNER_MISMATCH",
    );
  });

  it("W16: clones the visible turns into a new conversation, and never over one", async () => {
    const { memory } = testMemory();
    const chat = memory.conversation({ id: "c", subject: "ana" });
    await say(chat, 3);
    await chat.rewind({ to: "t2" });
    const copy = await chat.clone("copy");
    expect(texts(await copy.history())).toEqual(["q1", "a1", "q2", "a2"]);
    await copy.record({ messages: [user("only here")] });
    expect(texts(await chat.history())).toEqual(["q1", "a1", "q2", "a2"]);
    expect((await copy.transcript()).subject).toBe("ana");
    expect(await codeOf(() => chat.clone("copy"))).toBe("INVALID_ARGUMENT");
  });

  it("W16: rewinds to a turn; what came after stays in the transcript only", async () => {
    const { memory } = testMemory();
    const chat = memory.conversation({ id: "c", subject: "ana" });
    await say(chat, 3);
    expect((await chat.rewind({ to: "t1" })).status).toBe("stored");
    expect(texts(await chat.history())).toEqual(["q1", "a1"]);
    expect((await chat.transcript()).turns.map((turn) => turn.hidden ?? false)).toEqual([false, true, true]);
    expect((await chat.search("q3")).hits).toEqual([]);
    expect((await chat.rewind({ to: "t1" })).status).toBe("unchanged");
    expect(await codeOf(() => chat.rewind({ to: "t9" }))).toBe("NOT_FOUND");
    await chat.record({ messages: [user("another way")] });
    expect(texts(await chat.history())).toEqual(["q1", "a1", "another way"]);
  });

  it("W16: deletes single messages, and with a call its result", async () => {
    const { memory } = testMemory();
    const chat = memory.conversation({ id: "c" });
    await chat.record({
      id: "t1",
      messages: [
        { ...user("look it up"), id: "u" },
        { id: "k", role: "assistant", parts: [{ type: "text", text: "looking" }, call("c1")] },
        { id: "r", role: "tool", parts: [result("c1", "secret result")] },
        { ...assistant("found"), id: "a" },
      ],
    });
    await memory.settled();
    expect((await chat.deleteMessages(["r"])).status).toBe("stored");
    expect(texts(await chat.history())).toEqual(["look it up", "looking", "found"]);
    expect((await chat.search("found")).hits).toHaveLength(1);
    expect(JSON.stringify(await chat.transcript())).not.toContain("secret");
    expect(await chat.deleteMessages(["r"])).toMatchObject({ status: "unchanged", code: "NOT_FOUND" });
    await chat.deleteMessages(["u", "k", "a"]);
    expect((await chat.transcript()).turns).toEqual([]);
  });

  it("W16: clear hides and erases nothing", async () => {
    const { memory } = testMemory();
    const chat = memory.conversation({ id: "c" });
    await say(chat, 2);
    expect((await chat.clear()).status).toBe("stored");
    expect(await chat.history()).toEqual([]);
    expect((await chat.transcript()).turns).toHaveLength(2);
    expect((await chat.clear()).status).toBe("unchanged");
    await chat.record({ messages: [user("fresh")] });
    expect(texts(await chat.history())).toEqual(["fresh"]);
  });

  it("W16: the operator transfers a conversation to another subject", async () => {
    const { memory } = testMemory();
    await say(memory.conversation({ id: "c", subject: "ana" }), 2);
    expect((await memory.operator.transfer({ conversation: "c", subject: "bob" })).status).toBe("stored");
    expect((await memory.subject("bob").search("q1")).hits).toHaveLength(1);
    expect((await memory.subject("ana").search("q1")).hits).toEqual([]);
    expect(await codeOf(() => memory.conversation({ id: "c", subject: "ana" }).history())).toBe(
      "CONVERSATION_OWNER_MISMATCH",
    );
    expect(await memory.operator.transfer({ conversation: "none", subject: "bob" })).toMatchObject({
      code: "NOT_FOUND",
    });
  });
});

describe("whose conversation it is", () => {
  it("F10: rebound in mid-turn, question and answer are filed under one person", async () => {
    const { memory } = testMemory();
    const chat = memory.conversation({ id: "c" });
    await chat.record({ id: "t1", messages: [user("hello from nobody")] });
    const turn = await chat.begin({ messages: [user("I am Ana, by the way")] });
    expect((await chat.rebindSubject("ana")).status).toBe("stored");
    await turn.complete([assistant("Welcome, Ana")]);
    const { turns, subject } = await chat.transcript();
    expect(subject).toBe("ana");
    expect(turns.map((entry) => entry.subject)).toEqual([undefined, "ana"]);
    expect(texts((await memory.subject("ana").search("Ana nobody")).hits.map((hit) => hit.message)).sort()).toEqual([
      "I am Ana, by the way",
      "Welcome, Ana",
    ]);
    // From the next turn on the subject is read from the store.
    await memory.conversation({ id: "c" }).remember("name", "Ana");
    expect((await memory.subject("ana").facts()).map((fact) => fact.key)).toEqual(["name"]);
  });

  it("F10: earlier turns move only when they are asked for", async () => {
    const { memory } = testMemory();
    const chat = memory.conversation({ id: "c", subject: "wrong" });
    await say(chat, 2);
    await chat.rebindSubject("right");
    expect((await chat.transcript()).turns.map((turn) => turn.subject)).toEqual(["wrong", "right"]);
    await chat.rebindSubject("right", { restamp: "all" });
    expect((await chat.transcript()).turns.map((turn) => turn.subject)).toEqual(["right", "right"]);
    expect(await codeOf(() => memory.conversation({ id: "c", subject: "wrong" }).history())).toBe(
      "CONVERSATION_OWNER_MISMATCH",
    );
    expect(await codeOf(() => chat.rebindSubject(""))).toBe("INVALID_ID");
  });

  it("F11: several channels of one person are one memory, also what was there before", async () => {
    const { memory } = testMemory();
    const mail = memory.conversation({ id: "by-mail", subject: "ana@example.org" });
    await mail.record({ messages: [user("my dog is Rex")] });
    await mail.remember("dog", "Rex");
    await mail.remember("city", "Porto");
    await memory.conversation({ id: "app", subject: "ana" }).remember("city", "Braga");
    expect((await memory.operator.link({ identity: "ana@example.org", subject: "ana" })).status).toBe("stored");
    const app = memory.conversation({ id: "app", subject: "ana" });
    expect(await app.recall("dog")).toBe("Rex");
    expect(await app.recall("city")).toBe("Braga");
    expect((await app.search("dog")).hits).toHaveLength(1);
    // The channel goes on, and is the same person.
    expect(texts(await mail.history())).toEqual(["my dog is Rex"]);
    await memory.conversation({ id: "chat", subject: "ana@example.org" }).remember("tea", "green");
    expect(await app.recall("tea")).toBe("green");
    expect((await memory.operator.link({ identity: "ana@example.org", subject: "ana" })).status).toBe("unchanged");
  });

  it("F11: unlinked, what is written later is the channel's own again", async () => {
    const { memory } = testMemory();
    await memory.operator.link({ identity: "phone", subject: "ana" });
    await memory.conversation({ id: "c1", subject: "phone" }).remember("a", 1);
    expect((await memory.operator.unlink({ identity: "phone" })).status).toBe("stored");
    await memory.conversation({ id: "c2", subject: "phone" }).remember("b", 2);
    expect((await memory.subject("ana").facts()).map((fact) => fact.key)).toEqual(["a"]);
    expect((await memory.subject("phone").facts()).map((fact) => fact.key)).toEqual(["b"]);
    expect((await memory.operator.unlink({ identity: "phone" })).status).toBe("unchanged");
  });

  it("F11: linking two names that others are linked to leaves one step for each", async () => {
    const { memory } = testMemory();
    await memory.operator.link({ identity: "phone", subject: "mail" });
    await memory.operator.link({ identity: "mail", subject: "ana" });
    await memory.conversation({ id: "c", subject: "phone" }).remember("k", 1);
    expect((await memory.subject("ana").facts()).map((fact) => fact.key)).toEqual(["k"]);
    expect((await memory.subject("ana").audit()).identities.map((row) => row.identity)).toEqual(["mail", "phone"]);
  });

  it("A2/F11: erasing a person erases what came through every channel", async () => {
    const { memory } = testMemory();
    await memory.conversation({ id: "c", subject: "phone" }).record({ messages: [user("hello")] });
    await memory.operator.link({ identity: "phone", subject: "ana" });
    const receipt = await memory.subject("ana").erase();
    expect(receipt.removed).toMatchObject({ turns: 1, identities: 1 });
    expect((await memory.conversations()).items).toEqual([]);
  });
});

describe("forgetting that holds", () => {
  it("G3: forgotten, restated, imported, retried late: it doesn't come back until the person lifts it", async () => {
    const { memory } = testMemory();
    const chat = memory.conversation({ id: "c", subject: "ana" });
    await chat.remember("city", "Porto", { idempotencyKey: "call-1" });
    const backup = await memory.subject("ana").export();
    await chat.forget("city");
    expect(await chat.remember("city", "  PORTO ")).toMatchObject({ status: "refused", code: "FORGOTTEN" });
    expect(await chat.remember("home_town", "Porto")).toMatchObject({ code: "FORGOTTEN" });
    expect(await chat.remember({ value: "porto" })).toMatchObject({ code: "FORGOTTEN" });
    expect(
      await memory.operator.remember({ scope: "user", subject: "ana", key: "city", value: "Porto" }),
    ).toMatchObject({
      code: "FORGOTTEN",
    });
    const imported = await memory.operator.import(backup);
    expect(imported).toMatchObject({ facts: 0, refused: [{ kind: "fact", code: "FORGOTTEN" }] });
    // The late retry of the first write answers what it answered, and writes nothing.
    await chat.remember("city", "Porto", { idempotencyKey: "call-1" });
    expect((await chat.recall({})).facts).toEqual([]);
    expect((await chat.remember("city", "Braga")).status).toBe("stored");
    await memory.subject("ana").lift({ key: "city", value: "Porto" });
    expect((await chat.remember("city", "Porto")).status).toBe("superseded");
  });

  it("G3: the person's own word lifts it; other people and other scopes are not touched", async () => {
    const { memory } = testMemory();
    const chat = memory.conversation({ id: "c", subject: "ana" });
    await chat.remember("city", "Porto");
    await chat.forget("city");
    expect((await memory.conversation({ id: "d", subject: "bob" }).remember("city", "Porto")).status).toBe("stored");
    expect((await memory.subject("ana").remember({ key: "city", value: "Porto" })).status).toBe("stored");
    expect(await chat.recall("city")).toBe("Porto");
  });

  it("G3: an expiry and an eviction leave no tombstone; short values stay bound to their key", async () => {
    const { memory, tick } = testMemory({ policy: { enabled: true, longTerm: { maxAgentFacts: 1 } } });
    const chat = memory.conversation({ id: "c", subject: "ana" });
    await chat.remember("a", "expires soon", { ttl: "1m" });
    tick(120_000);
    expect((await chat.remember("a", "expires soon")).status).toBe("stored");
    await chat.remember("b", "pushes the other out");
    expect((await chat.remember("a", "expires soon")).status).toBe("stored");
    await chat.remember("likes_tea", true);
    await chat.forget("likes_tea");
    expect(await chat.remember("likes_tea", true)).toMatchObject({ code: "FORGOTTEN" });
    expect((await chat.remember("has_dog", true)).status).toBe("stored");
  });

  it("G13: every change of the agent can be listed with its reason, and undone", async () => {
    const { memory } = testMemory();
    const chat = memory.conversation({ id: "c", subject: "ana" });
    await chat.remember("city", "Porto");
    const turn = await chat.begin({ messages: [user("I moved to Braga last week")] });
    const moved = await turn.conversation.remember("city", "Braga", { quote: "I moved to Braga" });
    await turn.complete([assistant("noted")]);
    const [change] = await memory.subject("ana").changes();
    expect(change).toMatchObject({
      fact: { value: "Braga" },
      replaced: { value: "Porto" },
      because: { conversation: "c", turn: turn.id, quote: "I moved to Braga" },
    });
    expect((await memory.subject("ana").undo(moved.id ?? "")).status).toBe("stored");
    expect(await chat.recall("city")).toBe("Porto");
    expect(await chat.remember("city", "Braga")).toMatchObject({ code: "FORGOTTEN" });
    expect(await memory.subject("ana").undo("nobody")).toMatchObject({ status: "refused", code: "NOT_FOUND" });
    const [only] = await memory.subject("ana").facts();
    expect((await memory.operator.undo({ scope: "user", subject: "ana", id: only?.id ?? "" })).status).toBe("stored");
    expect(await memory.subject("ana").facts({ history: true })).toEqual([]);
  });
});

describe("audit and export", () => {
  it("A1: shows everything of one subject, and imports elsewhere without loss", async () => {
    const policy = { enabled: true, conversation: { maxMessages: 4, keepMessages: 2 } };
    const { memory } = testMemory({ policy, summarizer: ({ turns }) => `folded ${turns.length}` });
    const chat = memory.conversation({ id: "c", subject: "ana" });
    await say(chat, 4);
    await chat.record({ id: "t4b", messages: [user("q4 again"), assistant("a4 again")], replaces: "t4" });
    await memory.settled();
    await chat.update({ title: "Title" });
    await chat.remember("city", "Porto");
    await chat.remember("city", "Braga");
    await chat.remember("here", 1, { scope: "conversation" });
    await memory.records(["prefs"]).put("theme", "dark", { subject: "ana" });
    await memory.operator.link({ identity: "mail", subject: "ana" });
    const audit = await memory.subject("ana").audit();
    expect(audit).toMatchObject({ subject: "ana", identities: [{ identity: "mail" }] });
    expect(audit.conversations[0]).toMatchObject({ id: "c", title: "Title", summarizedThrough: expect.any(String) });
    expect(audit.conversations[0]?.transcript).toHaveLength(5);
    expect(audit.facts.map((fact) => fact.value).sort()).toEqual(["Braga", "Porto"]);

    const copy = await memory.subject("ana").export();
    const elsewhere = testMemory({ policy, agent: "other" }).memory;
    const report = await elsewhere.operator.import(JSON.parse(JSON.stringify(copy)), { trusted: true });
    expect(report).toMatchObject({ turns: 5, facts: 3, records: 1, refused: [] });
    const there = elsewhere.conversation({ id: "c", subject: "ana" });
    expect(texts(await there.history())).toEqual(texts(await chat.history()));
    expect((await there.summary())?.text).toBe((await chat.summary())?.text);
    expect(await there.recall("city")).toBe("Braga");
    expect(await elsewhere.operator.import(copy, { trusted: true })).toMatchObject({ turns: 0, facts: 0, records: 0 });
    const back = await elsewhere.subject("ana").audit();
    expect(back.conversations[0]?.transcript.map((turn) => [turn.id, turn.hidden ?? false])).toEqual(
      audit.conversations[0]?.transcript.map((turn) => [turn.id, turn.hidden ?? false]),
    );
  });

  it("G1: nothing imported counts for more than an import, unless the operator vouches for it", async () => {
    const { memory } = testMemory();
    await memory.subject("ana").remember({ key: "rule", value: "always be brief", type: "instruction" });
    const copy = await memory.subject("ana").export();
    const elsewhere = testMemory().memory;
    await elsewhere.operator.import(copy);
    expect((await elsewhere.subject("ana").facts())[0]).toMatchObject({ origin: "import", type: "fact" });
    const vouched = testMemory().memory;
    await vouched.operator.import(copy, { trusted: true, subject: "anna" });
    expect((await vouched.subject("anna").facts())[0]).toMatchObject({ origin: "user", type: "instruction" });
    expect(await codeOf(() => elsewhere.operator.import({ format: "mem0" } as never))).toBe("INVALID_ARGUMENT");
  });
});

describe("retention", () => {
  const DAY = 86_400_000;
  it("A4: stubs old tool results so that no call is orphaned, drops old turns, and says what it would do", async () => {
    const { memory, tick } = testMemory({
      policy: { enabled: true, retention: { toolResults: "10d", messages: "100d" } },
    });
    const chat = memory.conversation({ id: "c" });
    const withTool = [
      user("look"),
      { role: "assistant" as const, parts: [call("k")] },
      { role: "tool" as const, parts: [result("k", "a large result")] },
      assistant("seen"),
    ];
    await chat.record({ id: "old", messages: withTool });
    tick(20 * DAY);
    await chat.record({ id: "young", messages: [user("later"), assistant("ok")] });
    expect(await memory.operator.sweepRetention({ dryRun: true })).toMatchObject({
      dryRun: true,
      toolResults: 1,
      messages: 0,
    });
    expect(JSON.stringify(await chat.history())).toContain("a large result");
    expect(await memory.operator.sweepRetention()).toMatchObject({ toolResults: 1 });
    expect(JSON.stringify(await chat.transcript())).not.toContain("a large result");
    expect(await chat.history()).toHaveLength(6);
    expect(await memory.operator.sweepRetention()).toMatchObject({ toolResults: 0 });
    tick(90 * DAY);
    expect(await memory.operator.sweepRetention()).toMatchObject({ messages: 4 });
    expect((await chat.transcript()).turns.map((turn) => turn.id)).toEqual(["young"]);
  });

  it("A4: removes what has expired", async () => {
    const { memory, tick } = testMemory();
    await memory.conversation({ id: "c", subject: "ana" }).remember("k", 1, { ttl: "1d" });
    await memory.records(["r"]).put("x", 1, { ttl: "1d" });
    tick(2 * DAY);
    expect((await memory.operator.sweepRetention()).expired).toMatchObject({ facts: 1, records: 1 });
    expect(await memory.subject("ana").facts({ history: true })).toEqual([]);
  });
});

describe("sinks and failed work", () => {
  it("I5: each completed exchange reaches the sinks once, after the reply", async () => {
    const seen: string[] = [];
    const { memory } = testMemory({ sinks: [({ turn }) => void seen.push(turn.id)] });
    const chat = memory.conversation({ id: "c" });
    await chat.record({ id: "t1", messages: [user("a")] });
    await chat.record({ id: "t2", status: "failed", messages: [user("b")] });
    expect(seen).toEqual([]);
    await memory.settled();
    await chat.record({ id: "t3", messages: [user("c")] });
    await memory.settled();
    await memory.settled();
    expect(seen).toEqual(["t1", "t3"]);
  });

  it("G7: what failed can be listed and redriven", async () => {
    let broken = true;
    const seen: string[] = [];
    const { memory } = testMemory({
      sinks: [
        ({ turn }) => {
          if (broken) throw new Error("service down");
          seen.push(turn.id);
        },
      ],
    });
    const chat = memory.conversation({ id: "c" });
    await chat.record({ id: "t1", messages: [user("a")] });
    await memory.settled();
    expect(await memory.operator.failures()).toMatchObject([
      { work: "sink", conversation: "c", turn: "t1", attempts: 1 },
    ]);
    await memory.operator.redrive();
    expect((await memory.operator.failures())[0]?.attempts).toBe(2);
    broken = false;
    await memory.operator.redrive();
    expect(seen).toEqual(["t1"]);
    expect(await memory.operator.failures()).toEqual([]);
  });

  it("E3: two processes do the work once", async () => {
    const store = inMemoryStore();
    const seen: string[] = [];
    const make = () => testMemory({ store, sinks: [({ turn }) => void seen.push(turn.id)] }).memory;
    const [one, two] = [make(), make()];
    for (const id of ["a", "b", "c"]) await one.conversation({ id }).record({ id, messages: [user(id)] });
    await Promise.all([one.sweep(), two.sweep(), one.settled()]);
    expect(seen.sort()).toEqual(["a", "b", "c"]);
  });
});
