import { describe, expect, it } from "vitest";
import { inMemoryStore, type MemoryEvent, type MemoryStore, type OpenTurn } from "../src/index.ts";
import { assistant, codeOf, testMemory, user } from "./support.ts";

/** Stands in every text, title, key, value and namespace. */
const PLANTED = "planted-5520";

const embedder = {
  modelId: "tiny",
  dimensions: 2,
  embed: async (given: readonly string[]) => given.map(() => new Float32Array([1, 0])),
};

/** A keyword index that takes everything; what is asked of it is scanned by nobody here. */
const keyword: NonNullable<MemoryStore["keyword"]> = {
  index: async () => true,
  postings: async () => ({ documents: 0, length: 0, candidates: [], documentFrequency: [] }) as never,
  documents: async () => [],
  following: async () => [],
  behind: async () => [],
};

function watched(options: Parameters<typeof testMemory>[0] = {}) {
  const { memory, events } = testMemory({
    embedder,
    sinks: [() => {}],
    summarizer: () => `so far ${PLANTED}`,
    ...options,
  });
  const all: MemoryEvent[] = [];
  /** What the work emitted, by type, operation and count. */
  const seen = async (work: () => Promise<unknown>): Promise<unknown[]> => {
    events.length = 0;
    await work();
    all.push(...events);
    return events.map((event) => {
      if (event.type === "memory.read" || event.type === "memory.changed") return `${event.operation} ${event.items}`;
      return event.type.slice("memory.".length);
    });
  };
  return { memory, events, all, seen };
}

