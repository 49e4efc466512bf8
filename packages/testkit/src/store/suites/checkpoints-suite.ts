import { expect } from "vitest";
import { AGENT, at, CHAT, chat, HOSTILE_IDS } from "../fixtures.ts";
import type { StoreSuite } from "../store-suite.ts";
import { checkpointOf, checkpointsOf, heldUnder, put, readAt, texts, writesOf } from "./checkpoint-fixtures.ts";

const HOSTILE_TEXTS = ['"', "'; DROP TABLE x; --", "\\", "\u0000", "\ud800", "{1,2}", "NULL", "a,b", "é中😀", "\n"];

/** States that hosts keep: what comes back, what is shared, what is refused. */
export const checkpointsSuite: StoreSuite = {
  name: "checkpoints",
  applies: ({ capabilities }) => capabilities.checkpoints,
  cases: [
    {
      rules: ["J15", "PR5"],
      title: "a checkpoint comes back as it was put, whatever its texts hold",
      async run({ store }) {
        const stored = texts(...HOSTILE_TEXTS);
        const body = JSON.stringify(HOSTILE_TEXTS);
        await put(store, checkpointOf("c1"));
        await put(
          store,
          checkpointOf("c2", {
            parent: "c1",
            values: [
              { name: "short", value: stored[0] ?? "" },
              { name: "list", value: stored },
              { name: "none", value: [] },
              { name: "__proto__", value: texts(1) },
            ],
            tags: [["kind", stored[1] ?? ""]],
            body,
            now: at(2),
          }),
        );
        const row = await checkpointsOf(store).read(CHAT, { space: "" });
        expect(row).toMatchObject({ conversation: CHAT.conversation, space: "", id: "c2", parent: "c1", at: at(2) });
        expect(row?.values.map(({ name }) => name)).toEqual(["short", "list", "none", "__proto__"]);
        expect(row?.values.map(({ name }) => heldUnder(row, name))).toEqual([HOSTILE_TEXTS[0], HOSTILE_TEXTS, [], [1]]);
        expect(row?.tags.map(([key, text]) => [key, JSON.parse(text)])).toEqual([["kind", HOSTILE_TEXTS[1]]]);
        expect(JSON.parse(row?.body ?? "")).toEqual(HOSTILE_TEXTS);
        expect((await readAt(store, "c1")).parent).toBeUndefined();
        expect(await checkpointsOf(store).read(CHAT, { space: "", id: "c3" })).toBeNull();
        expect(await checkpointsOf(store).read(CHAT, { space: "other" })).toBeNull();
      },
    },
    {
      rules: ["J15", "J3", "PR5"],
      title: "hostile names of conversations, spaces, checkpoints, values and tasks stay apart",
      async run({ store }) {
        for (const name of HOSTILE_IDS) {
          const owner = chat(name);
          await put(store, checkpointOf(name, { space: name, values: [{ name, value: texts(name) }] }), owner);
          await put(store, checkpointOf(name, { space: `${name}x`, values: [{ name, value: texts("x") }] }), owner);
          const writes = [{ index: 0, name, text: JSON.stringify(name) }];
          await checkpointsOf(store).putWrites(owner, {
            space: name,
            checkpoint: name,
            task: name,
            path: name,
            writes,
          });
        }
        for (const name of HOSTILE_IDS) {
          const row = await checkpointsOf(store).read(chat(name), { space: name, id: name });
          expect(heldUnder(row, name)).toEqual([name]);
          expect(row?.writes).toMatchObject([{ task: name, path: name, index: 0, name }]);
          expect(await checkpointsOf(store).read(chat(name), { space: `${name}xx` })).toBeNull();
        }
        for (const stranger of [
          { ...CHAT, tenant: "acme2" },
          { ...CHAT, agent: "helper2" },
        ]) {
          expect(await checkpointsOf(store).list(stranger, { limit: 99 })).toEqual([]);
          expect(await checkpointsOf(store).threads(stranger, { limit: 99 })).toEqual([]);
        }
      },
    },
    {
      rules: ["L2", "J15"],
      title: "elements are kept once: later checkpoints and other spaces take them by their numbers",
      async run({ store }) {
        const first = await put(store, checkpointOf("c1", { values: [{ name: "m", value: texts("a", "b") }] }));
        expect(first.lists).toEqual([{ name: "m", ranges: [[1, 2]] }]);
        const { generation } = first;
        const next = await put(
          store,
          checkpointOf("c2", {
            parent: "c1",
            generation,
            values: [{ name: "m", value: [[1, 2], ...texts("c", "a")] }],
          }),
        );
        expect(next.lists).toEqual([
          {
            name: "m",
            ranges: [
              [1, 3],
              [1, 1],
            ],
          },
        ]);
        const child = await put(
          store,
          checkpointOf("c3", { space: "child", values: [{ name: "m", value: texts("b", "c") }] }),
        );
        expect(child.lists).toEqual([{ name: "m", ranges: [[2, 2]] }]);
        const other = await put(
          store,
          checkpointOf("c1", { values: [{ name: "m", value: texts("b") }] }),
          chat("other"),
        );
        expect(other.lists).toEqual([{ name: "m", ranges: [[1, 1]] }]);
        expect(heldUnder(await readAt(store, "c1"), "m")).toEqual(["a", "b"]);
        expect(heldUnder(await readAt(store, "c2"), "m")).toEqual(["a", "b", "c", "a"]);
        expect(heldUnder(await checkpointsOf(store).read(CHAT, { space: "child" }), "m")).toEqual(["b", "c"]);
      },
    },
    {
      rules: ["L2"],
      title: "a fork keeps its own elements beside those of the branch it left",
      async run({ store }) {
        const { generation } = await put(store, checkpointOf("c1", { values: [{ name: "m", value: texts(1, 2) }] }));
        const list = (...rest: string[]) => [{ name: "m", value: [[1, 2] as const, ...rest] }];
        await put(store, checkpointOf("c2", { parent: "c1", generation, values: list(...texts("left")) }));
        await put(store, checkpointOf("c3", { parent: "c1", generation, values: list(...texts("right")) }));
        const middle = [{ name: "m", value: [[1, 1] as const, ...texts("new"), [2, 1] as const] }];
        await put(store, checkpointOf("c4", { parent: "c2", generation, values: middle }));
        expect(heldUnder(await readAt(store, "c2"), "m")).toEqual([1, 2, "left"]);
        expect(heldUnder(await readAt(store, "c3"), "m")).toEqual([1, 2, "right"]);
        expect(heldUnder(await readAt(store, "c4"), "m")).toEqual([1, "new", 2]);
      },
    },
    {
      rules: ["L4"],
      title: "a checkpoint whose parent is gone is late, one without a parent starts anew",
      async run({ store }) {
        const checkpoints = checkpointsOf(store);
        const first = await put(store, checkpointOf("c1", { values: [{ name: "m", value: texts("old") }] }));
        expect(await checkpoints.put(CHAT, checkpointOf("c3", { parent: "c2" }))).toEqual({
          status: "late",
          gone: false,
        });
        expect(await checkpoints.remove(CHAT)).toBe(1);
        expect(await checkpoints.put(CHAT, checkpointOf("c2", { parent: "c1" }))).toEqual({
          status: "late",
          gone: true,
        });
        expect(await checkpoints.putWrites(CHAT, writesOf("c1", "t", "n"))).toBe("late");
        expect(await checkpoints.read(CHAT, { space: "" })).toBeNull();
        const anew = await put(store, checkpointOf("c9", { values: [{ name: "m", value: texts("new") }] }));
        expect(anew.generation).not.toBe(first.generation);
        const late = { ...writesOf("c9", "t", "n"), generation: first.generation };
        expect(await checkpoints.putWrites(CHAT, late)).toBe("late");
        expect((await readAt(store, "c9")).writes).toEqual([]);
        const stale = checkpointOf("c10", {
          parent: "c9",
          generation: first.generation,
          values: [{ name: "m", value: [[1, 1]] }],
        });
        expect(await checkpoints.put(CHAT, stale)).toEqual({ status: "stale", generation: anew.generation });
        expect(await checkpoints.put(CHAT, checkpointOf("c11", { parent: "none", detached: true }))).toMatchObject({
          status: "stored",
        });
        expect((await readAt(store, "c11")).parent).toBe("none");
      },
    },
    {
      rules: ["L4"],
      title: "with ifNewest a checkpoint is written behind the newest one only",
      async run({ store }) {
        const checkpoints = checkpointsOf(store);
        const root = checkpointOf("c1", { ifNewest: true });
        expect(await checkpoints.put(CHAT, root)).toMatchObject({ status: "stored" });
        expect(await checkpoints.put(CHAT, checkpointOf("c2", { ifNewest: true }))).toEqual({ status: "behind" });
        const next = { parent: "c1", ifNewest: true };
        expect(await checkpoints.put(CHAT, checkpointOf("c3", next))).toMatchObject({ status: "stored" });
        expect(await checkpoints.put(CHAT, checkpointOf("c4", next))).toEqual({ status: "behind" });
        expect(await checkpoints.put(CHAT, checkpointOf("c3", next))).toMatchObject({ status: "stored" });
        expect(await checkpoints.put(CHAT, checkpointOf("c4", { parent: "c1" }))).toMatchObject({ status: "stored" });
        const elsewhere = checkpointOf("c1", { space: "child", ifNewest: true });
        expect(await checkpoints.put(CHAT, elsewhere)).toMatchObject({ status: "stored" });
      },
    },
    {
      rules: ["L4"],
      title: "an ordinary write stays as it is, one that replaces takes its place, each by itself",
      async run({ store }) {
        const checkpoints = checkpointsOf(store);
        await put(store, checkpointOf("c1"));
        const write = (texted: string, replaces: boolean, ...indexes: number[]) =>
          checkpoints.putWrites(CHAT, {
            ...writesOf("c1", "task"),
            writes: indexes.map((index) => ({
              index,
              name: "n",
              text: JSON.stringify(texted),
              replaces: replaces && index < 0,
            })),
          });
        expect(await write("one", true, -1, 0)).toBe("stored");
        expect(await write("two", true, -1, 0, 1)).toBe("stored");
        const { writes } = await readAt(store, "c1");
        const found = writes.map(({ index, text }) => [index, JSON.parse(text)]).toSorted(([a], [b]) => a - b);
        expect(found).toEqual([
          [-1, "two"],
          [0, "one"],
          [1, "two"],
        ]);
        expect(writes[0]).toMatchObject({ task: "task", path: "path of task", name: "n" });
      },
    },
    {
      rules: ["L4"],
      title: "writes may come before their checkpoint, and outlive its being put again",
      async run({ store }) {
        const checkpoints = checkpointsOf(store);
        const { generation } = await put(store, checkpointOf("c1"));
        expect(await checkpoints.putWrites(CHAT, { ...writesOf("c2", "t", "early"), generation })).toBe("stored");
        expect(await checkpoints.read(CHAT, { space: "", id: "c2" })).toBeNull();
        await put(store, checkpointOf("c2", { parent: "c1" }));
        await put(store, checkpointOf("c2", { parent: "c1", body: "[1]" }));
        const row = await readAt(store, "c2");
        expect(row.writes.map(({ name }) => name)).toEqual(["early"]);
        expect(JSON.parse(row.body)).toEqual([1]);
        expect(await checkpoints.list(CHAT, { conversation: CHAT.conversation, limit: 9 })).toHaveLength(2);
      },
    },
    {
      rules: ["L5", "J15"],
      title: "a listing is newest first and cut by conversation, subject, space, id, border, tags and limit",
      async run({ store }) {
        const checkpoints = checkpointsOf(store);
        const tags = (source: string) => [["source", JSON.stringify(source)] as const];
        const list = { name: "m", value: texts("e") };
        await put(store, checkpointOf("c1", { subject: "ann", tags: tags("input"), values: [list] }));
        await put(store, checkpointOf("c2", { parent: "c1", tags: tags("loop") }));
        await put(store, checkpointOf("c3", { space: "child", tags: tags("input") }));
        await put(store, checkpointOf("c2", { tags: tags("loop") }), chat("a"));
        await checkpoints.putWrites(CHAT, writesOf("c1", "t", "n"));
        const ids = async (query: Partial<Parameters<typeof checkpoints.list>[1]> = {}) =>
          (await checkpoints.list(AGENT, { limit: 99, ...query })).map(
            (row) => `${row.conversation} ${row.space} ${row.id}`,
          );
        const all = ["chat-1 child c3", "a  c2", "chat-1  c2", "chat-1  c1"];
        expect(await ids()).toEqual(all);
        expect(await ids({ limit: 2 })).toEqual(all.slice(0, 2));
        expect(await ids({ limit: 0 })).toEqual([]);
        expect(await ids({ after: { id: "c2", conversation: "a", space: "" } })).toEqual(all.slice(2));
        expect(await ids({ conversation: "chat-1", space: "" })).toEqual(["chat-1  c2", "chat-1  c1"]);
        expect(await ids({ subject: "ann" })).toEqual([all[0], all[2], all[3]]);
        expect(await ids({ subject: "bob" })).toEqual([]);
        expect(await ids({ before: "c2" })).toEqual(["chat-1  c1"]);
        expect(await ids({ id: "c2" })).toEqual(["a  c2", "chat-1  c2"]);
        expect(await ids({ tags: tags("input") })).toEqual(["chat-1 child c3", "chat-1  c1"]);
        expect(await ids({ tags: [...tags("input"), ["other", "1"]] })).toEqual([]);
        expect(await ids({ tags: tags("input"), limit: 1 })).toEqual(["chat-1 child c3"]);
        const [whole] = await checkpoints.list(AGENT, { id: "c1", limit: 9 });
        expect(whole).toMatchObject({ subject: "ann", writes: [{ task: "t", name: "n" }] });
        expect(heldUnder(whole ?? null, "m")).toEqual(["e"]);
        const [head] = await checkpoints.list(AGENT, { id: "c1", heads: true, limit: 9 });
        expect(head?.writes).toEqual([]);
        expect(head?.values).toEqual([{ name: "m", value: [[1, 1]] }]);
        const alone = await checkpoints.read(CHAT, { space: "", id: "c1", heads: true });
        expect([alone?.writes, alone?.values]).toEqual([[], head?.values]);
      },
    },
    {
      rules: ["L1", "J15"],
      title: "a history follows the parents of one branch to the nearest value",
      async run({ store }) {
        const checkpoints = checkpointsOf(store);
        await put(store, checkpointOf("c0"));
        await put(
          store,
          checkpointOf("c1", { parent: "c0", body: "[1]", values: [{ name: "m", value: texts("seed") }] }),
        );
        await put(store, checkpointOf("c2", { parent: "c1" }));
        await put(store, checkpointOf("c3", { parent: "c1" }));
        await put(store, checkpointOf("c4", { parent: "c3" }));
        for (const id of ["c0", "c1", "c2", "c3", "c4"]) {
          await checkpoints.putWrites(CHAT, writesOf(id, `at ${id}`, "m", "other", "plain"));
        }
        const query = { space: "", id: "c4", names: ["m", "plain", "none"] };
        const [m, plain, none] = await checkpoints.history(CHAT, query);
        expect(m?.steps.map((step) => step.map(({ task, name }) => [task, name]))).toEqual([
          [["at c1", "m"]],
          [["at c3", "m"]],
        ]);
        expect(JSON.parse(m?.seed?.body ?? "null")).toEqual([1]);
        expect(JSON.parse(m?.seed?.value.elements ?? "null")).toEqual(["seed"]);
        expect(plain?.steps.map((step) => step[0]?.task)).toEqual(["at c0", "at c1", "at c3"]);
        expect([plain?.seed, none?.seed, none?.steps]).toEqual([undefined, undefined, []]);
        expect(none?.name).toBe("none");
        expect(await checkpoints.history(CHAT, { space: "", names: query.names })).toEqual([m, plain, none]);
        expect(await checkpoints.history(CHAT, { ...query, id: "gone", names: ["m"] })).toEqual([
          { name: "m", steps: [] },
        ]);
      },
    },
    {
      rules: ["L5"],
      title: "removing checkpoints leaves what others hold, and makes numbers read before stale",
      async run({ store }) {
        const checkpoints = checkpointsOf(store);
        const first = await put(store, checkpointOf("c1", { values: [{ name: "m", value: texts("a", "b") }] }));
        await put(
          store,
          checkpointOf("c2", {
            parent: "c1",
            generation: first.generation,
            values: [{ name: "m", value: [[2, 1], ...texts("c")] }],
          }),
        );
        await checkpoints.putWrites(CHAT, writesOf("c1", "t", "n"));
        const gone = [
          { space: "", id: "c1" },
          { space: "x", id: "c2" },
        ];
        expect(await checkpoints.remove(CHAT, gone)).toBe(1);
        expect(await checkpoints.remove(CHAT, gone)).toBe(0);
        const row = await readAt(store, "c2");
        expect(heldUnder(row, "m")).toEqual(["b", "c"]);
        expect(row.parent).toBe("c1");
        expect(row.generation).not.toBe(first.generation);
        const ranges = { parent: "c2", values: [{ name: "m", value: [[1, 1] as const] }] };
        const again = checkpointOf("c3", { ...ranges, generation: first.generation });
        expect(await checkpoints.put(CHAT, again)).toEqual({ status: "stale", generation: row.generation });
        // A run that goes on keeps its writes: the conversation is the same.
        const writes = { ...writesOf("c2", "t", "n"), generation: first.generation };
        expect(await checkpoints.putWrites(CHAT, writes)).toBe("stored");
        const back = await put(store, checkpointOf("c1", { values: [{ name: "m", value: texts("a") }] }));
        expect(back.lists[0]?.ranges).not.toEqual([[1, 1]]);
        expect((await readAt(store, "c1")).writes).toEqual([]);
      },
    },
    {
      rules: ["L5"],
      title: "a copy is whole and stands by itself; one that is there is not overwritten",
      async run({ store }) {
        const checkpoints = checkpointsOf(store);
        await put(store, checkpointOf("c1", { values: [{ name: "m", value: texts("a") }] }));
        await put(store, checkpointOf("c2", { space: "child", parent: "c1", detached: true }));
        await checkpoints.putWrites(CHAT, writesOf("c1", "t", "n"));
        const to = { conversation: "copy", subject: "ann", login: "l", now: at(5) };
        expect(await checkpoints.copy(CHAT, to)).toBe(2);
        expect(await checkpoints.copy(CHAT, to)).toBeNull();
        expect(await checkpoints.copy(chat("nothing"), { ...to, conversation: "copy of nothing" })).toBe(0);
        await checkpoints.remove(CHAT);
        const row = await readAt(store, "c1", chat("copy"));
        expect(row).toMatchObject({ subject: "ann", writes: [{ task: "t", name: "n" }] });
        expect(heldUnder(row, "m")).toEqual(["a"]);
        expect(await checkpoints.threads(AGENT, { limit: 9 })).toEqual([
          { conversation: "copy", subject: "ann", login: "l", createdAt: at(5), updatedAt: at(5), checkpoints: 2 },
        ]);
      },
    },
    {
      rules: ["L5"],
      title: "conversations with checkpoints are listed by id, by subject and in pages",
      async run({ store }) {
        const checkpoints = checkpointsOf(store);
        await put(store, checkpointOf("c1", { subject: "ann", now: at(1) }), chat("b"));
        await put(store, checkpointOf("c2", { parent: "c1", login: "l", now: at(3) }), chat("b"));
        await put(store, checkpointOf("c1", { subject: "bob" }), chat("a"));
        await put(store, checkpointOf("c1"), chat("c"));
        const rows = await checkpoints.threads(AGENT, { limit: 9 });
        expect(rows.map((row) => row.conversation)).toEqual(["a", "b", "c"]);
        expect(rows[1]).toEqual({
          conversation: "b",
          subject: "ann",
          login: "l",
          createdAt: at(1),
          updatedAt: at(3),
          checkpoints: 2,
        });
        expect(rows[2]?.subject).toBeUndefined();
        expect(await checkpoints.threads(AGENT, { subject: "ann", limit: 9 })).toEqual([rows[1]]);
        expect(await checkpoints.threads(AGENT, { after: "a", limit: 1 })).toEqual([rows[1]]);
      },
    },
  ],
};
