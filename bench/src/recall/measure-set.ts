import type { Embedder, Memory } from "@throughline/core";
import { localEmbedder } from "@throughline/embed-local";
import type { ResultRow } from "../lib/result.ts";
import { hashedEmbedder } from "./hashed-embedder.ts";
import { type Asked, askAll, askOthers } from "./measure.ts";
import { onSqlite } from "./on-sqlite.ts";
import type { Story } from "./question-set.ts";
import { recallRow, rowsOf } from "./rows.ts";
import { auroc, mean } from "./scores.ts";
import { openMemory, tellStories } from "./tell-stories.ts";

/** Nobody said anything like it in any of the sets. */
const NONSENSE = [
  "",
  "   ",
  "?!",
  "zorbik flumtrag quendle",
  "What is the wuggle of the brimzat?",
  "blorptastic vexnar oompf when did it",
  "Hvad hedder hovedstaden i Mongoliet?",
  "Mitä eläimiä asuu Etelämantereella?",
  "Која је највиша планина на Балкану?",
  "モンゴルの首都はどこですか",
  "남극에는 어떤 동물이 사나요?",
  "ما هي عاصمة منغوليا؟",
];

interface QuestionSet {
  name: string;
  stories: readonly Story[];
}

/** All that is measured of one set: by words, by category and part; by meaning as well; and what isn't answered. */
export async function measureSet(folder: string, set: QuestionSet, random: () => number): Promise<ResultRow[]> {
  const { name, stories } = set;
  const rows: ResultRow[] = [];
  await onSqlite(folder, async (store) => {
    await tellStories(store, stories);
    const memory = openMemory(store);
    const asked = await askAll(memory, stories);
    const part = (isTuning: boolean) => asked.filter((one) => one.isTuning === isTuning);
    rows.push(...rowsOf(`${name}, test part`, part(false), random));
    rows.push(recallRow(`${name}, tuning part`, part(true), random));
    for (const [title, embedder] of [
      ["a weak embedder", hashedEmbedder()],
      ["localEmbedder", localEmbedder()],
    ] as const) {
      rows.push(...(await rowsByMeaning(folder, set, { title, embedder, words: recallOf(asked), random })));
    }
    const all = await askAll(openMemory(store, { keywordFloor: 0 }), stories, false);
    rows.push(...(await declinedRows(memory, set, { all, lost: recallOf(all) - recallOf(asked) })));
    if (name === "LoCoMo") rows.push(await nonsenseRow(memory, stories, "nonsense, other languages, nothing"));
  });
  return rows;
}

const recallOf = (asked: readonly Asked[]): number => 100 * mean(asked.map(({ recall }) => recall));

/** By words and by meaning, in a file of their own; of LoCoMo also what isn't answered. `words`: R@10 by words alone. */
async function rowsByMeaning(
  folder: string,
  { name, stories }: QuestionSet,
  { title, embedder, words, random }: { title: string; embedder: Embedder; words: number; random: () => number },
): Promise<ResultRow[]> {
  const rows: ResultRow[] = [];
  await onSqlite(folder, async (store) => {
    await tellStories(store, stories, embedder);
    const memory = openMemory(store, { embedder });
    const asked = await askAll(memory, stories);
    const { figures } = recallRow("", asked, random);
    rows.push({
      name: `${name}, with ${title}`,
      figures: { ...figures, "below words alone": words - recallOf(asked) },
    });
    if (name !== "LoCoMo") return;
    const others = await askOthers(memory, stories);
    const declined = 100 * mean(others.map(({ isDeclined }) => (isDeclined ? 1 : 0)));
    const own = asked.map(({ relevance }) => relevance);
    const AUROC = auroc(
      own,
      others.map(({ relevance }) => relevance),
    );
    rows.push({
      name: `- another conversation's questions, with ${title}`,
      figures: { questions: others.length, declined, AUROC },
    });
    rows.push(await nonsenseRow(memory, stories, `- nonsense, other languages, nothing, with ${title}`));
  });
  return rows;
}

/** What is asked here of what was said elsewhere. `all`: the set's own questions with none declined. */
async function declinedRows(
  memory: Memory,
  { name, stories }: QuestionSet,
  { all, lost }: { all: readonly Asked[]; lost: number },
): Promise<ResultRow[]> {
  const rowOf = (title: string, others: Awaited<ReturnType<typeof askOthers>>): ResultRow => ({
    name: `${name}, ${title}`,
    figures: {
      questions: others.length,
      declined: 100 * mean(others.map(({ isDeclined }) => (isDeclined ? 1 : 0))),
      AUROC: auroc(
        all.map(({ relevance }) => relevance),
        others.map(({ relevance }) => relevance),
      ),
      "lost by declining": lost,
    },
  });
  const rows = [rowOf("another conversation's questions", await askOthers(memory, stories))];
  if (name === "LoCoMo") {
    const others = await askOthers(memory, stories, { inOwnNames: true });
    rows.push(rowOf("the same with this conversation's names", others));
  }
  return rows;
}

async function nonsenseRow(memory: Memory, stories: readonly Story[], name: string): Promise<ResultRow> {
  let declined = 0;
  for (const { id: subject } of stories) {
    for (const text of NONSENSE) declined += (await memory.search(text, { subject })).hits.length === 0 ? 1 : 0;
  }
  const questions = stories.length * NONSENSE.length;
  return { name, figures: { questions, declined: (100 * declined) / questions } };
}
