import { context, SpanStatusCode, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace-base";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  inMemoryStore,
  type Memory,
  MemoryError,
  type MemoryOptions,
  type MemoryStore,
  type OpenTurn,
} from "../src/index.ts";
import type { Engine } from "../src/memory/engine.ts";
import {
  ARTIFACT_SPANS,
  CONVERSATION_SPANS,
  MEMORY_SPANS,
  OPERATOR_SPANS,
  RECORD_SPANS,
  SUBJECT_SPANS,
  TURN_SPANS,
} from "../src/telemetry/span-tables.ts";
import { traceConversation, traceMemory } from "../src/telemetry/trace-memory.ts";
import { assistant, testMemory, user } from "./support.ts";

/** Stands in every text, title, value, id of a person and error message. */
const PLANTED = "planted-7431";

beforeAll(() => {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
});
afterAll(() => context.disable());

function tracedMemory(options: MemoryOptions = {}) {
  const exporter = new InMemorySpanExporter();
  const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  const tracer = provider.getTracer("test");
  return { ...testMemory({ tracer, ...options }), tracer, spans: () => exporter.getFinishedSpans(), exporter };
}

const nameOf = (span: ReadableSpan): string => span.name;
const named = (spans: ReadableSpan[], name: string): ReadableSpan => {
  const found = spans.filter((span) => span.name === name);
  expect(found.map(nameOf)).toEqual([name]);
  return found[0] as ReadableSpan;
};

/** All that a span tells anyone. */
const told = ({ name, attributes, events, status, links }: ReadableSpan): string =>
  JSON.stringify({ name, attributes, events, status, links });

