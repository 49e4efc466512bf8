import { fakeVectors } from "../lib/fake-embedder.ts";
import type { Contender } from "../turn/contender.ts";
import { loadPeer, type PeerMemory, type PeerStore, peerTurns } from "../turn/mastra-memory.ts";
import { conversationId, subjectId, textsOf, type Workload } from "../turn/workload.ts";
import { TOP } from "./throughline.ts";

// What is used of the peer: it is no dependency, so its own types aren't at hand.
export interface RecallingMemory extends PeerMemory {
  recall(input: {
    threadId: string;
    resourceId: string;
    vectorSearchString?: string;
  }): Promise<{ messages: unknown[] }>;
}
interface PeerModules {
  Memory: new (options: unknown) => RecallingMemory;
}

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

/** Mastra's memory on one of its stores, with semantic recall over the resource from one of its vector stores. */
export async function openRecalling(folder: string, storage: PeerStore, vector: object): Promise<RecallingMemory> {
  const { Memory } = await loadPeer<PeerModules>(folder, "@mastra/memory");
  return new Memory({
    storage,
    vector,
    embedder: embedder(),
    options: {
      lastMessages: 20,
      semanticRecall: { topK: TOP, messageRange: 0, scope: "resource" },
      workingMemory: { enabled: true, scope: "resource" },
    },
  });
}

/** The same turn with Mastra's memory, semantic recall over the resource. */
export function recallingTurns(
  name: string,
  memory: RecallingMemory,
  workload: Workload,
  close: () => Promise<void>,
): Contender {
  const text = textsOf(workload, 1);
  const plain = peerTurns(name, memory, workload, close);
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
