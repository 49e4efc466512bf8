import { DatabaseSync } from "node:sqlite";
import { createMemory } from "@throughline/core";
import { sqliteStore } from "@throughline/store-sqlite";
import { alternate, takenFigures, type Work } from "../lib/alternate.ts";
import type { BenchOptions } from "../lib/bench-options.ts";
import { bringIntoCache } from "../lib/bring-into-cache.ts";
import { seededRandom } from "../lib/random.ts";
import type { Gate, ResultRow } from "../lib/result.ts";
import { medianRatio } from "../lib/statistics.ts";
import { corpusQueries } from "./corpus.ts";
import {
  AGENT,
  ftsFile,
  HEAVY,
  type KeywordCorpus,
  keywordFile,
  OF_SUBJECT,
  ordinarySubjects,
  subjectName,
} from "./keyword-files.ts";

const CACHE_BYTES = 64 * 1024 * 1024;

/** Z6: the words of one subject, in a large file and a small one, beside FTS5 with a column for the subject. */
export async function measureKeywords(options: BenchOptions): Promise<{ rows: ResultRow[]; gates: Gate[] }> {
  const { seed, quick } = options;
  const large: KeywordCorpus = { seed, messages: quick ? 100_000 : 1_000_000, heavy: quick ? 10_000 : 50_000 };
  const small: KeywordCorpus = { seed, messages: large.messages / 10, heavy: 0 };
  const memories = await Promise.all(
    [large, small].map(async (corpus) => {
      const store = sqliteStore({ path: bringIntoCache(await keywordFile(corpus)), cacheBytes: CACHE_BYTES });
      // The queries are drawn at random: with a floor most of them would rightly be answered with nothing.
      return createMemory({ agent: AGENT, store, keywordFloor: 0, env: {} });
    }),
  );
  const database = new DatabaseSync(bringIntoCache(await ftsFile(large)), { readOnly: true });
  database.exec(`PRAGMA cache_size = -${CACHE_BYTES / 1024}`);
  const match = database.prepare("SELECT rowid, bm25(f) FROM f WHERE f MATCH ? ORDER BY bm25(f) LIMIT 10");

  const names = {
    own: `${OF_SUBJECT} messages of ${large.messages}`,
    small: `${OF_SUBJECT} messages of ${small.messages}`,
    heavy: `${large.heavy} messages of ${large.messages}`,
    fts: `FTS5 with a subject column, ${OF_SUBJECT} messages of ${large.messages}`,
  };
  const searching = (name: string, corpus: KeywordCorpus, subject?: string): Work => {
    const random = seededRandom(seed + 1);
    const query = corpusQueries(seed + 2);
    const memory = memories[corpus === large ? 0 : 1];
    return {
      name,
      async run() {
        const whose = subject ?? subjectName(Math.floor(random() * ordinarySubjects(corpus)));
        const found = await memory?.subject(whose).search(query(), { mode: "keyword", k: 10 });
        if (found === undefined || found.hits.length === 0) throw new Error(`Nothing was found for ${whose}.`);
      },
    };
  };
  const random = seededRandom(seed + 1);
  const query = corpusQueries(seed + 2);
  const fts: Work = {
    name: names.fts,
    run() {
      const whose = subjectName(Math.floor(random() * ordinarySubjects(large)));
      const found = match.all(`subject:${whose} AND text:(${query().split(" ").join(" OR ")})`);
      if (found.length === 0) throw new Error(`Nothing was found for ${whose}.`);
    },
  };
  try {
    const works = [
      searching(names.own, large),
      searching(names.small, small),
      searching(names.heavy, large, HEAVY),
      fts,
    ];
    const taken = await alternate(works, { rounds: quick ? 7 : 15, pieces: quick ? 40 : 100 });
    const figuresOf = (name: string) => taken.get(name) ?? { p50: [], cpu: [], all: [] };
    const [own, tenth, peer] = [names.own, names.small, names.fts].map(figuresOf);
    const rows = works.map(({ name }): ResultRow => {
      const figures = takenFigures(figuresOf(name));
      if (name !== names.own || own === undefined || tenth === undefined || peer === undefined)
        return { name, figures };
      const ratios = {
        "× a tenth of the file": medianRatio(own.p50, tenth.p50),
        "× FTS5": medianRatio(own.p50, peer.p50),
      };
      return { name, figures: { ...figures, ...ratios } };
    });
    const gate = (row: string, figure: string, most: number): Gate => ({ rule: "Z6", row, figure, most });
    return {
      rows,
      gates: [
        gate(names.own, "p50 ms", 0.5),
        gate(names.heavy, "p50 ms", 6),
        gate(names.own, "× a tenth of the file", 1.6),
        gate(names.own, "× FTS5", 0.05),
      ],
    };
  } finally {
    database.close();
    for (const memory of memories) await memory.close();
  }
}