/** Every operation of the public surface, by the name of its span. */
async function walk(memory: Memory, run: <T>(name: string, work: () => Promise<T>) => Promise<T>): Promise<void> {
  const chat = memory.conversation({ id: "c1", subject: `ana-${PLANTED}` });
  const big = {
    type: "tool-result" as const,
    callId: "k1",
    tool: "fetch",
    output: `${PLANTED} line\n`.repeat(4_000),
  };
  const said = [user(`${PLANTED} one`)];

  const turn = await run("memory.begin", () => chat.begin({ messages: said }));
  await run("memory.turn.compact", () => turn.compact(turn.messages));
  const shown = await run("memory.turn.offload", () => turn.offload(big));
  const id = /art_\w+/.exec(JSON.stringify(shown.output))?.[0] ?? "";
  await run("memory.turn.complete", () => turn.complete([assistant(`${PLANTED} two`)]));
  const paused = await run("memory.begin", () => chat.begin({ messages: [user(`${PLANTED} wait`)] }));
  await run("memory.turn.pause", () => paused.pause());
  const resumed = (await run("memory.resume", () => chat.resume())) as OpenTurn;
  await run("memory.turn.abort", () => resumed.abort([assistant(PLANTED)]));
  const broken = await run("memory.begin", () => chat.begin({ messages: [user(`${PLANTED} break`)] }));
  await run("memory.turn.fail", () => broken.fail(new Error(PLANTED)));
  await run("memory.record", () => chat.record({ id: "t9", messages: [user(PLANTED), assistant("ok")] }));
  await run("memory.info", () => chat.info());
  await run("memory.reconcile", () => chat.reconcile(said));
  await run("memory.history", () => chat.history());
  await run("memory.systemContext", () => chat.systemContext({ query: PLANTED }));
  await run("memory.transcript", () => chat.transcript());
  await run("memory.summary", () => chat.summary());
  await run("memory.deleteSummary", () => chat.deleteSummary());
  await run("memory.remember", () => chat.remember("dog", PLANTED, { quote: PLANTED }));
  await run("memory.recall", () => chat.recall("dog"));
  await run("memory.recall", () => chat.recall({ query: PLANTED }));
  await run("memory.forget", () => chat.forget("dog"));
  await run("memory.search", () => chat.search(PLANTED));
  await run("memory.update", () => chat.update({ title: PLANTED, metadata: { note: PLANTED } }));
  await run("memory.clone", () => chat.clone("c2"));

  const artifact = chat.artifact(id);
  await run("memory.artifact.info", () => artifact.info());
  await run("memory.artifact.page", () => artifact.page(1));
  await run("memory.artifact.bytes", () => artifact.bytes());
  await run("memory.artifact.patch", () => artifact.patch([{ lines: [1, 1], replace: `${PLANTED} new` }]));
  await run("memory.artifact.delete", () => artifact.delete());

  const ana = memory.subject(`ana-${PLANTED}`);
  await run("memory.subject.remember", () => ana.remember({ key: "city", value: PLANTED }));
  const [fact] = await run("memory.subject.facts", () => ana.facts());
  await run("memory.subject.search", () => ana.search(PLANTED));
  await run("memory.subject.conversations", () => ana.conversations());
  await run("memory.subject.carryOver", () => ana.carryOver());
  await run("memory.subject.deleteCarryOver", () => ana.deleteCarryOver());
  await run("memory.subject.changes", () => ana.changes());
  await run("memory.subject.undo", () => ana.undo(fact?.id ?? ""));
  await run("memory.subject.lift", () => ana.lift({ key: "city", value: PLANTED }));
  await run("memory.subject.audit", () => ana.audit());
  const data = await run("memory.subject.export", () => ana.export());

  const { operator } = memory;
  const rule = { key: "rule", scope: "app" as const };
  await run("memory.operator.remember", () => operator.remember({ ...rule, value: PLANTED }));
  await run("memory.operator.forget", () => operator.forget(rule));
  await run("memory.operator.search", () => operator.search(PLANTED));
  const link = { identity: `mail-${PLANTED}`, subject: `ana-${PLANTED}` };
  await run("memory.operator.link", () => operator.link(link));
  await run("memory.operator.unlink", () => operator.unlink(link));
  await run("memory.operator.undo", () => operator.undo({ id: "none", scope: "app" }));
  await run("memory.operator.lift", () => operator.lift({ ...rule, value: PLANTED }));
  await run("memory.operator.transfer", () => operator.transfer({ conversation: "c2", subject: `bo-${PLANTED}` }));
  await run("memory.operator.import", () => operator.import(data));
  await run("memory.operator.sweepRetention", () => operator.sweepRetention({ dryRun: true }));
  await run("memory.operator.failures", () => operator.failures());
  await run("memory.operator.redrive", () => operator.redrive());

  const records = memory.records(["notes"]);
  await run("memory.records.put", () => records.put("a", PLANTED));
  await run("memory.records.get", () => records.get("a"));
  await run("memory.records.list", () => records.list());
  await run("memory.records.search", () => records.search(PLANTED));
  await run("memory.records.delete", () => records.delete("a"));

  await run("memory.conversations", () => memory.conversations());
  await run("memory.search", () => memory.search(PLANTED, { conversation: "c1" }));
  await run("memory.search", () => memory.search(PLANTED, { subject: `ana-${PLANTED}` }));
  await run("memory.manifest", () => memory.manifest());
  const event = { id: "e1", subject: `ana-${PLANTED}`, source: "mail", text: PLANTED, at: "2026-03-01T08:00:00Z" };
  await run("memory.ingest", () => memory.ingest(event));
  await run("memory.distill", () => memory.distill());

  await run("memory.rebindSubject", () => chat.rebindSubject(`bo-${PLANTED}`, { restamp: "all" }));
  await run("memory.rewind", () => chat.rewind({ to: "t9" }));
  await run("memory.deleteMessages", () => chat.deleteMessages(["none"]));
  await run("memory.clear", () => chat.clear());
  await run("memory.delete", () => chat.delete());
  await run("memory.subject.erase", () => ana.erase());
  await run("memory.reindex", () => memory.reindex());
  await run("memory.sweep", () => memory.sweep());
  await run("memory.settled", () => memory.settled());
  await run("memory.flush", () => memory.flush());
  await run("memory.close", () => memory.close());
}

const embedder = {
  modelId: "tiny",
  dimensions: 2,
  embed: async (given: readonly string[]) => given.map(() => new Float32Array([1, 0])),
};

/** A keyword index that takes everything and is asked nothing. */
const keyword: NonNullable<MemoryStore["keyword"]> = {
  index: async () => true,
  postings: () => Promise.reject(new Error("not asked")),
  documents: async () => [],
  following: async () => [],
  behind: async () => [],
};

