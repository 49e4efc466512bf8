import type { Embedder, Memory } from "@throughline/core";
import { localEmbedder } from "@throughline/embed-local";
import { energeticEmbedder } from "@throughline/embed-local/energetic";
import { rememberingEmbedder } from "../lib/remembering-embedder.ts";
import type { ResultRow } from "../lib/result.ts";
import { onSqlite } from "./on-sqlite.ts";
import { PARAPHRASES } from "./paraphrases.ts";
import { type Planted, plantParaphrases, talkOf } from "./plant-paraphrases.ts";
import type { Said, Story } from "./question-set.ts";
import { mean } from "./scores.ts";
import { openMemory, tellStories } from "./tell-stories.ts";

/** Messages of one history. */
const SIZES = [50, 200, 600] as const;
/** Of people and of an assistant together. */
const LARGEST = { size: 2000, people: 1400 };

/** What came of one question. */
interface Answered {
  /** Whether there is an answer. */
  isSaid: boolean;
  isFound: boolean;
  isFirst: boolean;
  isDeclined: boolean;
}

/**
 * Questions in other words than their answers' in long histories of other talk, and others that nobody answered: what is found
 * among ten, what stands first, and what is declined.
 */
export async function measureParaphrases(
  folder: string,
  { people, assistant, isQuick }: { people: readonly Story[]; assistant: readonly Story[]; isQuick: boolean },
): Promise<ResultRow[]> {
  const rows: ResultRow[] = [];
  for (const half of isQuick ? (["test"] as const) : (["test", "tuning"] as const)) {
    const isOfHalf = ({ isTuning }: Story): boolean => isTuning === (half === "tuning");
    const talks = [talkOf(people.filter(isOfHalf)), talkOf(assistant.filter(isOfHalf))] as const;
    const all = historiesOf(half, talks);
    // The encoder takes the most of a minute for the histories of people: long messages would take several.
    const short = all.filter(({ story }) => story.id.includes("people"));
    for (const [title, embedder, histories] of [
      ["localEmbedder", localEmbedder(), all],
      ["a sentence encoder", rememberingEmbedder(energeticEmbedder()), short],
    ] as const) {
      rows.push(...(await rowsOf(folder, `with ${title}, ${half} part`, { histories, embedder })));
    }
  }
  return rows;
}

function historiesOf(half: "test" | "tuning", [people, assistant]: readonly [Said[], Said[]]): Planted[] {
  const pairs = PARAPHRASES[half];
  const both = [...people.slice(0, LARGEST.people), ...assistant];
  return [
    ...SIZES.flatMap((size) => [
      plantParaphrases(`people ${size}`, pairs, { talk: people, size }),
      plantParaphrases(`assistant ${size}`, pairs, { talk: assistant, size }),
    ]),
    plantParaphrases("both", pairs, { talk: both, size: LARGEST.size }),
  ];
}

/** All sizes together, by size, and without words. */
async function rowsOf(
  folder: string,
  name: string,
  { histories, embedder }: { histories: readonly Planted[]; embedder: Embedder },
): Promise<ResultRow[]> {
  const rows: ResultRow[] = [];
  await onSqlite(folder, async (store) => {
    await tellStories(
      store,
      histories.map(({ story }) => story),
      embedder,
    );
    const memory = openMemory(store, { embedder });
    const hybrid = new Map<number, Answered[]>();
    const semantic: Answered[] = [];
    for (const history of histories) {
      const { size } = history;
      hybrid.set(size, [...(hybrid.get(size) ?? []), ...(await askPlanted(memory, history, "hybrid"))]);
      semantic.push(...(await askPlanted(memory, history, "semantic")));
    }
    rows.push(rowOf(`Paraphrases, ${name}`, [...hybrid.values()].flat()));
    for (const [size, answered] of hybrid) rows.push(rowOf(`- among ${size} messages`, answered));
    rows.push(rowOf("- by meaning alone", semantic));
  });
  return rows;
}

async function askPlanted(
  memory: Memory,
  { story, questions }: Planted,
  mode: "hybrid" | "semantic",
): Promise<Answered[]> {
  const answered: Answered[] = [];
  for (const { text, answer } of questions) {
    const { hits } = await memory.search(text, { subject: story.id, mode });
    const ids = hits.map(({ message }) => message.id);
    answered.push({
      isSaid: answer !== undefined,
      isFound: answer !== undefined && ids.includes(answer),
      isFirst: answer !== undefined && ids[0] === answer,
      isDeclined: ids.length === 0,
    });
  }
  return answered;
}

function rowOf(name: string, answered: readonly Answered[]): ResultRow {
  const share = (list: readonly Answered[], is: (one: Answered) => boolean): number =>
    100 * mean(list.map((one) => (is(one) ? 1 : 0)));
  const said = answered.filter(({ isSaid }) => isSaid);
  return {
    name,
    figures: {
      questions: answered.length,
      "R@10": share(said, ({ isFound }) => isFound),
      first: share(said, ({ isFirst }) => isFirst),
      declined: share(
        answered.filter(({ isSaid }) => !isSaid),
        ({ isDeclined }) => isDeclined,
      ),
    },
  };
}
