import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { MemoryStore } from "@throughline/core";
import { seededRandom } from "../lib/random.ts";
import { type BenchResult, describeMachine, type Gate, type ResultRow, today } from "../lib/result.ts";
import { beam } from "./beam.ts";
import { locomo } from "./locomo.ts";
import { longMemEval } from "./longmemeval.ts";
import { askAll } from "./measure.ts";
import { measureParaphrases } from "./measure-paraphrases.ts";
import { measureSet } from "./measure-set.ts";
import { memoryBank } from "./memorybank.ts";
import { onSqlite } from "./on-sqlite.ts";
import type { Story } from "./question-set.ts";
import { recallRow } from "./rows.ts";
import { comparePlaces } from "./same-everywhere.ts";
import { mean } from "./scores.ts";
import { openMemory, tellStories } from "./tell-stories.ts";

const COLUMNS = [
  "questions",
  "R@10",
  "NDCG@10",
  "first",
  "BM25 R@10",
  "BM25 NDCG@10",
  "gain from",
  "gain to",
  "session R@10",
  "session hit@10",
  "in 1,000 tokens",
  "p50 ms",
  "declined",
  "AUROC",
  "lost by declining",
  "below words alone",
];

const GATES: readonly Gate[] = [
  { rule: "Y1", row: "LoCoMo, test part", figure: "gain from", least: 10 },
  { rule: "Y1", row: "LoCoMo, test part", figure: "R@10", least: 77 },
  { rule: "Y1", row: "LoCoMo, test part", figure: "NDCG@10", least: 59 },
  { rule: "Y2", row: "LoCoMo, test part", figure: "session R@10", least: 95 },
  { rule: "Y2", row: "LoCoMo, test part", figure: "session hit@10", least: 98 },
  { rule: "Y3", row: "LoCoMo, test part", figure: "in 1,000 tokens", least: 84 },
  { rule: "Y4", row: "BEAM-100K, test part", figure: "R@10", least: 57 },
  { rule: "Y4", row: "BEAM-100K, test part", figure: "NDCG@10", least: 49 },
  { rule: "Y5", row: "LoCoMo, with a weak embedder", figure: "below words alone", most: 0.5 },
  { rule: "Y5", row: "LoCoMo, with localEmbedder", figure: "below words alone", most: 0.5 },
  { rule: "Y5", row: "BEAM-100K, with a weak embedder", figure: "below words alone", most: 0.5 },
  { rule: "Y5", row: "BEAM-100K, with localEmbedder", figure: "below words alone", most: 0.5 },
  { rule: "Y6", row: "MemoryBank, Chinese: the turn among three", figure: "R@10", least: 85 },
  { rule: "Y7", row: "LoCoMo, another conversation's questions", figure: "declined", least: 70 },
  { rule: "Y7", row: "LoCoMo, another conversation's questions", figure: "lost by declining", most: 2 },
  { rule: "Y7", row: "nonsense, other languages, nothing", figure: "declined", least: 100 },
  { rule: "Y7", row: "- nonsense, other languages, nothing, with localEmbedder", figure: "declined", least: 100 },
];

/** How well questions find what answers them, through `record` and `search`, beside plain BM25. */
export async function runRecall({ seed, quick }: { seed: number; quick: boolean }): Promise<BenchResult> {
  const random = seededRandom(seed);
  const folder = mkdtempSync(join(tmpdir(), "throughline-recall-"));
  const rows: ResultRow[] = [];
  const notes: string[] = [];
  const some = (stories: Story[]): Story[] => (quick ? stories.filter((_, index) => index % 5 < 2) : stories);
  try {
    const sets = [
      { name: "LoCoMo", stories: locomo() },
      { name: "BEAM-100K", stories: beam() },
    ];
    for (const { name, stories } of sets) {
      if (stories === undefined)
        notes.push(`${name} isn't there: THROUGHLINE_BENCH_DATA names the folder of the data.`);
      else rows.push(...(await measureSet(folder, { name, stories: some(stories) }, random)));
    }
    const [people, assistant] = sets.map(({ stories }) => stories);
    if (people !== undefined && assistant !== undefined) {
      rows.push(...(await measureParaphrases(folder, { people, assistant, isQuick: quick })));
    }
    const chinese = memoryBank();
    if (chinese === undefined) notes.push("MemoryBank isn't there.");
    else await onSqlite(folder, (store) => measureChinese(store, chinese, rows));
    const haystacks = longMemEval();
    if (haystacks === undefined) notes.push("LongMemEval isn't there.");
    else await onSqlite(folder, (store) => measureHaystacks(store, haystacks, rows, random));
    const stories = locomo();
    if (stories !== undefined) notes.push(...(await comparePlaces(folder, stories.slice(0, quick ? 1 : 3))));
  } finally {
    rmSync(folder, { recursive: true });
  }
  if (rows.length === 0) throw new Error("recall needs data: THROUGHLINE_BENCH_DATA must name their folder.");
  return {
    bench: "recall",
    title: "Recall: messages recorded and asked for through the public calls on SQLite, no model, beside plain BM25",
    date: today(),
    seed,
    machine: describeMachine(),
    versions: { node: process.versions.node },
    setup: { part: quick ? "two of five stories" : "all" },
    columns: COLUMNS,
    rows,
    gates: quick ? [] : GATES,
    notes: [
      "Percent. R@10: share of the evidence among the first ten. Gain: R@10 over BM25, the 95 % interval by paired bootstrap, whole conversations drawn with replacement.",
      "Weights were set on LoCoMo 26, 30 and 41 and the first five chats of BEAM; the other parts count.",
      "Paraphrases: questions in other words than their answers', half of them with no answer, in histories of LoCoMo's and BEAM's talk (`paraphrases.ts`); R@10: the answer is among ten, first: it is the first, declined: of those without. By words and meaning; the sentence encoder among people's talk of up to 600 messages.",
      "Declined: answered with no hit. Lost by declining: points of R@10 on questions that have an answer. Below words alone: R@10 of keywords less that of both.",
      ...notes,
    ],
  };
}

async function measureChinese(store: MemoryStore, stories: readonly Story[], rows: ResultRow[]): Promise<void> {
  await tellStories(store, stories);
  const memory = openMemory(store);
  const found: number[] = [];
  for (const { id: subject, questions } of stories) {
    for (const { text, evidence } of questions) {
      const { hits } = await memory.search(text, { subject, k: 10 });
      const turns = [...new Set(hits.map(({ turn }) => turn))].slice(0, 3);
      found.push(turns.some((turn) => evidence.has(turn)) ? 1 : 0);
    }
  }
  rows.push({
    name: "MemoryBank, Chinese: the turn among three",
    figures: { questions: found.length, "R@10": 100 * mean(found) },
  });
}

async function measureHaystacks(
  store: MemoryStore,
  { file, stories }: { file: string; stories: readonly Story[] },
  rows: ResultRow[],
  random: () => number,
): Promise<void> {
  await tellStories(store, stories);
  const { figures } = recallRow("", await askAll(openMemory(store), stories), random);
  const { questions = 0, "session R@10": recall = 0, "session hit@10": hit = 0, "p50 ms": ms = 0 } = figures;
  rows.push({
    name: `LongMemEval, ${file}: sessions`,
    figures: { questions, "session R@10": recall, "session hit@10": hit, "p50 ms": ms },
  });
}
