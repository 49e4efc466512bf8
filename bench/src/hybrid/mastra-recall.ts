import { fakeVectors } from "../lib/fake-embedder.ts";
import { openRecalling, type RecallingMemory } from "../lib/mastra-peer.ts";
import type { Contender } from "../turn/contender.ts";
import { type PeerStore, peerTurns } from "../turn/mastra-memory.ts";
import { conversationId, subjectId, textsOf, type Workload } from "../turn/workload.ts";
import { TOP } from "./throughline.ts";

/** Mastra's memory as the turn uses it, with vectors that cost next to nothing. */
export function openHybrid(folder: string, storage: PeerStore, vector: object): Promise<RecallingMemory> {
  const vectorOf = fakeVectors();
  return openRecalling(folder, {
    storage,
    vector,
    modelId: "fake",
    vectorOf: (text) => Array.from(vectorOf(text)),
    most: TOP,
    options: { lastMessages: 20, workingMemory: { enabled: true, scope: "resource" } },
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
