import { performance } from "node:perf_hooks";
import { AIMessage } from "@langchain/core/messages";
import { type BaseCheckpointSaver, type CheckpointTuple, copyCheckpoint, uuid6 } from "@langchain/langgraph-checkpoint";
import { median } from "../lib/statistics.ts";
import type { Contender } from "./contender.ts";
import type { Talk } from "./graph.ts";

/** Medians of one contender, in milliseconds. */
export type OperationTimes = Record<"turn" | "put" | "getTuple" | "list10", number>;

const OPERATIONS = ["getTuple", "put", "turn", "list10"] as const;
/** How often each is done before the next one has its turn. */
const TIMES: Record<(typeof OPERATIONS)[number], number> = { getTuple: 5, put: 5, turn: 3, list10: 1 };

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

const config = (thread: string) => ({ configurable: { thread_id: thread } });

async function newest(saver: BaseCheckpointSaver, thread: string): Promise<CheckpointTuple> {
  const tuple = await saver.getTuple(config(thread));
  if (tuple === undefined) throw new Error("There is no checkpoint to go on from.");
  return tuple;
}

/** Puts a checkpoint that has one message more, as a step of the graph does. Only the put is timed. */
async function timedPut(saver: BaseCheckpointSaver, thread: string): Promise<number> {
  const { config: parent, checkpoint, metadata } = await newest(saver, thread);
  const next = { ...copyCheckpoint(checkpoint), id: uuid6(0), ts: new Date().toISOString() };
  const messages = [
    ...(next.channel_values.messages as unknown[]),
    new AIMessage({ id: next.id, content: "x".repeat(840) }),
  ];
  const version = Number(next.channel_versions.messages) + 1;
  next.channel_values.messages = messages;
  next.channel_versions.messages = version;
  const kept = metadata ?? { source: "loop", step: 0, parents: {} };
  return timed(() => saver.put(parent, next, kept, { messages: version }));
}

/** Does each thing in turn with each contender, round by round, the order turned round each time. */
export async function measureOperations(
  contenders: readonly { contender: Contender; talk: Talk }[],
  { thread, rounds, isDelta }: { thread: string; rounds: number; isDelta: boolean },
): Promise<Map<string, OperationTimes>> {
  const samples = new Map(
    contenders.map(({ contender }) => [
      contender.name,
      { turn: [], put: [], getTuple: [], list10: [] } as Record<keyof OperationTimes, number[]>,
    ]),
  );
  for (let round = 0; round < rounds; round++) {
    const order = round % 2 === 0 ? contenders : [...contenders].reverse();
    for (const operation of OPERATIONS) {
      // A delta channel's value isn't in the checkpoint: there is none to add to.
      if (isDelta && operation === "put") continue;
      for (const { contender, talk } of order) {
        const { saver } = contender;
        for (let time = 0; time < TIMES[operation]; time++) {
          samples.get(contender.name)?.[operation].push(await once(operation, saver, talk));
        }
      }
    }
  }
  return new Map(
    [...samples].map(([name, times]) => [
      name,
      {
        turn: median(times.turn),
        put: median(times.put),
        getTuple: median(times.getTuple),
        list10: median(times.list10),
      },
    ]),
  );

  function once(operation: keyof OperationTimes, saver: BaseCheckpointSaver, talk: Talk): Promise<number> {
    switch (operation) {
      case "turn":
        return timed(() => talk.turn(thread));
      case "put":
        return timedPut(saver, thread);
      case "getTuple":
        return timed(() => newest(saver, thread));
      case "list10":
        return timed(async () => {
          for await (const tuple of saver.list(config(thread), { limit: 10 })) if (tuple.checkpoint.id === "") return;
        });
    }
  }
}

export const timedDelete = (saver: BaseCheckpointSaver, thread: string): Promise<number> =>
  timed(() => saver.deleteThread(thread));