describe("spans", () => {
  it("each operation gives exactly one, and none holds a word of what was said", async () => {
    const { memory, exporter, spans } = tracedMemory({ embedder });
    const seen = new Set<string>();
    const all: ReadableSpan[] = [];
    await walk(memory, async (name, work) => {
      exporter.reset();
      const result = await work();
      // What a sweep does has spans of its own below the sweep's.
      const roots = spans().filter((span) => span.parentSpanContext === undefined);
      expect(roots.map(nameOf)).toEqual([name]);
      if (!["memory.sweep", "memory.settled", "memory.flush"].includes(name)) expect(spans()).toHaveLength(1);
      expect(roots[0]?.attributes["gen_ai.agent.id"]).toBe("helper");
      seen.add(name);
      all.push(...spans());
      return result;
    });

    const tables = {
      memory: { ...CONVERSATION_SPANS, ...MEMORY_SPANS },
      "memory.turn": TURN_SPANS,
      "memory.artifact": ARTIFACT_SPANS,
      "memory.subject": SUBJECT_SPANS,
      "memory.operator": OPERATOR_SPANS,
      "memory.records": RECORD_SPANS,
    };
    const names = Object.entries(tables).flatMap(([prefix, table]) =>
      Object.keys(table).map((name) => `${prefix}.${name}`),
    );
    expect([...seen].sort()).toEqual(names.sort());
    expect(all.filter(({ status }) => status.code === SpanStatusCode.ERROR)).toEqual([]);
    expect(all.map(told).filter((text) => text.includes(PLANTED))).toEqual([]);
    expect(all.map(told).filter((text) => /"(c1|c2|t9|id-\d+)"/.test(text))).toEqual([]);
  });

  it("hold counts, tokens and outcomes", async () => {
    const { memory, spans } = tracedMemory();
    const chat = memory.conversation({ id: "c1", subject: "ana" });
    await chat.remember("dog", "Rex");
    await chat.record({ messages: [user("hello there"), assistant("hello")] });
    await (await chat.begin({ messages: [user("and now?")] })).complete([assistant("now")]);
    await chat.remember("rule", "x", { scope: "app" });
    await chat.delete();
    expect(named(spans(), "memory.begin").attributes).toMatchObject({
      "memory.facts": 1,
      "memory.turns": 1,
      "memory.fresh_messages": 1,
      "memory.resumed": false,
      "memory.degraded": false,
      "memory.tokens": expect.any(Number),
    });
    expect(named(spans(), "memory.begin").attributes["memory.tokens"]).toBeGreaterThan(0);
    expect(named(spans(), "memory.turn.complete").attributes).toMatchObject({ "memory.outcome": "stored" });
    const refused = spans().find((span) => span.attributes["memory.outcome"] === "refused");
    expect(refused?.attributes).toMatchObject({ "memory.code": "SCOPE_READ_ONLY" });
    expect(refused?.status.code).toBe(SpanStatusCode.UNSET);
    expect(named(spans(), "memory.delete").attributes["memory.removed"]).toBeGreaterThan(0);
  });

  it("are children of what is active as the app calls, and parents of the work below", async () => {
    const summarizer = async () => "so far";
    const policy = { enabled: true, conversation: { maxMessages: 4, keepMessages: 2 } };
    const store: MemoryStore = Object.assign(inMemoryStore(), { keyword });
    const { memory, spans, tracer } = tracedMemory({ store, embedder, summarizer, policy, sinks: [() => {}] });
    const chat = memory.conversation({ id: "c1", subject: "ana" });
    await tracer.startActiveSpan("reply", async (reply) => {
      const turn = await chat.begin({ messages: [user("one")] });
      expect(trace.getActiveSpan()).toBe(reply);
      await turn.conversation.remember("dog", "Rex");
      await turn.complete([assistant("two")]);
      reply.end();
    });
    for (const id of ["t2", "t3", "t4"]) await chat.record({ id, messages: [user(id), assistant("ok")] });
    await memory.sweep();

    const reply = named(spans(), "reply").spanContext();
    for (const name of ["memory.begin", "memory.remember", "memory.turn.complete"]) {
      expect(named(spans(), name).parentSpanContext?.spanId).toBe(reply.spanId);
      expect(named(spans(), name).spanContext().traceId).toBe(reply.traceId);
    }
    const sweep = named(spans(), "memory.sweep");
    expect(sweep.parentSpanContext).toBeUndefined();
    const below = spans().filter((span) => span.parentSpanContext?.spanId === sweep.spanContext().spanId);
    expect(below.map(({ name, attributes }) => [name, attributes["memory.turns"]])).toEqual([
      ["memory.index", 4],
      ["memory.fold", 3],
      ["memory.embed", 4],
      ["memory.sinks", 4],
    ]);
    expect(sweep.attributes).toMatchObject({
      "memory.conversations": 1,
      "memory.indexed_turns": 4,
      "memory.embedded_turns": 4,
      "memory.folded_conversations": 1,
      "memory.failed": 0,
    });
  });

  it("tell throws and failed outcomes by their code, without the message", async () => {
    const failing = async (): Promise<never> => {
      throw new MemoryError("STORE_FAILED", `cannot write ${PLANTED}`);
    };
    const store: MemoryStore = Object.assign(inMemoryStore(), { commitTurn: failing });
    const summarizer = async (): Promise<string> => Promise.reject(new Error(PLANTED));
    const { memory, spans } = tracedMemory({ store, summarizer });
    const chat = memory.conversation({ id: "c1", subject: "ana" });
    expect(await chat.record({ messages: [user(PLANTED)] })).toMatchObject({ status: "failed" });
    await chat.update({ title: "x" });
    await expect(chat.update({ title: PLANTED, ifVersion: 99 })).rejects.toThrow();
    await expect(chat.artifact(PLANTED).page(1)).rejects.toThrow();
    Object.assign(store, { readFacts: () => Promise.reject(new TypeError(PLANTED)) });
    await expect(memory.subject("ana").facts()).rejects.toThrow();

    const failures = spans().filter(({ status }) => status.code === SpanStatusCode.ERROR);
    expect(failures.map(({ name, attributes }) => [name, attributes["error.type"]])).toEqual([
      ["memory.record", "STORE_FAILED"],
      ["memory.update", "VERSION_CONFLICT"],
      ["memory.artifact.page", "NOT_FOUND"],
      ["memory.subject.facts", "STORE_FAILED"],
    ]);
    expect(failures.map(({ status }) => status.message)).toEqual([undefined, undefined, undefined, undefined]);
    expect(spans().map(told).join("\n")).not.toContain(PLANTED);
    expect(named(spans(), "memory.record").attributes["memory.outcome"]).toBe("failed");
  });

  it("mark background work that fails", async () => {
    const sweepable = { maxMessages: 2, keepMessages: 2 };
    const summarizer = async (): Promise<string> => Promise.reject(new Error(PLANTED));
    const { memory, spans } = tracedMemory({ summarizer, policy: { enabled: true, conversation: sweepable } });
    const chat = memory.conversation({ id: "c1" });
    for (const id of ["t1", "t2", "t3"]) await chat.record({ id, messages: [user(id), assistant("ok")] });
    expect(await memory.sweep()).toMatchObject({ failed: 1 });
    const fold = named(spans(), "memory.fold");
    expect(fold.status).toEqual({ code: SpanStatusCode.ERROR });
    expect(fold.attributes["error.type"]).toBe("SUMMARIZER_FAILED");
    expect(named(spans(), "memory.sweep").attributes["memory.failed"]).toBe(1);
    expect(spans().map(told).join("\n")).not.toContain(PLANTED);
  });

  it("name conversations and turns where the app asks for it, and people never", async () => {
    const { memory, spans } = tracedMemory({ traceIds: true, sinks: [() => {}] });
    const chat = memory.conversation({ id: "chat-77", subject: "ana-88" });
    const turn = await chat.begin({ id: "turn-99", messages: [user("hi")] });
    await turn.complete([assistant("hello")]);
    await memory.sweep();
    await memory.subject("ana-88").facts();
    for (const name of ["memory.begin", "memory.turn.complete", "memory.sinks"]) {
      expect(named(spans(), name).attributes["gen_ai.conversation.id"]).toBe("chat-77");
    }
    expect(named(spans(), "memory.turn.complete").attributes["memory.turn.id"]).toBe("turn-99");
    expect(spans().map(told).join("\n")).not.toContain("ana-88");
  });

  it("keep what a turn shows as it is read: history grows, and the end is seen", async () => {
    const { memory } = tracedMemory();
    const turn = await memory.conversation({ id: "c1" }).begin({ messages: [user("hi")] });
    expect(turn.messages).toHaveLength(1);
    turn.append([assistant("hello")]);
    expect(turn.messages).toHaveLength(2);
    expect(turn.ended).toBe(false);
    await turn.complete();
    expect(turn.ended).toBe(true);
  });

  it("cost nothing without a tracer: no operation is wrapped", () => {
    const { memory } = testMemory();
    const chat = memory.conversation({ id: "c1" });
    // These two look at nothing else of the engine.
    const engine = { tracing: undefined } as Engine;
    const [search, begin] = [memory.search, chat.begin];
    expect(traceMemory(engine, memory)).toBe(memory);
    expect(traceConversation(engine, chat)).toBe(chat);
    expect(memory.search).toBe(search);
    expect(chat.begin).toBe(begin);
  });
});
