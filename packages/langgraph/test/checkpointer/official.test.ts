import { AIMessage } from "@langchain/core/messages";
import { type BaseCheckpointSaver, MemorySaver, uuid6 } from "@langchain/langgraph-checkpoint";
import { PostgresSaver } from "@langchain/langgraph-checkpoint-postgres";
import { createMemory, inMemoryStore } from "@throughline/core";
import { createCheckpointer, importCheckpoints } from "@throughline/langgraph";
import { resultTable } from "@throughline/testkit";
import pg from "pg";
import { afterAll, describe, expect, inject, it } from "vitest";
import { ask, deltaGraph, echoGraph, historyOf, textsOf, thread } from "./graphs.ts";
import { testStores } from "./stores.ts";

const url = inject("postgresUrl");
const schemas: string[] = [];
const savers: PostgresSaver[] = [];

afterAll(async () => {
  for (const saver of savers) await saver.end();
  if (url === null) return;
  const admin = new pg.Client({ connectionString: url });
  await admin.connect();
  for (const schema of schemas) await admin.query(`DROP SCHEMA IF EXISTS "${schema}" CASCADE`);
  await admin.end();
});

async function officialPostgres(connectionString: string): Promise<PostgresSaver> {
  const schema = `official_${process.pid}_${schemas.length}`;
  schemas.push(schema);
  const saver = PostgresSaver.fromConnString(connectionString, { schema });
  savers.push(saver);
  await saver.setup();
  return saver;
}

const sources: [name: string, open: () => Promise<BaseCheckpointSaver>][] = [
  ["MemorySaver", async () => new MemorySaver()],
  ...(url === null
    ? []
    : [["PostgresSaver", () => officialPostgres(url)] as [string, () => Promise<BaseCheckpointSaver>]]),
];

/** Two threads, one of them with a branch. */
async function fill(saver: BaseCheckpointSaver): Promise<void> {
  const graph = echoGraph(saver);
  await graph.invoke(ask("root"), thread("t1"));
  const fork = (await graph.getState(thread("t1"))).config;
  await graph.invoke(ask("left"), thread("t1"));
  await graph.invoke(ask("right"), fork);
  for (const text of ["a", "b", "c"]) await graph.invoke(ask(text), thread("t2"));
  await deltaGraph(saver).invoke(ask("d"), thread("t3"));
  await deltaGraph(saver).invoke(ask("e"), thread("t3"));
}

describe.each(testStores())("what official checkpointers hold, taken over to $name", ({ open }) => {
  it.each(sources)(
    "L1: the history of every thread of a %s is the same afterwards, and goes on",
    async (_name, from) => {
      const source = await from();
      await fill(source);
      const store = open();
      const memory = createMemory({ agent: "graph", env: {}, store });
      const identify = () => ({ subject: "ann" });
      const seen: number[] = [];
      const done = await importCheckpoints(memory, source, {
        identify,
        onProgress: ({ checkpoints }) => seen.push(checkpoints),
      });
      expect(done).toEqual({ checkpoints: 24, threads: 3 });
      expect(seen).toEqual(Array.from({ length: 24 }, (_, index) => index + 1));
      const target = createCheckpointer(memory);
      for (const id of ["t1", "t2"]) {
        expect(await historyOf(echoGraph(target), id), id).toEqual(await historyOf(echoGraph(source), id));
      }
      const delta = await deltaGraph(target).getState(thread("t3"));
      expect(textsOf(delta.values.messages)).toEqual(["d", "re d", "e", "re e"]);
      // Again: nothing is there twice.
      expect(await importCheckpoints(memory, source, { identify, threads: ["t2"] })).toEqual({
        checkpoints: 9,
        threads: 1,
      });
      const { items } = await target.listThreads({ subject: "ann" });
      expect(items.map(({ conversation, checkpoints }) => [conversation, checkpoints])).toEqual([
        ["t1", 9],
        ["t2", 9],
        ["t3", 6],
      ]);
      const state = await echoGraph(target).invoke(ask("on"), thread("t2"));
      expect(textsOf(state.messages)).toHaveLength(8);
      await memory.close();
    },
  );
});

