import { expect } from "vitest";
import type { MemorySuite } from "../memory-suite.ts";
import { user } from "../talk.ts";

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
  ],
};
