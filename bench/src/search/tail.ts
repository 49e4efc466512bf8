import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { createMemory } from "@throughline/core";
import { sqliteStore } from "@throughline/store-sqlite";
import type { BenchOptions } from "../lib/bench-options.ts";
import { fakeEmbedder } from "../lib/fake-embedder.ts";
import { cacheFolder } from "../lib/folders.ts";
import type { Gate, ResultRow } from "../lib/result.ts";
import { median } from "../lib/statistics.ts";
import { corpusTexts } from "./corpus.ts";
import { AGENT } from "./keyword-files.ts";

/** Z8: turns recorded without their indexing, what is found of them before it, and what it takes afterwards. */
export async function measureTail({ seed, quick }: BenchOptions): Promise<{ rows: ResultRow[]; gates: Gate[] }> {
  const folder = mkdtempSync(join(cacheFolder(), "tail-"));
  const memory = createMemory({
    agent: AGENT,
    store: sqliteStore({ path: join(folder, "memory.db") }),
    embedder: fakeEmbedder(),
    env: {},
  });
  const turns = quick ? 200 : 1_000;
  const text = corpusTexts(seed + 9);
  // A step before the turn that would set off the background work by itself.
  const atOnce = 25;
  const [recording, indexing]: [number[], number[]] = [[], []];
  let missed = 0;
  try {
    for (let done = 0; done < turns; done += atOnce) {
      for (let index = done; index < done + atOnce; index++) {
        const messages = [
          { role: "user" as const, content: `needle${index}n ${text()}` },
          { role: "assistant" as const, content: text() },
        ];
        const start = process.hrtime.bigint();
        await memory.conversation({ id: `c${index % 7}`, subject: "ann" }).record({ messages });
        recording.push(Number(process.hrtime.bigint() - start) / 1e6);
      }
      for (let index = done; index < done + atOnce; index++) {
        const { hits } = await memory.subject("ann").search(`needle${index}n`, { mode: "keyword" });
        if (hits.length !== 1) missed += 1;
      }
      const before = process.cpuUsage();
      await memory.settled();
      const { user, system } = process.cpuUsage(before);
      indexing.push((user + system) / 1_000 / (2 * atOnce));
    }
  } finally {
    await memory.close();
    rmSync(folder, { recursive: true, force: true });
  }
  const name = "a turn recorded, indexed and embedded after it";
  return {
    rows: [{ name, figures: { "p50 ms": median(recording), "indexing CPU ms a message": median(indexing), missed } }],
    gates: [{ rule: "Z8", row: name, figure: "missed", most: 0 }],
  };
}