describe("events", () => {
  it("tell a memory's whole life, one for each operation, and never what was said", async () => {
    const policy = { enabled: true, conversation: { maxMessages: 4, keepMessages: 2 } };
    const { memory, all, seen } = watched({ policy });
    const chat = memory.conversation({ id: "c1", subject: "ana" });
    const big = { type: "tool-result" as const, callId: "k", tool: "fetch", output: `${PLANTED}\n`.repeat(4_000) };

    // A turn.
    let turn: OpenTurn | undefined;
    expect(await seen(async () => (turn = await chat.begin({ messages: [user(PLANTED)] })))).toEqual(["context"]);
    let shown = "";
    expect(await seen(async () => (shown = JSON.stringify(await turn?.offload(big))))).toEqual(["offloaded"]);
    expect(await seen(async () => turn?.complete([assistant(PLANTED)]))).toEqual(["recorded"]);
    const paused = await chat.begin({ id: "t2", messages: [user(`${PLANTED} two`)] });
    expect(await seen(() => paused.pause())).toEqual(["recorded"]);
    expect(await seen(async () => (turn = (await chat.resume()) ?? undefined))).toEqual(["context"]);
    expect(await seen(async () => turn?.abort([assistant(PLANTED)]))).toEqual(["recorded"]);
    expect(await seen(() => chat.record({ id: "t3", messages: [user(PLANTED), assistant("ok")] }))).toEqual([
      "recorded",
    ]);

    // Work behind it.
    expect(await seen(() => memory.sweep())).toEqual(["folded", "embedded", "delivered", "swept"]);
    expect(await seen(() => memory.sweep())).toEqual([]);
    expect(await seen(() => memory.reindex())).toEqual(["reindexed"]);

    // Reading.
    expect(await seen(() => chat.reconcile([user(PLANTED)]))).toEqual([expect.stringMatching(/^reconcile \d$/)]);
    expect(await seen(() => chat.history())).toEqual(["history 2"]);
    expect(await seen(() => chat.systemContext())).toEqual(["context"]);
    expect(await seen(() => chat.transcript())).toEqual(["transcript 3"]);
    expect(await seen(() => chat.summary())).toEqual(["summary 1"]);
    expect(await seen(() => chat.search(PLANTED))).toEqual(["searched"]);
    expect(await seen(() => memory.conversations())).toEqual(["conversations 1"]);

    // Facts.
    expect(await seen(() => chat.remember("dog", PLANTED))).toEqual(["remembered"]);
    expect(await seen(() => chat.remember("rule", PLANTED, { scope: "app" }))).toEqual(["remembered"]);
    expect(await seen(() => chat.recall("dog"))).toEqual(["recalled"]);
    const ana = memory.subject("ana");
    expect(await seen(() => ana.facts())).toEqual(["facts 1"]);
    expect(await seen(() => ana.changes())).toEqual(["changes 1"]);
    const [fact] = await ana.facts();
    expect(await seen(() => ana.undo(fact?.id ?? ""))).toEqual(["undo 1"]);
    expect(await seen(() => ana.lift({ key: "dog", value: PLANTED }))).toEqual(["lift 1"]);
    await ana.remember({ key: "city", value: PLANTED });
    expect(await seen(() => chat.forget("city"))).toEqual(["forgotten"]);

    // Artifacts.
    const artifact = chat.artifact(/art_\w+/.exec(shown)?.[0] ?? "");
    expect(await seen(() => artifact.info())).toEqual(["artifact 1"]);
    expect(await seen(() => artifact.page(1))).toEqual(["artifact 1"]);
    expect(await seen(() => artifact.bytes())).toEqual([expect.stringMatching(/^artifact [2-9]$/)]);
    expect(await seen(() => artifact.patch([{ lines: [1, 1], replace: `${PLANTED} new` }]))).toEqual([
      "patch_artifact 1",
    ]);
    expect(await seen(() => artifact.delete())).toEqual(["delete_artifact 1"]);
    expect(await seen(() => artifact.delete())).toEqual([]);

    // Records.
    const records = memory.records([PLANTED]);
    expect(await seen(() => records.put(PLANTED, PLANTED, { subject: "ana" }))).toEqual(["put_record 1"]);
    expect(await seen(() => records.get(PLANTED))).toEqual(["records 1"]);
    expect(await seen(() => records.list())).toEqual(["records 1"]);
    expect(await seen(() => records.search(PLANTED))).toEqual(["records 1"]);

    // Audit, moving, administration.
    expect(await seen(() => chat.info())).toEqual(["info 1"]);
    expect(await seen(() => ana.audit())).toEqual(["audit 1"]);
    const data = await ana.export();
    expect(await seen(() => ana.export())).toEqual(["exported"]);
    expect(await seen(() => records.delete(PLANTED))).toEqual(["delete_record 1"]);
    expect((await seen(() => memory.operator.import(data))).at(-1)).toBe("imported");
    const link = { identity: "mail", subject: "ana" };
    expect(await seen(() => memory.operator.link(link))).toEqual(["link 0"]);
    expect(await seen(() => memory.operator.unlink(link))).toEqual(["unlink 1"]);
    expect(await seen(() => chat.update({ title: PLANTED }))).toEqual(["update 1"]);
    expect(await seen(() => chat.clone("c2"))).toEqual(["clone 3"]);
    expect(await seen(() => memory.operator.transfer({ conversation: "c2", subject: "bo" }))).toEqual(["transfer 3"]);
    expect(await seen(() => chat.rebindSubject("cy", { restamp: "all" }))).toEqual(["rebind 3"]);
    const [message] = (await chat.transcript()).turns[2]?.messages ?? [];
    expect(await seen(() => chat.deleteMessages([message?.id ?? ""]))).toEqual(["delete_messages 1"]);
    expect(await seen(() => chat.deleteSummary())).toEqual([expect.stringMatching(/^delete_summary [12]$/)]);
    expect(await seen(() => chat.rewind({ to: "t2" }))).toEqual(["rewind 1"]);
    expect(await seen(() => chat.clear())).toEqual(["clear 1"]);
    expect(await seen(() => memory.operator.failures())).toEqual(["failures 0"]);
    expect(await seen(() => memory.operator.sweepRetention({ dryRun: true }))).toEqual(["retention"]);
    expect(await seen(() => chat.delete())).toEqual(["erased"]);
    expect(await seen(() => ana.erase())).toEqual(["erased"]);

    expect(all.map((event) => JSON.stringify(event)).filter((text) => text.includes(PLANTED))).toEqual([]);
    expect(all.filter((event) => Number.isNaN(Date.parse(event.at)))).toEqual([]);
    // Administration names the conversation and the person that it is about, so that an app can follow one.
    const administration = all.filter((event) => event.type === "memory.changed" && event.operation === "rewind");
    expect(administration).toEqual([expect.objectContaining({ conversation: "c1", subject: "cy" })]);
    const erased = all.filter((event) => event.type === "memory.erased");
    expect(erased[0]).toMatchObject({ conversation: "c1", subject: "cy" });
  });

  it("hold the counts of what a sweep, an import and retention did", async () => {
    const { memory, all, seen } = watched({ store: Object.assign(inMemoryStore(), { keyword }) });
    const chat = memory.conversation({ id: "c1", subject: "ana" });
    await chat.record({ messages: [user("one"), assistant("two")] });
    await chat.remember("dog", "Rex");
    expect(await seen(() => memory.sweep())).toEqual(["indexed", "embedded", "delivered", "swept"]);
    const data = await memory.subject("ana").export();
    await seen(() => memory.operator.import(data, { subject: "bo" }));
    await seen(() => memory.operator.sweepRetention());
    const of = (type: MemoryEvent["type"]) => all.find((event) => event.type === type);
    expect(of("memory.swept")).toMatchObject({ conversations: 1, indexed: 1, embedded: 1, folded: 0, failed: 0 });
    expect(of("memory.delivered")).toMatchObject({ conversation: "c1", turns: 1 });
    expect(of("memory.imported")).toMatchObject({ subject: "bo", facts: 1, records: 0 });
    expect(of("memory.retention")).toMatchObject({ dryRun: false, removed: { messages: 0, artifacts: 0 } });
  });

  it("tell a refusal by its code, and say nothing of changes where nothing changed", async () => {
    const { memory, all, seen } = watched();
    const chat = memory.conversation({ id: "c1", subject: "ana" });
    await chat.record({ id: "t1", messages: [user("one")] });
    await seen(() => chat.remember("rule", "x", { scope: "app" }));
    await seen(() => memory.conversation({ id: "c1", subject: "bo" }).record({ messages: [user("mine now")] }));
    expect(all).toMatchObject([
      { type: "memory.remembered", status: "refused", code: "SCOPE_READ_ONLY" },
      { type: "memory.recorded", status: "refused", code: "CONVERSATION_OWNER_MISMATCH" },
    ]);
    expect(await seen(() => chat.rewind({ to: "t1" }))).toEqual([]);
    expect(await seen(() => chat.deleteMessages(["none"]))).toEqual([]);
    expect(await seen(() => chat.deleteSummary())).toEqual([]);
    expect(await seen(() => memory.operator.unlink({ identity: "none" }))).toEqual([]);
    expect(await seen(async () => codeOf(() => chat.update({ title: "x", ifVersion: 99 })))).toEqual([]);
    expect(await seen(() => memory.records(["a"]).delete("none"))).toEqual([]);
  });
});
