import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { GovernedTurn, MakeGovernedMemory } from "@throughline/testkit";
import { SCRIPTED_DIMENSIONS, startScriptedServer } from "./scripted-server.ts";

// What is used of the peer: it is no dependency, so its own types aren't at hand.
interface Item {
  id: string;
  memory: string;
}
interface Mem0 {
  add(messages: { role: string; content: string }[], config: { userId: string }): Promise<{ results: Item[] }>;
  getAll(config: { filters: { user_id: string }; topK?: number }): Promise<{ results: Item[] }>;
  search(query: string, config: { filters: { user_id: string }; topK?: number }): Promise<{ results: Item[] }>;
  delete(id: string): Promise<unknown>;
  deleteAll(config: { userId: string }): Promise<unknown>;
  history(id: string): Promise<{ previousValue?: string | null; previous_value?: string | null }[]>;
}

/** Loaded from the peers' folder, by its name. */
const ENTRY = "mem0ai/oss";

/** What the scripted model answers to mem0's prompt, in the form that the prompt asks for. */
function answerOf({ proposes, isBroken }: GovernedTurn): string {
  const memory = proposes.map(({ key, text }, index) => ({
    id: String(index),
    text: `${key}: ${text}`,
    attributed_to: "user",
  }));
  const whole = JSON.stringify({ memory });
  return isBroken ? whole.slice(0, whole.lastIndexOf('"text"')) : whole;
}

/** mem0's open-source memory for TypeScript, in memory, over the scripted model. */
export function governMem0(folder: string): MakeGovernedMemory {
  return async () => {
    process.env.MEM0_TELEMETRY = "false";
    const require = createRequire(join(folder, "package.json"));
    const module = (await import(pathToFileURL(require.resolve(ENTRY)).href)) as {
      Memory: new (config: unknown) => Mem0;
    };
    const server = await startScriptedServer();
    const connection = { apiKey: "none", baseURL: server.url, url: server.url };
    const memory = new module.Memory({
      historyDbPath: ":memory:",
      embedder: {
        provider: "openai",
        config: { ...connection, model: "scripted", embeddingDims: SCRIPTED_DIMENSIONS },
      },
      vectorStore: {
        provider: "memory",
        config: {
          collectionName: `governed-${crypto.randomUUID()}`,
          dimension: SCRIPTED_DIMENSIONS,
          dbPath: ":memory:",
        },
      },
      llm: { provider: "openai", config: { ...connection, model: "scripted" } },
    });
    const all = async (subject: string): Promise<Item[]> =>
      (await memory.getAll({ filters: { user_id: subject }, topK: 1_000 })).results;
    return {
      async turn(turn) {
        server.answer = answerOf(turn);
        const { user, assistant, tool, subject } = turn;
        await memory.add(
          [
            { role: "user", content: user },
            ...(tool === undefined ? [] : [{ role: "tool", content: tool.output }]),
            { role: "assistant", content: assistant },
          ],
          { userId: subject },
        );
      },
      known: async (subject) => (await all(subject)).map((item) => item.memory),
      // As its own provider for the AI SDK does: what is found, line by line.
      prompt: async (subject) => (await all(subject)).map((item) => `Memory: ${item.memory}`).join("\n"),
      async forget(subject, { text }) {
        const found = (await all(subject)).filter((item) => item.memory.includes(text));
        for (const { id } of found) await memory.delete(id);
        return found.length;
      },
      async erase(subject) {
        const { length } = await all(subject);
        await memory.deleteAll({ userId: subject });
        return length;
      },
      async history(subject) {
        const changes = await Promise.all((await all(subject)).map(({ id }) => memory.history(id)));
        return changes.flat().flatMap((change) => change.previousValue ?? change.previous_value ?? []);
      },
      why: async () => null,
      undo: async () => null,
      export: async (subject) => JSON.stringify(await all(subject)),
      close: () => server.close(),
    };
  };
}
