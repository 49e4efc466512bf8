import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { FAKE_DIMENSIONS, fakeVectors } from "../lib/fake-embedder.ts";
import { cacheFolder } from "../lib/folders.ts";
import { openMem0 } from "../lib/mem0-peer.ts";
import type { Contender } from "../turn/contender.ts";
import { peerVersions } from "../turn/mastra-memory.ts";
import { subjectId, textsOf, type Workload } from "../turn/workload.ts";
import { TOP } from "./throughline.ts";

export const mem0Versions = (folder: string): Record<string, string> => peerVersions(folder, ["mem0ai"]);

/** mem0's open-source memory on its own SQLite files, filled by itself; no model is asked, as none is needed for it. */
export async function mem0Hybrid(
  folder: string,
  workload: Workload,
): Promise<{ contender: Contender; megabytes: number }> {
  const directory = mkdtempSync(join(cacheFolder(), "mem0-"));
  const vectorOf = fakeVectors();
  const memory = await openMem0(folder, directory, {
    dimensions: FAKE_DIMENSIONS,
    vectorOf: (content) => Array.from(vectorOf(content)),
  });
  const text = textsOf(workload);
  const perSubject = workload.messages / workload.subjects;
  for (let index = 0; index < workload.subjects; index++) {
    for (let message = 0; message < perSubject; message += 100) {
      const messages = Array.from({ length: 100 }, () => ({ role: "user", content: text() }));
      await memory.add(messages, { userId: subjectId(workload, index), infer: false });
    }
  }
  const megabytes =
    readdirSync(directory).reduce((sum, name) => sum + statSync(join(directory, name)).size, 0) / 2 ** 20;
  const next = textsOf(workload, 1);
  return {
    megabytes,
    contender: {
      name: "mem0ai/oss, no history and no facts of its own",
      async read(conversation) {
        const filters = { user_id: subjectId(workload, conversation) };
        const { results } = await memory.search(next(), { filters, topK: TOP, threshold: 0 });
        if (results.length !== TOP) throw new Error(`The peer found ${results.length}.`);
        return 20;
      },
      async write(conversation) {
        const messages = [next(), next()].map((content) => ({ role: "user", content }));
        await memory.add(messages, { userId: subjectId(workload, conversation), infer: false });
      },
      close: () => rmSync(directory, { recursive: true, force: true }),
    },
  };
}
