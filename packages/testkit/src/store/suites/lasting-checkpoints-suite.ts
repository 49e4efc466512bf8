import type { MemoryStore } from "@throughline/core";
import { expect } from "vitest";
import { AGENT, at, CHAT, record, turnOf } from "../fixtures.ts";
import type { StoreSuite } from "../store-suite.ts";
import { leavesNoBytes } from "./bytes-suite.ts";
import { checkpointOf, checkpointsOf, heldUnder, put, readAt, texts, writesOf } from "./checkpoint-fixtures.ts";

const AT_ONCE = 20;

/** Checkpoints are there after reopening, and with two live handles. */
export const lastingCheckpointsSuite: StoreSuite = {
  name: "lasting checkpoints",
  applies: ({ capabilities }) => capabilities.checkpoints && capabilities.durable,
  needsReopen: true,
  cases: [
    {
      rules: ["E2", "J15"],
      title: "checkpoints, writes and generations are the same after reopening",
      async run({ store, reopened }) {
        const { generation } = await put(
          store,
          checkpointOf("c1", { subject: "ann", tags: [["a", "1"]], values: [{ name: "m", value: texts("a", "b") }] }),
        );
        await checkpointsOf(store).putWrites(CHAT, writesOf("c1", "t", "n"));
        const before = await readAt(store, "c1");
        const again = await reopened();
        expect(await readAt(again, "c1")).toEqual(before);
        const next = checkpointOf("c2", { parent: "c1", generation, values: [{ name: "m", value: [[1, 2]] }] });
        await put(again, next);
        expect(heldUnder(await readAt(again, "c2"), "m")).toEqual(["a", "b"]);
      },
    },
    {
      rules: ["PR2", "L4"],
      title: "checkpoints put at once through two handles are all there, each element once",
      async run({ store, another }) {
        const other = await another();
        const handles = Array.from({ length: AT_ONCE }, (_, index) => (index % 2 === 0 ? store : other));
        await Promise.all(
          handles.map((handle, index) =>
            put(handle, checkpointOf(`c${index}`, { values: [{ name: "m", value: texts("same", index) }] })),
          ),
        );
        const rows = await checkpointsOf(other).list(AGENT, { limit: 99 });
        expect(rows).toHaveLength(AT_ONCE);
        for (const row of rows) expect(heldUnder(row, "m")).toEqual(["same", Number(row.id.slice(1))]);
        const numbers = rows.flatMap(({ values }) =>
          values.flatMap(({ value }) => (typeof value === "string" ? [] : value)),
        );
        const last = Math.max(...numbers.map(([first, count]) => first + count - 1));
        expect(last).toBe(AT_ONCE + 1);
      },
    },
    {
      rules: ["PR2", "L4"],
      title: "of checkpoints put at once behind the newest one gets through",
      async run({ store, another }) {
        const other = await another();
        await put(store, checkpointOf("c0"));
        const commits = await Promise.all(
          Array.from({ length: AT_ONCE }, (_, index) =>
            checkpointsOf(index % 2 === 0 ? store : other).put(
              CHAT,
              checkpointOf(`c${index + 1}`, { parent: "c0", ifNewest: true }),
            ),
          ),
        );
        expect(commits.filter(({ status }) => status === "stored")).toHaveLength(1);
        expect(commits.filter(({ status }) => status === "behind")).toHaveLength(AT_ONCE - 1);
      },
    },
    {
      rules: ["PR2", "L8"],
      title: "whatever is put while the conversation is erased, no checkpoint stands without its parent",
      async run({ store, another }) {
        const other = await another();
        await record(store, CHAT, turnOf("t1"));
        await put(store, checkpointOf("c0"));
        const chain = async () => {
          for (let index = 1; index <= AT_ONCE; index++) {
            const commit = await checkpointsOf(other).put(CHAT, checkpointOf(`c${index}`, { parent: `c${index - 1}` }));
            await checkpointsOf(other).putWrites(CHAT, writesOf(`c${index}`, "t", "n"));
            if (commit.status !== "stored") return;
          }
        };
        const target = { kind: "conversation", conversation: CHAT.conversation } as const;
        await Promise.all([chain(), store.erase(AGENT, target, { now: at(5) })]);
        expect(await checkpointsOf(store).list(AGENT, { limit: 99 })).toEqual([]);
        expect(await checkpointsOf(store).threads(AGENT, { limit: 99 })).toEqual([]);
      },
    },
  ],
};

async function plant(store: MemoryStore, token: string): Promise<void> {
  const text = JSON.stringify(token);
  const long = JSON.stringify(`${token} ${"long ".repeat(5_000)}`);
  for (const id of ["c1", "c2"]) {
    const values = [
      { name: "short", value: text },
      { name: "list", value: [text, long] },
    ];
    await put(store, checkpointOf(id, { values, tags: [["t", text]], body: text }));
    const writes = [{ index: 0, name: "n", text: long }];
    await checkpointsOf(store).putWrites(CHAT, { ...writesOf(id, "task"), writes });
  }
}

/** Erased checkpoints can't be read back from the raw bytes. */
export const checkpointBytesSuite: StoreSuite = {
  name: "raw bytes of checkpoints",
  applies: ({ capabilities, hasPeek }) => capabilities.checkpoints && hasPeek,
  cases: [
    {
      rules: ["A3", "J4", "PR7"],
      title: "of the checkpoints of an erased conversation no byte is left: values, tags, bodies, writes",
      run: (bench) =>
        leavesNoBytes(bench, plant, (store) =>
          store.erase(AGENT, { kind: "conversation", conversation: CHAT.conversation }, { now: at(5) }),
        ),
    },
    {
      rules: ["A3", "J4", "PR7"],
      title: "of the checkpoints of a conversation that were removed no byte is left",
      run: (bench) => leavesNoBytes(bench, plant, (store) => checkpointsOf(store).remove(CHAT)),
    },
    {
      rules: ["A3", "J4", "PR7"],
      title: "of some removed checkpoints no byte is left, and the others stand",
      run: (bench) =>
        leavesNoBytes(bench, plant, async (store) => {
          await put(store, checkpointOf("c9"));
          await checkpointsOf(store).remove(CHAT, [
            { space: "", id: "c1" },
            { space: "", id: "c2" },
          ]);
          expect((await readAt(store, "c9")).id).toBe("c9");
        }),
    },
    {
      rules: ["A3", "PR7"],
      title: "of a checkpoint or a write that another took the place of no byte is left",
      run: (bench) =>
        leavesNoBytes(
          bench,
          async (store, token) => {
            const text = JSON.stringify(token);
            await put(store, checkpointOf("c1", { body: text, values: [{ name: "short", value: text }] }));
            const writes = [{ index: -1, name: "n", text, replaces: true }];
            await checkpointsOf(store).putWrites(CHAT, { ...writesOf("c1", "task"), writes });
          },
          async (store) => {
            await put(store, checkpointOf("c1"));
            const writes = [{ index: -1, name: "n", text: "1", replaces: true }];
            await checkpointsOf(store).putWrites(CHAT, { ...writesOf("c1", "task"), writes });
          },
        ),
    },
  ],
};
