import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { versionOf } from "../lib/folders.ts";
import type { Contender } from "./contender.ts";
import { conversationId, factOf, subjectId, summaryText, textsOf, type Workload } from "./workload.ts";

// What is used of the peer: it is no dependency, so its own types aren't at hand.
interface PeerMessage {
  id: string;
  threadId: string;
  resourceId: string;
  role: "user" | "assistant";
  createdAt: Date;
  content: { format: 2; parts: { type: "text"; text: string }[] };
}
export interface PeerMemory {
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
}
export interface PeerStore {
  init(): Promise<void>;
  close?(): Promise<void>;
}

/** Versions of what is installed in the peers' folder. */
export const peerVersions = (folder: string, names: readonly string[]): Record<string, string> =>
  Object.fromEntries(names.map((name) => [name, versionOf(join(folder, "node_modules", name, "package.json"))]));

/** A module of the peers' folder; the caller says what it needs of it. */
export async function loadPeer<Module>(folder: string, name: string): Promise<Module> {
  const require = createRequire(join(folder, "package.json"));
  return (await import(pathToFileURL(require.resolve(name)).href)) as Module;
}

/** Mastra's memory on one of its stores. */
export async function openPeer(folder: string, store: PeerStore): Promise<PeerMemory> {
  const { Memory } = await loadPeer<PeerModules>(folder, "@mastra/memory");
  await store.init();
  const options = { lastMessages: 20, semanticRecall: false, workingMemory: { enabled: true, scope: "resource" } };
  return new Memory({ storage: store, options });
}

/** Writes the whole workload. */
export async function fillPeer(memory: PeerMemory, workload: Workload): Promise<void> {
  const text = textsOf(workload);
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

/** The same turn with Mastra's memory: what its agents read before a call and save after it. */
export function peerTurns(
  name: string,
  memory: PeerMemory,
  workload: Workload,
  close: () => void | Promise<void>,
): Contender {
  const text = textsOf(workload, 1);
  let now = Date.now();
  return {
    name,
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
    close,
  };
}
