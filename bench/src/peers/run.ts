import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { localEmbedder } from "@throughline/embed-local";
import { energeticEmbedder } from "@throughline/embed-local/energetic";
import type { PeersOptions } from "../lib/bench-options.ts";
import { cacheFolder, ROOT, versionOf } from "../lib/folders.ts";
import { seededRandom } from "../lib/random.ts";
import { rememberingEmbedder } from "../lib/remembering-embedder.ts";
import { type BenchResult, describeMachine, type ResultRow, today } from "../lib/result.ts";
import { median } from "../lib/statistics.ts";
import { beam } from "../recall/beam.ts";
import { locomo } from "../recall/locomo.ts";
import type { Story } from "../recall/question-set.ts";
import { bootstrapInterval, mean, type Scores, scoreRanking } from "../recall/scores.ts";
import { peerVersions } from "../turn/mastra-memory.ts";
import type { RecallContender } from "./contender.ts";
import { langgraph } from "./langgraph.ts";
import { mastra } from "./mastra.ts";
import { mem0 } from "./mem0.ts";
import { throughline } from "./throughline.ts";

const TOP = 10;
const COLUMNS = ["questions", "R@10", "NDCG@10", "behind from", "behind to", "others' declined", "p50 ms"];

interface Asked extends Scores {
  milliseconds: number;
}
interface Answers {
  /** By story, question by question. */
  own: Asked[][];
  /** Of the next story's questions, asked of this one: how many were answered with nothing. */
  declined: number[];
}

/** Recall quality beside the peers: the same messages, questions and vectors for all, no model asked. */
export async function runPeers({ seed, quick, peers }: PeersOptions): Promise<BenchResult> {
  const random = seededRandom(seed);
  const folder = mkdtempSync(join(cacheFolder(), "peers-"));
  const rows: ResultRow[] = [];
  const small = rememberingEmbedder(localEmbedder());
  const sentences = rememberingEmbedder(energeticEmbedder());
  const withPeers = (label: string, embedder: typeof small): RecallContender[] => [
    throughline(`throughline, ${label}`, embedder),
    ...(peers === undefined
      ? []
      : [
          mem0(`mem0ai/oss, ${label}`, embedder, peers, folder),
          mastra(`@mastra/memory on libSQL, ${label}`, embedder, peers, folder, TOP),
        ]),
    langgraph(`LangGraph InMemoryStore, ${label}`, embedder),
  ];
  const words = () => throughline("throughline, words alone");
  const sets = [
    {
      name: "LoCoMo",
      stories: locomo(),
      embedders: [small, sentences],
      contenders: [words(), ...withPeers("word vectors", small), ...withPeers("sentence encoder", sentences)],
    },
    {
      name: "BEAM-100K",
      stories: beam(),
      embedders: [small],
      contenders: [words(), ...withPeers("word vectors", small)],
    },
  ];
  try {
    for (const { name, stories, embedders, contenders } of sets) {
      if (stories === undefined) continue;
      const test = stories.filter(({ isTuning }) => !isTuning).slice(0, quick ? 2 : undefined);
      // Before anybody is asked: else the first one's time would be with them.
      for (const { text } of test.flatMap(({ questions }) => questions)) {
        for (const embedder of embedders) await embedder.vectorOf(text);
      }
      const answers: { name: string; answers: Answers }[] = [];
      for (const contender of contenders) {
        answers.push({ name: contender.name, answers: await askAbout(contender, test) });
      }
      const best = answers[1]?.answers;
      for (const { name: contender, answers: given } of answers) {
        rows.push({ name: `${name}: ${contender}`, figures: figuresOf(given, best, random) });
      }
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  if (rows.length === 0) throw new Error("peers needs data: THROUGHLINE_BENCH_DATA must name their folder.");
  return {
    bench: "peers",
    title: "Recall beside the peers: the same messages, questions and vectors, no model asked; the test parts",
    date: today(),
    seed,
    machine: describeMachine(),
    versions: {
      node: process.versions.node,
      ...(peers === undefined
        ? {}
        : peerVersions(peers, ["mem0ai", "@mastra/core", "@mastra/memory", "@mastra/libsql"])),
      "@langchain/langgraph-checkpoint": versionOf(
        join(ROOT, "bench/node_modules/@langchain/langgraph-checkpoint/package.json"),
      ),
    },
    setup: { part: quick ? "two stories" : "all" },
    columns: COLUMNS,
    rows,
    gates: [],
    notes: [
      "Percent. Behind: R@10 less than that of Throughline with word vectors, the 95 % interval by paired bootstrap, whole conversations drawn with replacement.",
      "Others' declined: questions of another conversation that were answered with nothing. A vector has a nearest neighbour always; a peer that declines does so by a floor of its own.",
      "Word vectors: localEmbedder, in the package. Sentence encoder: energeticEmbedder, the Universal Sentence Encoder from npm. All get the same vectors, made once; the time is without them.",
      "Each peer keeps the messages as they were said, with the speaker's name before them, and is asked with its defaults for ten: what it could do with a model's help isn't measured.",
    ],
  };
}

async function askAbout(contender: RecallContender, stories: readonly Story[]): Promise<Answers> {
  const answers: Answers = { own: [], declined: [] };
  for (const [index, story] of stories.entries()) {
    const memory = await contender.tell(story);
    const own: Asked[] = [];
    for (const { text, evidence } of story.questions) {
      const start = performance.now();
      const ids = await memory.ask(text, TOP);
      own.push({ ...scoreRanking(ids, evidence), milliseconds: performance.now() - start });
    }
    answers.own.push(own);
    for (const { text } of stories[(index + 1) % stories.length]?.questions ?? []) {
      answers.declined.push((await memory.ask(text, TOP)).length === 0 ? 1 : 0);
    }
    await memory.close();
  }
  return answers;
}

function figuresOf({ own, declined }: Answers, best: Answers | undefined, random: () => number): ResultRow["figures"] {
  const all = own.flat();
  const behind = own.map((list, story) =>
    list.map(({ recall }, question) => 100 * ((best?.own[story]?.[question]?.recall ?? 0) - recall)),
  );
  const isBest = best?.own === own;
  const interval = bootstrapInterval(behind, random);
  return {
    questions: all.length,
    "R@10": 100 * mean(all.map(({ recall }) => recall)),
    "NDCG@10": 100 * mean(all.map(({ ndcg }) => ndcg)),
    ...(isBest ? {} : { "behind from": interval.low, "behind to": interval.high }),
    "others' declined": 100 * mean(declined),
    "p50 ms": median(all.map(({ milliseconds }) => milliseconds)),
  };
}
