import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { MakeGovernedMemory } from "@throughline/testkit";

// What is used of the peer: it is no dependency, so its own types aren't at hand.
interface Owner {
  threadId: string;
  resourceId: string;
}
interface PeerMemory {
  saveThread(input: {
    thread: { id: string; title: string; resourceId: string; createdAt: Date; updatedAt: Date };
  }): Promise<unknown>;
  saveMessages(input: { messages: unknown[] }): Promise<unknown>;
  getThreadById(input: { threadId: string }): Promise<unknown>;
  deleteThread(threadId: string): Promise<unknown>;
  getWorkingMemory(input: Owner): Promise<string | null>;
  updateWorkingMemory(input: Owner & { workingMemory: string }): Promise<unknown>;
  getSystemMessage(input: Owner): Promise<string | null>;
}

const lineOf = (key: string, text: string): string => `- ${key}: ${text}`;

/**
 * Mastra's working memory, kept per person on libSQL. Its model writes the whole template anew in every turn: the scripted
 * one puts each proposal under its key, as a careful model would.
 */
export function governMastra(folder: string): MakeGovernedMemory {
  return async () => {
    const require = createRequire(join(folder, "package.json"));
    const load = async <Module>(name: string): Promise<Module> =>
      (await import(pathToFileURL(require.resolve(name)).href)) as Module;
    const { Memory } = await load<{ Memory: new (options: unknown) => PeerMemory }>("@mastra/memory");
    const { LibSQLStore } = await load<{
      LibSQLStore: new (options: { id: string; url: string }) => { init(): Promise<void>; close?(): Promise<void> };
    }>("@mastra/libsql");
    const store = new LibSQLStore({ id: `governed-${crypto.randomUUID()}`, url: "file::memory:" });
    await store.init();
    const options = { lastMessages: 20, semanticRecall: false, workingMemory: { enabled: true, scope: "resource" } };
    const memory = new Memory({ storage: store, options });
    const threads = new Map<string, Set<string>>();
    const ownerOf = async (subject: string, conversation: string): Promise<Owner> => {
      const owner = { threadId: `${subject}/${conversation}`, resourceId: subject };
      if ((await memory.getThreadById({ threadId: owner.threadId })) === null) {
        const now = new Date();
        const { threadId: id, resourceId } = owner;
        await memory.saveThread({ thread: { id, title: "", resourceId, createdAt: now, updatedAt: now } });
      }
      threads.set(subject, (threads.get(subject) ?? new Set()).add(owner.threadId));
      return owner;
    };
    const linesOf = async (subject: string): Promise<string[]> => {
      const text = (await memory.getWorkingMemory(await ownerOf(subject, "look"))) ?? "";
      return text.split("\n").filter((line) => /^- [^:]+: \S/.test(line));
    };
    return {
      async turn({ id, conversation, subject, at, user, assistant, proposes, isBroken }) {
        const owner = await ownerOf(subject, conversation);
        const message = (role: "user" | "assistant", text: string) => ({
          id: `${id}-${role}`,
          threadId: owner.threadId,
          resourceId: subject,
          role,
          createdAt: new Date(at),
          content: { format: 2, parts: [{ type: "text", text }] },
        });
        await memory.saveMessages({ messages: [message("user", user), message("assistant", assistant)] });
        // A tool call whose arguments are cut off is no call.
        if (proposes.length === 0 || isBroken) return;
        const lines = (await linesOf(subject)).filter(
          (line) => !proposes.some(({ key }) => line.startsWith(`- ${key}:`)),
        );
        const workingMemory = [...lines, ...proposes.map(({ key, text }) => lineOf(key, text))].join("\n");
        await memory.updateWorkingMemory({ ...owner, workingMemory });
      },
      known: linesOf,
      prompt: async (subject, conversation) =>
        (await memory.getSystemMessage(await ownerOf(subject, conversation))) ?? "",
      async forget(subject, { key }) {
        const before = await linesOf(subject);
        const left = before.filter((line) => !line.startsWith(`- ${key}:`));
        await memory.updateWorkingMemory({ ...(await ownerOf(subject, "look")), workingMemory: left.join("\n") });
        return before.length - left.length;
      },
      async erase(subject) {
        const before = await linesOf(subject);
        await memory.updateWorkingMemory({ ...(await ownerOf(subject, "look")), workingMemory: "" });
        const ids = [...(threads.get(subject) ?? [])];
        for (const thread of ids) await memory.deleteThread(thread);
        return before.length + ids.length;
      },
      history: async () => null,
      why: async () => null,
      undo: async () => null,
      export: async (subject) => JSON.stringify(await linesOf(subject)),
      async close() {
        await store.close?.();
      },
    };
  };
}
