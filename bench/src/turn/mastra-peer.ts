import { existsSync, renameSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import { cacheFolder, fingerprint, versionOf } from "../lib/folders.ts";
import type { Contender } from "./contender.ts";
import { conversationId, factOf, subjectId, summaryText, textSource, type Workload } from "./workload.ts";

// What is used of the peer: it is no dependency, so its own types aren't at hand.
interface PeerMessage {
  id: string;
  threadId: string;
  resourceId: string;
  role: "user" | "assistant";
  createdAt: Date;
  content: { format: 2; parts: { type: "text"; text: string }[] };
}
interface PeerMemory {
  saveThread(input: {
    thread: { id: string; title: string; resourceId: string; createdAt: Date; updatedAt: Date };
  }): Promise<unknown>;
  saveMessages(input: { messages: PeerMessage[] }): Promise<unknown>;
  updateWorkingMemory(input: { threadId: string; resourceId: string; workingMemory: string }): Promise<unknown>;
  recall(input: { threadId: string; resourceId: string }): Promise<{ messages: unknown[] }>;
  getSystemMessage(input: { threadId: string; resourceId: string }): Promise<string | null>;
}
interface PeerModules {
  Memory: new (options: unknown) => PeerMemory;
  LibSQLStore: new (options: { id: string; url: string }) => PeerStore;
}
interface PeerStore {
  init(): Promise<void>;
  close?(): Promise<void>;
}

const PACKAGES = ["@mastra/core", "@mastra/memory", "@mastra/libsql"];

/** Versions of what is installed in the peers' folder. */
export const mastraVersions = (folder: string): Record<string, string> =>
  Object.fromEntries(PACKAGES.map((name) => [name, versionOf(join(folder, "node_modules", name, "package.json"))]));

async function load(folder: string): Promise<PeerModules> {
  const require = createRequire(join(folder, "package.json"));
  const [memory, libsql] = await Promise.all(
    ["@mastra/memory", "@mastra/libsql"].map((name) => import(pathToFileURL(require.resolve(name)).href)),
  );
  return { ...memory, ...libsql } as PeerModules;
}

async function open(folder: string, path: string): Promise<{ memory: PeerMemory; store: PeerStore }> {
  const { Memory, LibSQLStore } = await load(folder);
  const store = new LibSQLStore({ id: "bench", url: `file:${path}` });
  await store.init();
  const options = { lastMessages: 20, semanticRecall: false, workingMemory: { enabled: true, scope: "resource" } };
  return { memory: new Memory({ storage: store, options }), store };
}

/** The peer's file, built once by the peer itself. */
export async function mastraFile(folder: string, workload: Workload): Promise<string> {
  const own = ["bench/src/turn/mastra-peer.ts", "bench/src/turn/workload.ts"];
  const versions = JSON.stringify(mastraVersions(folder));
  const path = join(cacheFolder(), `mastra-${fingerprint(own, workload.messages, workload.seed, versions)}.db`);
  if (existsSync(path)) return path;
  const draft = `${path}.draft`;
  for (const end of ["", "-wal", "-shm"]) rmSync(`${draft}${end}`, { force: true });
  const { memory, store } = await open(folder, draft);
  const text = textSource(workload.seed);
  let time = Date.parse("2026-01-01T00:00:00.000Z");
  for (let index = 0; index < workload.conversations; index++) {
    const [threadId, resourceId] = [conversationId(index), subjectId(workload, index)];
    const now = new Date(time);
    await memory.saveThread({ thread: { id: threadId, title: "", resourceId, createdAt: now, updatedAt: now } });
    const messages = Array.from({ length: workload.threadMessages }, (_, seq) => {
      time += 1;
      return message(threadId, resourceId, seq % 2 === 0 ? "user" : "assistant", text(), new Date(time));
    });
    await memory.saveMessages({ messages });
  }
  for (let index = 0; index < workload.subjects; index++) {
    // It has no summary of its own without a model; the text is read with the facts.
    const facts = Array.from({ length: workload.facts }, (_, fact) => factOf(fact));
    const workingMemory = [...facts.map(({ key, value }) => `- ${key}: ${value}`), summaryText(index)].join("\n");
    const [threadId, resourceId] = [conversationId(index), subjectId(workload, index)];
    await memory.updateWorkingMemory({ threadId, resourceId, workingMemory });
  }
  await store.close?.();
  // Its close leaves the write-ahead log beside the file.
  const file = new DatabaseSync(draft);
  file.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  file.close();
  renameSync(draft, path);
  return path;
}

function message(
  threadId: string,
  resourceId: string,
  role: "user" | "assistant",
  text: string,
  createdAt: Date,
): PeerMessage {
  const content = { format: 2 as const, parts: [{ type: "text" as const, text }] };
  return { id: crypto.randomUUID(), threadId, resourceId, role, createdAt, content };
}

/** The same turn with Mastra's memory on libSQL: what its agents read before a call and save after it. */
export async function mastra(folder: string, path: string, workload: Workload): Promise<Contender> {
  const { memory, store } = await open(folder, path);
  const text = textSource(workload.seed + 1);
  let now = Date.now();
  return {
    name: "@mastra/memory on @mastra/libsql",
    async read(conversation) {
      const owner = { threadId: conversationId(conversation), resourceId: subjectId(workload, conversation) };
      const [recalled, system] = await Promise.all([memory.recall(owner), memory.getSystemMessage(owner)]);
      if ((system?.length ?? 0) < 1000) throw new Error("The peer read no working memory.");
      return recalled.messages.length;
    },
    async write(conversation) {
      const [threadId, resourceId] = [conversationId(conversation), subjectId(workload, conversation)];
      now += 2;
      const question = message(threadId, resourceId, "user", text(), new Date(now));
      const answer = message(threadId, resourceId, "assistant", text(), new Date(now + 1));
      await memory.saveMessages({ messages: [question, answer] });
    },
    close: () => store.close?.(),
  };
}
