import { existsSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { createMemory, type Memory, type MemoryStore, type OpenTurn } from "@throughline/core";
import { sqliteStore } from "@throughline/store-sqlite";
import { cacheFolder, fingerprint } from "../lib/folders.ts";
import type { Contender } from "./contender.ts";
import { AGENT, conversationId, factOf, subjectId, summaryText, textsOf, type Workload } from "./workload.ts";

/** Sources that say what the file holds. */
const FORMAT = [
  "packages/store-sqlite/src/migrations.ts",
  "packages/store-sqlite/src/turn-body.ts",
  "packages/store-sqlite/src/fact-body.ts",
  "packages/store-sqlite/src/heap.ts",
  "packages/store-sqlite/src/keyword/posting-blocks.ts",
  "bench/src/turn/workload.ts",
];

/** The memory's file, built once by the memory itself. */
export async function memoryFile(workload: Workload, options: { indexed: boolean }): Promise<string> {
  const name = fingerprint(FORMAT, workload.messages, workload.seed, String(options.indexed));
  const path = join(cacheFolder(), `memory-${name}.db`);
  if (existsSync(path)) return path;
  const draft = `${path}.draft`;
  for (const end of ["", "-wal", "-shm", ".key"]) rmSync(`${draft}${end}`, { force: true });
  const store = sqliteStore({ path: draft, cacheBytes: 256 * 1024 * 1024 });
  await fillMemory(store, workload);
  if (options.indexed) {
    const memory = createMemory({ agent: AGENT, store, env: {} });
    while ((await memory.sweep({ limit: 100 })).conversations > 0);
  }
  await store.close();
  renameSync(draft, path);
  return path;
}

/** Writes the whole workload into a store. */
export async function fillMemory(store: MemoryStore, workload: Workload): Promise<void> {
  const agent = { tenant: "default", agent: AGENT };
  const start = Date.parse("2026-01-01T00:00:00.000Z");
  const memory = createMemory({ agent: AGENT, store, env: {} });
  let now = new Date(start);
  const text = textsOf(workload);
  const throughTurn = new Map<number, string>();
  for (let turn = 0; turn < workload.threadMessages / 2; turn++) {
    for (let index = 0; index < workload.conversations; index++) {
      now = new Date(now.getTime() + 1);
      const id = crypto.randomUUID();
      if (turn === workload.foldedTurns - 1) throughTurn.set(index, id);
      await store.commitTurn(
        { ...agent, conversation: conversationId(index) },
        {
          turn: {
            id,
            status: "completed",
            startedAt: now.toISOString(),
            endedAt: now.toISOString(),
            counted: 2,
            tokens: 140,
            messages: [message("user", text(), now), message("assistant", text(), now)],
          },
          subject: subjectId(workload, index),
          now: now.toISOString(),
        },
      );
    }
  }
  for (let subject = 0; subject < workload.subjects; subject++) {
    for (let index = 0; index < workload.facts; index++) {
      // What an operator writes doesn't expire: the file is kept between runs.
      await memory.operator.remember({ ...factOf(index), scope: "user", subject: subjectId(workload, subject) });
    }
  }
  for (let index = 0; index < workload.conversations; index++) {
    await store.commitSummary(
      { ...agent, conversation: conversationId(index) },
      {
        expectedVersion: 0,
        now: now.toISOString(),
        summary: {
          text: summaryText(index),
          through: workload.foldedTurns,
          throughTurn: throughTurn.get(index) ?? "",
          turns: workload.foldedTurns,
          tokens: 250,
          createdAt: now.toISOString(),
        },
      },
    );
  }
}

function message(role: "user" | "assistant", text: string, now: Date) {
  return {
    id: crypto.randomUUID(),
    role,
    parts: [{ type: "text" as const, text }],
    createdAt: now.toISOString(),
    origin: role,
  };
}

/** A turn through the public path: `begin`, then `complete`. */
export function throughline(path: string, workload: Workload, options: { cacheBytes: number }): Contender {
  const memory = createMemory({ agent: AGENT, store: sqliteStore({ path, cacheBytes: options.cacheBytes }), env: {} });
  return memoryTurns("throughline: begin + complete", memory, workload);
}

/** Turns of a memory, whatever its store. Several conversations may be between their two halves at once. */
export function memoryTurns(name: string, memory: Memory, workload: Workload): Contender {
  const text = textsOf(workload, 1);
  const open = new Map<number, OpenTurn[]>();
  let unsettled = 0;
  return {
    name,
    async read(conversation) {
      const handle = memory.conversation({
        id: conversationId(conversation),
        subject: subjectId(workload, conversation),
      });
      const turn = await handle.begin({ messages: [{ role: "user", content: text() }] });
      if (turn.degraded || turn.system.length < 1000) throw new Error("The turn began without its memory.");
      const others = open.get(conversation);
      if (others === undefined) open.set(conversation, [turn]);
      else others.push(turn);
      return turn.messages.length - 1;
    },
    async write(conversation) {
      const turns = open.get(conversation) ?? [];
      const turn = turns.shift();
      if (turns.length === 0) open.delete(conversation);
      const outcome = await turn?.complete([{ role: "assistant", content: text() }]);
      if (outcome?.status !== "stored") throw new Error(`The turn was not stored: ${JSON.stringify(outcome)}`);
      unsettled += 2;
    },
    async settle() {
      await memory.settled();
      const settled = unsettled;
      unsettled = 0;
      return settled;
    },
    close: () => memory.close(),
  };
}
