import { expect } from "vitest";
import type { MemorySuite } from "../memory-suite.ts";
import { topicEmbedder, user } from "../talk.ts";

/** An embedder during whose next call of something else happens. */
function interrupted() {
  let next: (() => Promise<unknown>) | undefined;
  const before = async (): Promise<void> => {
    const running = next;
    next = undefined;
    await running?.();
  };
  return {
    embedder: topicEmbedder({ before }),
    meanwhile(happens: () => Promise<unknown>) {
      next = happens;
    },
  };
}

/** Derived work: found by anybody, done once. */
export const workSuite: MemorySuite = {
  name: "work",
  cases: [
    {
      rules: ["E3", "I5"],
      title: "two processes feed each completed turn to the sinks once",
      async run({ memory }) {
        const seen: string[] = [];
        const [one, two] = [1, 2].map(() => memory({ sinks: [({ turn }) => void seen.push(turn.id)] }));
        for (const id of ["a", "b", "c"]) await one?.conversation({ id }).record({ id, messages: [user(id)] });
        await one?.conversation({ id: "a" }).record({ id: "failed", status: "failed", messages: [user("x")] });
        await Promise.all([one?.sweep(), two?.sweep(), one?.settled()]);
        await two?.sweep();
        expect(seen.sort()).toEqual(["a", "b", "c"]);
        expect(await two?.sweep()).toMatchObject({ conversations: 0 });
      },
    },
    {
      rules: ["E3"],
      title: "what a process that died had claimed is done by another once its lease is over",
      async run({ memory, tick }) {
        const seen: string[] = [];
        const { promise: reached, resolve: reach } = Promise.withResolvers<void>();
        const stuck = memory({
          sinks: [
            () => {
              reach();
              return new Promise(() => undefined);
            },
          ],
        });
        await stuck.conversation({ id: "c" }).record({ id: "t1", messages: [user("hello")] });
        void stuck.sweep();
        await reached;
        const other = memory({ sinks: [({ turn }) => void seen.push(turn.id)] });
        expect(await other.sweep()).toMatchObject({ conversations: 0 });
        tick(600_000);
        expect(await other.sweep()).toMatchObject({ conversations: 1 });
        expect(seen).toEqual(["t1"]);
      },
    },
    {
      rules: ["G7"],
      title: "what failed is listed, whoever asks, and redriven",
      async run({ memory }) {
        let broken = true;
        const seen: string[] = [];
        const sink = ({ turn }: { turn: { id: string } }) => {
          if (broken) throw new Error("down");
          seen.push(turn.id);
        };
        const made = memory({ sinks: [sink] });
        await made.conversation({ id: "c" }).record({ id: "t1", messages: [user("a")] });
        await made.settled();
        const other = memory({ sinks: [sink] });
        expect(await other.operator.failures()).toMatchObject([{ work: "sink", turn: "t1", attempts: 1 }]);
        broken = false;
        await other.operator.redrive();
        expect(seen).toEqual(["t1"]);
        expect(await made.operator.failures()).toEqual([]);
      },
    },
    {
      rules: ["A2", "E3"],
      title: "a conversation deleted and begun anew while its turns are embedded is found from its first turn on",
      async run({ memory }) {
        const { embedder, meanwhile } = interrupted();
        const made = memory({ embedder, semanticFloor: 0.5 });
        const chat = made.conversation({ id: "c", subject: "ana" });
        const sayIn = (id: string, content: string) => chat.record({ id, messages: [user(content)] });
        await sayIn("first", "a cup of tea");
        await made.settled();
        for (const id of ["t1", "t2", "t3"]) await sayIn(id, `about my puppy, ${id}`);
        const other = memory({ embedder }).conversation({ id: "c", subject: "ana" });
        meanwhile(async () => {
          await other.delete();
          await other.record({ id: "anew", messages: [user("the walrus sits in a vehicle")] });
        });
        await made.settled();
        await made.sweep();
        const found = async (query: string, mode: "keyword" | "semantic") =>
          (await chat.search(query, { mode })).hits.map(({ turn }) => turn);
        expect(await found("walrus", "keyword")).toEqual(["anew"]);
        expect(await found("car", "semantic")).toEqual(["anew"]);
        expect(await found("dog", "semantic")).toEqual([]);
        expect(await made.sweep()).toMatchObject({ conversations: 0, failed: 0 });
      },
    },
    {
      rules: ["A2", "A3", "E3"],
      title: "what another process erases of a tool's answers while their turn is embedded is in no index afterwards",
      async run({ store, memory }) {
        const { embedder, meanwhile } = interrupted();
        const [made, another] = [memory({ embedder }), memory({ embedder })];
        const chat = made.conversation({ id: "c", subject: "ana" });
        await chat.record({ messages: [user("hello")] });
        await made.settled();
        const call = (callId: string) => ({
          id: `call ${callId}`,
          role: "assistant" as const,
          parts: [{ type: "tool-call" as const, callId, tool: "look", input: {} }],
        });
        const answers = ["qkvx", "zzkw"].map(
          (callId) => ({ type: "tool-result", callId, tool: "look", output: `it says ${callId}` }) as const,
        );
        await chat.record({
          messages: [user("look"), call("qkvx"), call("zzkw"), { id: "answers", role: "tool", parts: answers }],
        });
        meanwhile(() => another.conversation({ id: "c", subject: "ana" }).deleteMessages(["call qkvx"]));
        await made.settled();
        await another.settled();
        const found = async (query: string) =>
          (await chat.search(query, { mode: "keyword", toolResults: true })).hits.map(({ message }) => message.id);
        expect(await found("zzkw")).toEqual(["answers"]);
        expect(await found("qkvx")).toEqual([]);
        const owner = { tenant: made.tenant, agent: made.agent };
        const query = { terms: ["qkvx"], groups: ["said", "tool"] } as const;
        const held = await store.keyword?.postings(owner, { kind: "agent" }, query);
        expect(held?.terms.filter(({ documentFrequency }) => documentFrequency > 0) ?? []).toEqual([]);
        expect(await made.sweep()).toMatchObject({ conversations: 0, failed: 0 });
      },
    },
  ],
};
