import { PROBE_TEXTS } from "./probe-texts.ts";
import { dotProduct } from "./vector-math.ts";

/** How often an answer must be nearer than what answers something else, for a model to know a language. By chance: 0.5. */
const KNOWS_FROM = 0.8;
/** Texts embedded in one call: no more than of the turns that it embeds at once, which any provider takes. */
const MOST_TEXTS = 32;
const DIGITS = 10_000;

/** Vectors of texts, one each, of length 1. */
export type EmbedTexts = (texts: string[], kind: "query" | "document") => Promise<Float32Array[]>;

/** How near a model puts questions to their answers, and to what answers other questions: cosines. */
export interface Nearness {
  answers: readonly number[];
  others: readonly number[];
}

/** What a model's cosines mean. */
export interface Floors {
  /** From which on a message counts as near: it tells most answers from the rest. */
  floor: number;
  /** How near what answers something else is on average: where the model's scale begins. */
  far: number;
}

/**
 * The cosines that tell answers from the rest by an embedding model, measured on texts of several languages: a model's
 * cosines may lie between 0 and 0.5 or all above 0.7. `null` where it tells them apart in none. Throws what `embed` throws.
 */
export async function calibrateFloor(embed: EmbedTexts): Promise<Floors | null> {
  const pairs = PROBE_TEXTS.flat();
  const vectorsOf = async (texts: readonly string[], kind: "query" | "document"): Promise<Float32Array[]> => {
    const vectors: Float32Array[] = [];
    while (vectors.length < texts.length) {
      const some = texts.slice(vectors.length, vectors.length + MOST_TEXTS);
      vectors.push(...(await embed(some, kind)));
    }
    return vectors;
  };
  const questions = await vectorsOf(
    pairs.map(([question]) => question),
    "query",
  );
  const answers = await vectorsOf(
    pairs.map(([, answer]) => answer),
    "document",
  );
  let start = 0;
  const languages = PROBE_TEXTS.map(({ length }) => {
    const end = start + length;
    const nearness = nearnessOf(questions.slice(start, end), answers.slice(start, end));
    start = end;
    return nearness;
  });
  return floorsOf(languages);
}

/** The highest floor and the farthest of the languages that the model knows; those that it doesn't say nothing. Pure. */
export function floorsOf(languages: readonly Nearness[]): Floors | null {
  const known = languages.filter((nearness) => tellsApart(nearness) >= KNOWS_FROM);
  if (known.length === 0) return null;
  const rounded = (cosine: number): number => Math.round(cosine * DIGITS) / DIGITS;
  return {
    floor: rounded(Math.max(...known.map(bestBorder))),
    far: rounded(Math.min(...known.map(({ others }) => mean(others)))),
  };
}

function nearnessOf(questions: readonly Float32Array[], answers: readonly Float32Array[]): Nearness {
  const cosines = questions.map((question) => answers.map((answer) => dotProduct(question, answer)));
  return {
    answers: cosines.map((row, index) => row[index] as number),
    others: cosines.flatMap((row, index) => row.filter((_, other) => other !== index)),
  };
}

/** How often an answer is nearer than another's answer, equals by half: the area under the ROC curve. */
function tellsApart({ answers, others }: Nearness): number {
  const wins = answers.flatMap((near) => others.map((far) => (near > far ? 1 : near === far ? 0.5 : 0)));
  return wins.reduce<number>((sum, win) => sum + win, 0) / wins.length;
}

/**
 * In the middle between two cosines, where most answers lie above and most others below: where Youden's index (the share of
 * answers above less the share of others above) is greatest, the lowest such border among equals.
 */
function bestBorder({ answers, others }: Nearness): number {
  const all = [...new Set([...answers, ...others])].sort((left, right) => left - right);
  let best = { border: all[0] ?? 0, index: 0 };
  for (let at = 1; at < all.length; at++) {
    const border = ((all[at - 1] as number) + (all[at] as number)) / 2;
    const index = shareAbove(answers, border) - shareAbove(others, border);
    if (index > best.index) best = { border, index };
  }
  return best.border;
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

const shareAbove = (values: readonly number[], border: number): number =>
  values.filter((value) => value > border).length / values.length;
