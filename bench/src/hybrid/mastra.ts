import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { fakeVectors } from "../lib/fake-embedder.ts";
import { cacheFolder, fingerprint } from "../lib/folders.ts";
import type { Contender } from "../turn/contender.ts";
import { fillPeer, loadPeer, type PeerMemory, type PeerStore, peerTurns, peerVersions } from "../turn/mastra-memory.ts";
import { conversationId, subjectId, textsOf, type Workload } from "../turn/workload.ts";
import { TOP } from "./throughline.ts";

// What is used of the peer: it is no dependency, so its own types aren't at hand.
interface RecallingMemory extends PeerMemory {
  recall(input: {
    threadId: string;
    resourceId: string;
    vectorSearchString?: string;
  }): Promise<{ messages: unknown[] }>;
}
interface PeerModules {
  Memory: new (options: unknown) => RecallingMemory;
}
interface Libsql {
  LibSQLStore: new (options: { id: string; url: string }) => PeerStore;
  LibSQLVector: new (options: { id: string; url: string }) => { close?(): Promise<void> };
}

export const mastraVersions = (folder: string): Record<string, string> =>
  peerVersions(folder, ["@mastra/core", "@mastra/memory", "@mastra/libsql"]);

/** The fake embedder in the form that the AI SDK gives its own. */
function embedder(): object {
  const vectorOf = fakeVectors();
  return {
    specificationVersion: "v2",
    provider: "fake",
    modelId: "fake",
    maxEmbeddingsPerCall: 10_000,
    supportsParallelCalls: true,
    doEmbed: async ({ values }: { values: string[] }) => ({
      embeddings: values.map((text) => Array.from(vectorOf(text))),
      usage: { tokens: 0 },
    }),
  };
}

async function open(folder: string, directory: string) {
  const { LibSQLStore, LibSQLVector } = await loadPeer<Libsql>(folder, "@mastra/libsql");
  const { Memory } = await loadPeer<PeerModules>(folder, "@mastra/memory");
  const storage = new LibSQLStore({ id: "bench", url: `file:${join(directory, "store.db")}` });
  const vector = new LibSQLVector({ id: "bench-vectors", url: `file:${join(directory, "vectors.db")}` });
  await storage.init();
  const memory = new Memory({
    storage,
    vector,
    embedder: embedder(),
    options: {
      lastMessages: 20,
      semanticRecall: { topK: TOP, messageRange: 0, scope: "resource" },
      workingMemory: { enabled: true, scope: "resource" },
    },
  });
  return { memory, close: async () => void (await Promise.all([storage.close?.(), vector.close?.()])) };
}

/** The peer's files, built once by the peer itself, and their size. */
export async function mastraFolder(folder: string, workload: Workload): Promise<{ path: string; megabytes: number }> {
  const own = ["bench/src/hybrid/mastra.ts", "bench/src/turn/mastra-memory.ts", "bench/src/search/corpus.ts"];
  const versions = JSON.stringify(mastraVersions(folder));
  const path = join(cacheFolder(), `mastra-hybrid-${fingerprint(own, workload.messages, workload.seed, versions)}`);
  if (!existsSync(path)) {
    const draft = `${path}.draft`;
    rmSync(draft, { recursive: true, force: true });
    mkdirSync(draft, { recursive: true });
    const { memory, close } = await open(folder, draft);
    await fillPeer(memory, workload);
    await close();
    renameSync(draft, path);
  }
  const bytes = readdirSync(path).reduce((sum, name) => sum + statSync(join(path, name)).size, 0);
  return { path, megabytes: bytes / 2 ** 20 };
}

/** The same turn with Mastra's memory on libSQL, semantic recall over the resource. */
export async function mastraHybrid(folder: string, directory: string, workload: Workload): Promise<Contender> {
  const { memory, close } = await open(folder, directory);
  const text = textsOf(workload, 1);
  const plain = peerTurns("@mastra/memory on @mastra/libsql, semantic recall", memory, workload, close);
  return {
    ...plain,
    async read(conversation) {
      const owner = { threadId: conversationId(conversation), resourceId: subjectId(workload, conversation) };
      const [recalled, system] = await Promise.all([
        memory.recall({ ...owner, vectorSearchString: text() }),
        memory.getSystemMessage(owner),
      ]);
      if ((system?.length ?? 0) < 1000) throw new Error("The peer read no working memory.");
      if (recalled.messages.length < 20) throw new Error(`The peer read ${recalled.messages.length} messages.`);
      // Those of the last 20 that are recalled as well are there once.
      return 20;
    },
  };
}
