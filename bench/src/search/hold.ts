import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { createMemory, inMemoryStore, type Memory, type MemoryStore } from "@throughline/core";
import { sqliteStore } from "@throughline/store-sqlite";
import type { BenchOptions } from "../lib/bench-options.ts";
import { fakeEmbedder } from "../lib/fake-embedder.ts";
import { cacheFolder } from "../lib/folders.ts";
import { longestHold } from "../lib/longest-hold.ts";
import type { Gate, ResultRow } from "../lib/result.ts";
import { median } from "../lib/statistics.ts";
import { corpusTexts } from "./corpus.ts";
import { AGENT } from "./keyword-files.ts";

const OF_CONVERSATION = 100;
const SUBJECT = "ann";

/** When all was said; the memory's clock stands there, so that none of it is too old for its vector. */
const NOW = "2026-01-01T00:00:00.000Z";

/** Writes so many messages of one subject, behind the memory's back: recording them one by one would take long. */
async function fill(store: MemoryStore, seed: number, messages: number): Promise<void> {
  const text = corpusTexts(seed);
  for (let conversation = 0; conversation * OF_CONVERSATION < messages; conversation++) {
    const owner = { tenant: "default", agent: AGENT, conversation: `c${conversation}` };
    for (let turn = 0; turn < OF_CONVERSATION / 2; turn++) {
      const said = (["user", "assistant"] as const).map((role) => ({
        id: `${turn}-${role}`,
        role,
        parts: [{ type: "text" as const, text: text() }],
        createdAt: NOW,
        origin: role,
      }));
      const row = {
        id: `${turn}`,
        status: "completed" as const,
        startedAt: NOW,
        counted: 2,
        tokens: 40,
        messages: said,
      };
      await store.commitTurn(owner, { turn: row, subject: SUBJECT, now: NOW });
    }
  }
}

/** The ten words that most is said with: what asks for them has the most to rank. */
function commonestWords(seed: number): string {
  const text = corpusTexts(seed);
  const counts = new Map<string, number>();
  for (let texts = 0; texts < 1_000; texts++) {
    for (const word of text().split(" ")) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  const words = [...counts].sort(([, left], [, right]) => right - left).map(([word]) => word);
  return words.slice(0, 10).join(" ");
}

/** How long one search of a large subject keeps everything else from its turn, on stores that answer within a tick. */
export async function measureHold({ seed, quick }: BenchOptions): Promise<{ rows: ResultRow[]; gates: Gate[] }> {
  const messages = quick ? 5_000 : 50_000;
  const folder = mkdtempSync(join(cacheFolder(), "hold-"));
  const stores: [name: string, store: MemoryStore, searches: number][] = [
    ["SQLite", sqliteStore({ path: join(folder, "memory.db") }), quick ? 10 : 30],
    // It has no index, and reads all that was said at each search.
    ["in memory", inMemoryStore(), 5],
  ];
  const result: { rows: ResultRow[]; gates: Gate[] } = { rows: [], gates: [] };
  try {
    for (const [where, store, searches] of stores) {
      await fill(store, seed, messages);
      const embedder = fakeEmbedder();
      const memory = createMemory({
        agent: AGENT,
        store,
        embedder,
        clock: () => new Date(NOW),
        keywordFloor: 0,
        semanticFloor: -1,
        env: {},
      });
      // With its vectors, which are searched by meaning.
      while ((await memory.sweep({ limit: 500 })).conversations > 0);
      for (const mode of ["keyword", "hybrid"] as const) {
        const name = `one search at a time, ${mode}, ${messages} messages ${where === "SQLite" ? "on SQLite" : where}`;
        const holds = await holdsOf(memory, mode, { seed, searches });
        result.rows.push({ name, figures: { "longest hold ms": median(holds) } });
        result.gates.push({ rule: "J7", row: name, figure: "longest hold ms", most: 10 });
      }
      await memory.close();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return result;
}

async function holdsOf(
  memory: Memory,
  mode: "keyword" | "hybrid",
  { seed, searches }: { seed: number; searches: number },
): Promise<number[]> {
  const query = commonestWords(seed);
  const holds: number[] = [];
  // The first one is thrown away: it loads the code.
  for (let search = 0; search <= searches; search++) {
    const hold = await longestHold(async () => {
      const { hits } = await memory.subject(SUBJECT).search(query, { mode });
      if (hits.length === 0) throw new Error("Nothing was found.");
    });
    if (search > 0) holds.push(hold);
  }
  return holds;
}