/** How a value is after a round trip through a checkpointer. */
async function fate(saver: BaseCheckpointSaver, value: unknown): Promise<string> {
  const id = uuid6(0);
  const config = { configurable: { thread_id: id, checkpoint_ns: "" } };
  const channel_values = { value };
  const checkpoint = { v: 4, id, ts: "", channel_values, channel_versions: { value: 1 }, versions_seen: {} };
  try {
    const put = await saver.put(config, checkpoint, { source: "loop", step: 0, parents: {} }, { value: 1 });
    const back = (await saver.getTuple(put))?.checkpoint.channel_values.value;
    return isSame(back, value) ? "kept" : "changed";
  } catch {
    return "throws";
  }
}

function isSame(left: unknown, right: unknown): boolean {
  try {
    expect(left).toStrictEqual(right);
    return true;
  } catch {
    return false;
  }
}

class QuotaError extends RangeError {
  readonly code = "QUOTA";
}

const isSameError = (left: unknown): boolean =>
  left instanceof RangeError && left.message === "m" && (left as { code?: unknown }).code === "QUOTA";

const VALUES: [name: string, value: unknown][] = [
  ["`Date`, also in a `Map`", new Map([["at", new Date(5)]])],
  ["`BigInt`", { n: 5n }],
  ["`Map`, `Set`, `RegExp`", [new Map([[1, 2]]), new Set([1]), /x/g]],
  ["`URL`", new URL("https://example.org/a")],
  ["`Uint8Array`", { bytes: new Uint8Array([0, 255]) }],
  ["`Float32Array`", { vector: new Float32Array([0.5]) }],
  ["`Buffer`", { bytes: Buffer.from([0, 255]) }],
  ["`NaN`, `Infinity`", [Number.NaN, Infinity]],
  ["`-0`", [-0]],
  ["`undefined` in an object", { a: undefined }],
  [
    "tool calls of an `AIMessage`",
    new AIMessage({ content: "", tool_calls: [{ name: "f", args: { a: 1 }, id: "c" }] }),
  ],
];

const OURS = "`createCheckpointer`";
const MEMORY = "`MemorySaver`";
const POSTGRES = "`PostgresSaver`";
const ERROR = "`Error`: class and code";
const BRANCHES = "after a time travel: each branch's own messages";

async function errorFate(saver: BaseCheckpointSaver): Promise<string> {
  const id = uuid6(0);
  const values = { channel_values: { e: new QuotaError("m") }, channel_versions: { e: 1 }, versions_seen: {} };
  const metadata = { source: "loop", step: 0, parents: {} } as const;
  const put = await saver.put(thread(id), { v: 4, id, ts: "", ...values }, metadata, { e: 1 });
  return isSameError((await saver.getTuple(put))?.checkpoint.channel_values.e) ? "kept" : "changed";
}

describe.skipIf(url === null)("fidelity beside the official checkpointers", () => {
  const rows = [...VALUES.map(([name]) => name), ERROR, BRANCHES];
  const table = resultTable({ corner: "a state with", rows, columns: [OURS, MEMORY, POSTGRES] });

  it.each([
    [OURS, async () => createCheckpointer(createMemory({ agent: "graph", env: {}, store: inMemoryStore() }))],
    [MEMORY, async () => new MemorySaver()],
    [POSTGRES, async () => officialPostgres(url ?? "")],
  ] as [string, () => Promise<BaseCheckpointSaver>][])("L3: what comes back from %s", async (column, from) => {
    const saver = await from();
    for (const [name, value] of VALUES) table.record(name, column, await fate(saver, value));
    table.record(ERROR, column, await errorFate(saver));
    table.record(BRANCHES, column, await branches(saver));
  });

  it("L3: the table in the README is what these tests saw, and ours keeps everything", async () => {
    const json = table.json();
    const { rows: seen }: { rows: string[][] } = JSON.parse(json);
    expect(seen.filter(([, own]) => own !== "kept")).toEqual([]);
    await expect(json).toMatchFileSnapshot("fidelity.table.json");
  });
});

/** Whether a fork's messages are its own, read from the store by a graph that knows nothing of it. */
async function branches(saver: BaseCheckpointSaver): Promise<string> {
  const id = uuid6(1);
  const graph = echoGraph(saver);
  await graph.invoke(ask("root"), thread(id));
  const fork = (await graph.getState(thread(id))).config;
  await graph.invoke(ask("left"), thread(id));
  await graph.invoke(ask("right"), fork);
  const state = await echoGraph(saver).getState(thread(id));
  return textsOf(state.values.messages).at(-1) === "re right" ? "kept" : "changed";
}
