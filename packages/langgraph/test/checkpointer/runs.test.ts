import type { RunnableConfig } from "@langchain/core/runnables";
import { Command, Send } from "@langchain/langgraph";
import { emptyCheckpoint, MemorySaver, uuid6 } from "@langchain/langgraph-checkpoint";
import { createMemory, type MemoryError, type MemoryEvent, type MemoryStore } from "@throughline/core";
import { type CheckpointerOptions, createCheckpointer, importCheckpoints } from "@throughline/langgraph";
import { describe, expect, it } from "vitest";
import { approvalGraph, ask, deltaGraph, echoGraph, nestedGraph, textsOf, thread } from "./graphs.ts";
import { testStores } from "./stores.ts";

async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}

const codeOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => "it succeeded",
    (error: MemoryError) => error.code ?? error,
  );

describe.each(testStores())("the checkpointer on $name", ({ open, again }) => {
  const on = (store: MemoryStore, options: CheckpointerOptions = {}) => {
    const events: MemoryEvent[] = [];
    const memory = createMemory({ agent: "graph", env: {}, store, onEvent: (event) => events.push(event) });
    return { memory, saver: createCheckpointer(memory, options), events };
  };

  it("L1: a graph goes on where it was, in another process too", async () => {
    const store = open();
    await echoGraph(on(store).saver).invoke(ask("a"), thread("t"));
    const other = again?.() ?? store;
    const state = await echoGraph(on(other).saver).invoke(ask("b"), thread("t"));
    expect(textsOf(state.messages)).toEqual(["a", "re a", "b", "re b"]);
    expect(textsOf((await echoGraph(on(store).saver).getState(thread("t"))).values.messages)).toEqual(
      textsOf(state.messages),
    );
    await other.close();
    await store.close();
  });

  it("L2: after a time travel each branch has its own messages, whatever the versions are called", async () => {
    const { saver, memory } = on(open());
    const graph = echoGraph(saver);
    await graph.invoke(ask("root"), thread("t"));
    const fork = (await graph.getState(thread("t"))).config;
    await graph.invoke(ask("left"), thread("t"));
    const left = (await graph.getState(thread("t"))).config;
    const right = await graph.invoke(ask("right"), fork);
    const expected = { left: ["root", "re root", "left", "re left"], right: ["root", "re root", "right", "re right"] };
    expect(textsOf(right.messages)).toEqual(expected.right);
    // From the store, without what this process knows.
    const fresh = echoGraph(createCheckpointer(memory));
    expect(textsOf((await fresh.getState(thread("t"))).values.messages)).toEqual(expected.right);
    expect(textsOf((await fresh.getState(left)).values.messages)).toEqual(expected.left);
    await fresh.invoke(ask("more"), left);
    expect(textsOf((await fresh.getState(thread("t"))).values.messages)).toEqual([...expected.left, "more", "re more"]);
    const versions = [await saver.getTuple(left), await saver.getTuple(fork)].map(
      (tuple) => tuple?.checkpoint.channel_versions.messages,
    );
    expect(versions.every((version) => typeof version === "number")).toBe(true);
    await memory.close();
  });

  it("L2: a message that a node changes in its place is kept as it was at each step", async () => {
    const { saver, memory } = on(open());
    const graph = echoGraph(saver);
    await graph.invoke(ask("a"), thread("t"));
    const before = await graph.getState(thread("t"));
    const state = await saver.getTuple(thread("t"));
    const messages = state?.checkpoint.channel_values.messages as { content: unknown; additional_kwargs: object }[];
    if (messages[0] === undefined || messages[1] === undefined || state === undefined)
      throw new Error("There are two messages.");
    messages[0].content = "changed";
    Object.assign(messages[1].additional_kwargs, { note: { deep: [1n] } });
    const next = {
      ...state.checkpoint,
      id: uuid6(9),
      channel_values: { ...state.checkpoint.channel_values, messages: [...messages] },
    };
    next.channel_versions = { ...next.channel_versions, messages: 99 };
    await saver.put(state.config, next, { source: "update", step: 9, parents: {} }, { messages: 99 });
    const fresh = echoGraph(createCheckpointer(memory));
    const changed = await fresh.getState(thread("t"));
    expect(textsOf(changed.values.messages)).toEqual(["changed", "re a"]);
    expect(changed.values.messages[1].additional_kwargs).toEqual({ note: { deep: [1n] } });
    expect(textsOf((await fresh.getState(before.config)).values.messages)).toEqual(["a", "re a"]);
    await memory.close();
  });

  /** A run that stands in its node, while another one runs to its end; then it goes on. */
  async function sideBySide(saver: ReturnType<typeof createCheckpointer>) {
    const [entered, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const graph = echoGraph(saver, async (text) => {
      if (text !== "one") return;
      entered.resolve();
      await release.promise;
    });
    await graph.invoke(ask("root"), thread("t"));
    const one = graph.invoke(ask("one"), { ...thread("t"), durability: "sync" });
    await entered.promise;
    await graph.invoke(ask("two"), { ...thread("t"), durability: "sync" });
    release.resolve();
    return { graph, one };
  }

  it("L4: of two runs on one thread the one that would be lost fails, and the thread goes on", async () => {
    const { saver, memory } = on(open());
    const { graph, one } = await sideBySide(saver);
    expect(await codeOf(one)).toBe("VERSION_CONFLICT");
    expect(textsOf((await graph.getState(thread("t"))).values.messages).slice(-2)).toEqual(["two", "re two"]);
    const state = await graph.invoke(ask("after"), thread("t"));
    expect(textsOf(state.messages).slice(-2)).toEqual(["after", "re after"]);
    await memory.close();
  });

  it("L4: runs that read one checkpoint, or none, are told from each other in two processes too", async () => {
    const store = open();
    const other = again?.() ?? store;
    const savers = [on(store).saver, on(other).saver] as const;
    for (const round of [1, 2]) {
      const tuples = await Promise.all(savers.map((saver) => saver.getTuple(thread("t"))));
      const puts = savers.map((saver, index) => {
        const checkpoint = { ...emptyCheckpoint(), id: uuid6(round * 2 + index) };
        const config = tuples[index]?.config ?? thread("t");
        return codeOf(saver.put(config, checkpoint, { source: "input", step: round, parents: {} }, {}));
      });
      expect((await Promise.all(puts)).toSorted()).toEqual(["VERSION_CONFLICT", "it succeeded"]);
    }
    await other.close();
    await store.close();
  });

  it("L4: a slow run is told apart however often the newest state was looked at meanwhile", async () => {
    const { saver, memory } = on(open());
    const put = (config: RunnableConfig, n: number) =>
      saver.put(config, { ...emptyCheckpoint(), id: uuid6(n) }, { source: "loop", step: n, parents: {} }, {});
    await put(thread("t"), 0);
    const slow = await saver.getTuple(thread("t"));
    for (let n = 1; n <= 20; n++) {
      const newest = await saver.getTuple(thread("t"));
      await saver.getTuple(thread("t"));
      await put(newest?.config ?? {}, n);
    }
    expect(await codeOf(put(slow?.config ?? {}, 21))).toBe("VERSION_CONFLICT");
    await memory.close();
  });

  it("L4: with onFork both runs are kept as branches, and the app is told", async () => {
    const forks: unknown[] = [];
    const { saver, memory } = on(open(), {
      onFork: ({ threadId, checkpointId }) => forks.push([threadId, checkpointId]),
    });
    const { graph, one } = await sideBySide(saver);
    expect(textsOf((await one).messages).slice(-2)).toEqual(["one", "re one"]);
    const newest = (await graph.getState(thread("t"))).config.configurable?.checkpoint_id;
    expect(forks).toEqual([["t", newest]]);
    const ends: string[][] = [];
    for await (const { values, next } of graph.getStateHistory(thread("t"))) {
      if (next.length === 0) ends.push(textsOf(values.messages).slice(-2));
    }
    expect(ends).toContainEqual(["one", "re one"]);
    expect(ends).toContainEqual(["two", "re two"]);
    await memory.close();
  });

  it("L4: an interrupted run is resumed by another process, answer by answer", async () => {
    const store = open();
    const first = await approvalGraph(on(store).saver).invoke({}, thread("t"));
    expect(first).toMatchObject({ __interrupt__: [{ value: { question: "first?", at: new Date(1) } }] });
    const other = again?.() ?? store;
    const graph = approvalGraph(on(other).saver);
    const { tasks, values } = await graph.getState(thread("t"));
    expect(tasks[0]?.interrupts).toMatchObject([{ value: { question: "first?", at: new Date(1) } }]);
    expect(values.at).toEqual(new Date(5));
    const second = await graph.invoke(new Command({ resume: "yes" }), thread("t"));
    expect(second).toMatchObject({ __interrupt__: [{ value: { question: "second?" } }] });
    const last = await approvalGraph(on(store).saver).invoke(new Command({ resume: "no" }), thread("t"));
    expect(last.log).toEqual(["prepared", "yes", "no"]);
    await other.close();
    await store.close();
  });

  it("L4: writes of a step come back by task path, special ones replaced, ordinary ones kept", async () => {
    const { saver, memory } = on(open());
    await echoGraph(saver).invoke(ask("a"), thread("t"));
    const tuple = await saver.getTuple(thread("t"));
    if (tuple === undefined) throw new Error("There is a checkpoint.");
    const { config } = tuple;
    await saver.putWrites(
      config,
      [
        ["x", 1],
        ["__interrupt__", [{ value: "old" }]],
      ],
      "task-b",
      "~2",
    );
    await saver.putWrites(
      config,
      [
        ["x", 2],
        ["__interrupt__", [{ value: "new" }]],
      ],
      "task-b",
      "~2",
    );
    await saver.putWrites(config, [["x", new Send("n", { at: new Date(1) })]], "task-z", "~1");
    await saver.putWrites(
      config,
      [
        ["x", "first"],
        ["y", undefined],
      ],
      "task-a",
    );
    await saver.putWrites(config, [["x", "astral"]], "\u{1F600}", "~1");
    await saver.putWrites(config, [["x", "private"]], "\uE000", "~1");
    expect((await saver.getTuple(config))?.pendingWrites).toEqual([
      ["task-a", "x", "first"],
      ["task-a", "y", undefined],
      ["task-z", "x", new Send("n", { at: new Date(1) })],
      ["\uE000", "x", "private"],
      ["\u{1F600}", "x", "astral"],
      ["task-b", "__interrupt__", [{ value: "new" }]],
      ["task-b", "x", 1],
    ]);
    await memory.close();
  });

  it("L4: a run whose thread is deleted under it ends, is told of, and brings nothing back", async () => {
    const { saver, memory, events } = on(open());
    await echoGraph(saver).invoke(ask("a"), thread("t"));
    const graph = echoGraph(saver, async (text) => {
      if (text === "b") await saver.deleteThread("t");
    });
    const state = await graph.invoke(ask("b"), thread("t"));
    expect(textsOf(state.messages).at(-1)).toBe("re b");
    expect(await saver.getTuple(thread("t"))).toBeUndefined();
    expect((await saver.listThreads()).items).toEqual([]);
    const late = events.filter(({ type }) => type === "memory.write_failed");
    expect(late.length).toBeGreaterThan(0);
    expect(late.every((event) => "code" in event && event.code === "ERASED")).toBe(true);
    expect(textsOf((await graph.invoke(ask("anew"), thread("t"))).messages)).toEqual(["anew", "re anew"]);
    await memory.close();
  });

  it("L4: a late write of a deleted thread doesn't enter the one that began anew under its name", async () => {
    const { saver, memory, events } = on(open());
    const put = (n: number) =>
      saver.put(thread("t"), { ...emptyCheckpoint(), id: uuid6(n) }, { source: "input", step: n, parents: {} }, {});
    const gone = await put(1);
    await saver.deleteThread("t");
    await put(2);
    await saver.putWrites(gone, [["messages", "of the deleted one"]], "task");
    expect(events.filter(({ type }) => type === "memory.write_failed")).toMatchObject([
      { conversation: "t", operation: "put_writes", code: "ERASED" },
    ]);
    await memory.close();
  });

  it("L2/L4: copies of two branches made at once each have their own branch's messages", async () => {
    const { saver, memory } = on(open());
    const graph = echoGraph(saver);
    await graph.invoke(ask("root"), thread("t"));
    const { config: root } = await graph.getState(thread("t"));
    const branches: (typeof root)[] = [];
    for (const text of ["a", "b"]) {
      await graph.invoke(ask(text), root);
      branches.push((await graph.getState(thread("t"))).config);
    }
    const copies = await Promise.all(branches.map((branch) => graph.updateState(branch, null, "__copy__")));
    const states = await Promise.all(copies.map((copy) => graph.getState(copy)));
    expect(states.map(({ values }) => textsOf(values.messages).at(-1))).toEqual(["re a", "re b"]);
    await memory.close();
  });

  it("L3: what can't be kept is refused with its place in the state, in a list too", async () => {
    const { saver, memory } = on(open());
    const circle: { self?: unknown } = {};
    circle.self = circle;
    let deep: unknown = [];
    for (let level = 0; level < 50_000; level++) deep = [deep];
    const put = (value: unknown) => {
      const checkpoint = { ...emptyCheckpoint(), channel_values: { log: value }, channel_versions: { log: 1 } };
      const metadata = { source: "input" as const, step: 1, parents: {} };
      return saver.put(thread("t"), checkpoint, metadata, { log: 1 }).catch((error: MemoryError) => error);
    };
    expect(await put([{ ok: true }, circle])).toMatchObject({ details: { path: "$.log[1].self" } });
    expect(await put(circle)).toMatchObject({ details: { path: "$.log.self" } });
    expect(await put([deep])).toMatchObject({ code: "UNSUPPORTED_CONTENT" });
    expect(await saver.getTuple(thread("t"))).toBeUndefined();
    await memory.close();
  });

  it("L2: an item that gets a hole is written as it is then", async () => {
    const { saver, memory } = on(open());
    const row: unknown[] = [undefined, 2];
    const put = (config: RunnableConfig, version: number) => {
      const versions = { log: version };
      const values = { channel_values: { log: [{ row }] }, channel_versions: versions };
      const checkpoint = { ...emptyCheckpoint(), id: uuid6(version), ...values };
      return saver.put(config, checkpoint, { source: "loop", step: version, parents: {} }, versions);
    };
    const first = await put(thread("t"), 1);
    delete row[0];
    const second = await put(first, 2);
    const kept = async (config: RunnableConfig) => (await saver.get(config))?.channel_values.log;
    expect(await kept(first)).toStrictEqual([{ row: [undefined, 2] }]);
    // biome-ignore lint/suspicious/noSparseArray: a hole is what this is about
    expect(await kept(second)).toStrictEqual([{ row: [, 2] }]);
    await memory.close();
  });

  it("B1: the history of a delta channel is shown to its subject only", async () => {
    const { saver, memory } = on(open());
    const graph = deltaGraph(saver);
    await graph.invoke(ask("private"), thread("t", { user_id: "ann" }));
    const historyFor = (user: string) =>
      saver.getDeltaChannelHistory({ config: thread("t", { user_id: user }), channels: ["messages"] });
    expect((await historyFor("ann")).messages?.writes).not.toEqual([]);
    expect(await codeOf(historyFor("bob"))).toBe("CONVERSATION_OWNER_MISMATCH");
    await memory.close();
  });

  it("L4: an import keeps the order of the tasks of a step, run once or twice", async () => {
    const source = new MemorySaver();
    const checkpoint = { ...emptyCheckpoint(), id: uuid6(1) };
    const config = await source.put(thread("t"), checkpoint, { source: "input", step: 1, parents: {} });
    await source.putWrites(config, [["x", "first"]], "task-z", "~1");
    await source.putWrites(config, [["x", "second"]], "task-a", "~2");
    const { saver, memory } = on(open());
    for (const _ of [1, 2]) await importCheckpoints(memory, source);
    expect((await saver.getTuple(thread("t")))?.pendingWrites).toEqual((await source.getTuple(config))?.pendingWrites);
    await memory.close();
  });

  it("L5: deleting a thread takes all namespaces of it and nothing of another", async () => {
    const { saver, memory } = on(open());
    const graph = nestedGraph(saver);
    await graph.invoke(ask("a"), thread("t"));
    await graph.invoke(ask("a"), thread("t2"));
    const spaces = async (id: string) => {
      const found = new Set<unknown>();
      for await (const { config } of saver.list(thread(id))) found.add(config.configurable?.checkpoint_ns);
      return found.size;
    };
    expect(await spaces("t")).toBeGreaterThan(1);
    await saver.deleteThread("t");
    expect(await spaces("t")).toBe(0);
    expect(await spaces("t2")).toBeGreaterThan(1);
    await memory.close();
  });

  it("L8/A2: erasing a conversation or a subject in the memory erases their checkpoints", async () => {
    const { saver, memory } = on(open());
    const graph = echoGraph(saver);
    for (const [id, user] of [
      ["t1", "ann"],
      ["t2", "ann"],
      ["t3", "bob"],
      ["t4", undefined],
    ] as const) {
      await graph.invoke(ask("a"), thread(id, user === undefined ? {} : { user_id: user }));
    }
    await memory
      .conversation({ id: "t2", subject: "ann" })
      .record({ messages: [{ role: "user", content: "recorded" }] });
    const left = async () => (await saver.listThreads()).items.map(({ conversation }) => conversation);
    await memory.conversation({ id: "t4" }).delete();
    expect(await left()).toEqual(["t1", "t2", "t3"]);
    const receipt = await memory.subject("ann").erase();
    expect(receipt.removed.checkpoints).toBe(6);
    expect(await left()).toEqual(["t3"]);
    await memory.close();
  });

  it("B1: a thread is its subject's: the option tells, then the context, then the config; others are refused", async () => {
    const { saver, memory } = on(open(), {
      identify: ({ configurable }) => ({ subject: String(configurable.who ?? "") }),
    });
    const graph = echoGraph(saver);
    await graph.invoke(ask("a"), { ...thread("t", { who: "ann", user_id: "not asked" }) });
    await graph.invoke(ask("b"), { ...thread("t"), context: { userId: "ann" } as never });
    expect((await saver.listThreads({ subject: "ann" })).items).toMatchObject([{ conversation: "t", subject: "ann" }]);
    expect(await codeOf(graph.invoke(ask("c"), thread("t", { user_id: "bob" })))).toBe("CONVERSATION_OWNER_MISMATCH");
    expect(await codeOf(saver.getTuple(thread("t", { who: "bob" })))).toBe("CONVERSATION_OWNER_MISMATCH");
    const listed: unknown[] = [];
    for await (const tuple of saver.list({ configurable: { who: "bob" } })) listed.push(tuple);
    expect(listed).toEqual([]);
    expect(await saver.getTuple({ configurable: {} })).toBeUndefined();
    expect(await codeOf(echoGraph(saver).invoke(ask("a")))).toBe("INVALID_ARGUMENT");
    await memory.close();
  });

  it("F11/B1: a thread of a person who had no name yet is the person's once linked, under either name", async () => {
    const { saver, memory } = on(open());
    const graph = echoGraph(saver);
    await graph.invoke(ask("a"), thread("t", { user_id: "anonymous-7" }));
    await graph.invoke(ask("b"), thread("other", { user_id: "bob" }));
    expect((await memory.operator.link({ identity: "anonymous-7", subject: "ada" })).status).toBe("stored");
    const state = await graph.invoke(ask("b"), thread("t", { user_id: "anonymous-7" }));
    expect(textsOf(state.messages)).toEqual(["a", "re a", "b", "re b"]);
    expect(textsOf((await graph.getState(thread("t", { user_id: "ada" }))).values.messages)).toHaveLength(4);
    expect(await codeOf(graph.invoke(ask("c"), thread("t", { user_id: "bob" })))).toBe("CONVERSATION_OWNER_MISMATCH");
    expect((await saver.listThreads({ subject: "ada" })).items.map(({ conversation }) => conversation)).toEqual(["t"]);
    expect((await memory.operator.link({ identity: "anonymous-7", subject: "ada" })).status).toBe("unchanged");
    await memory.subject("ada").erase();
    expect((await saver.listThreads()).items.map(({ conversation }) => conversation)).toEqual(["other"]);
    await memory.close();
  });

  it("L5: a copied thread has its whole history and a life of its own", async () => {
    const { saver, memory } = on(open());
    const graph = echoGraph(saver);
    for (const text of ["a", "b"]) await graph.invoke(ask(text), thread("t", { user_id: "ann" }));
    expect(await saver.copyThread("t", "copy")).toBe(6);
    expect(await codeOf(saver.copyThread("t", "copy"))).toBe("VERSION_CONFLICT");
    await memory
      .conversation({ id: "bobs", subject: "bob" })
      .record({ messages: [{ role: "user", content: "hello" }] });
    expect(await codeOf(saver.copyThread("t", "bobs"))).toBe("CONVERSATION_OWNER_MISMATCH");
    await graph.invoke(ask("only here"), thread("copy"));
    expect(textsOf((await graph.getState(thread("t"))).values.messages)).toHaveLength(4);
    expect(textsOf((await graph.getState(thread("copy"))).values.messages)).toHaveLength(6);
    await memory.subject("ann").erase();
    expect((await saver.listThreads()).items).toEqual([]);
    await memory.close();
  });

  it("L5: pruning keeps the newest, and the thread goes on; a run from what went is told so", async () => {
    const { saver, memory } = on(open());
    const graph = echoGraph(saver);
    for (const text of ["a", "b", "c"]) await graph.invoke(ask(text), thread("t"));
    const [oldest] = (await collect(graph.getStateHistory(thread("t")))).slice(-1);
    expect(await saver.prune("t", { keep: 2 })).toBe(7);
    expect(await saver.prune("t", { keep: 2 })).toBe(0);
    const state = await graph.invoke(ask("d"), thread("t"));
    expect(textsOf(state.messages)).toHaveLength(8);
    expect(textsOf((await echoGraph(createCheckpointer(memory)).getState(thread("t"))).values.messages)).toHaveLength(
      8,
    );
    expect(await codeOf(graph.invoke(ask("x"), oldest?.config ?? {}))).toBe("NOT_FOUND");
    expect(await codeOf(saver.prune("t", { keep: 0 }))).toBe("INVALID_ARGUMENT");
    expect(await saver.prune("t", { olderThan: 0 })).toBeGreaterThan(0);
    expect(textsOf((await graph.getState(thread("t"))).values.messages)).toHaveLength(8);
    await memory.close();
  });

  it("L5: pruning a thread with a delta channel keeps what its state is made of", async () => {
    const { saver, memory } = on(open());
    const graph = deltaGraph(saver);
    for (const text of ["a", "b", "c"]) await graph.invoke(ask(text), thread("t"));
    const whole = textsOf((await graph.getState(thread("t"))).values.messages);
    expect(whole).toHaveLength(6);
    await saver.prune("t", { keep: 1 });
    expect(textsOf((await deltaGraph(createCheckpointer(memory)).getState(thread("t"))).values.messages)).toEqual(
      whole,
    );
    const state = await graph.invoke(ask("d"), thread("t"));
    expect(textsOf(state.messages)).toHaveLength(8);
    await memory.close();
  });

  it("L5: a retention is counted first, then applied to every thread", async () => {
    const { saver, memory } = on(open());
    const graph = echoGraph(saver);
    for (const id of ["t1", "t2"]) for (const text of ["a", "b"]) await graph.invoke(ask(text), thread(id));
    const retention = { keep: 1 };
    expect(await saver.applyRetention(retention, { dryRun: true })).toEqual({ checkpoints: 10, threads: 0 });
    expect(await saver.applyRetention(retention)).toEqual({ checkpoints: 10, threads: 0 });
    expect(await saver.applyRetention({ idleFor: 0 })).toEqual({ checkpoints: 2, threads: 2 });
    expect((await saver.listThreads()).items).toEqual([]);
    await memory.close();
  });

  it("L2: a listing pages through everything, by filter, border and limit", async () => {
    const { saver, memory } = on(open());
    const graph = echoGraph(saver);
    for (let turn = 0; turn < 12; turn++) await graph.invoke(ask(`${turn}`), thread("t"));
    const all = await collect(saver.list(thread("t")));
    expect(all).toHaveLength(36);
    const ids = all.map(({ checkpoint }) => checkpoint.id);
    expect(ids).toEqual([...ids].sort().reverse());
    expect(await collect(saver.list(thread("t"), { limit: 0 }))).toEqual([]);
    const inputs = await collect(saver.list(thread("t"), { filter: { source: "input" } }));
    expect(inputs).toHaveLength(12);
    const some = saver.list(thread("t"), { filter: { source: "input", step: 2 }, limit: 3 });
    expect((await collect(some)).map(({ metadata }) => metadata?.step)).toEqual([2]);
    const before = await collect(saver.list(thread("t"), { before: all[30]?.config ?? {} }));
    expect(before.map(({ checkpoint }) => checkpoint.id)).toEqual(ids.slice(31));
    await memory.close();
  });
});
