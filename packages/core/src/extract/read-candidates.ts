import type { DistillerInput, DistillProblem, FactCandidate } from "../contract/models.ts";
import { checkCandidate } from "./candidate-schema.ts";
import { labelled } from "./labels.ts";
import { scanItems } from "./scan-items.ts";

/** What a model's answer holds. */
export interface ReadCandidates {
  candidates: FactCandidate[];
  /** What was mended or left out. */
  problems: DistillProblem[];
  /** It has nothing in it that could be read as a list, even an empty one. */
  isUnreadable: boolean;
}

/** No model that was asked for notes answers more, in UTF-16 code units. */
const MAX_ANSWER_CHARS = 200_000;

/**
 * The candidates in a model's answer, with the labels of the prompt turned back into ids. Whole items of broken JSON are
 * mended; what is cut off or no candidate is left out and told, never taken half.
 */
export async function readCandidates(
  answer: string,
  input: Pick<DistillerInput, "turns" | "events" | "known">,
  { isTruncated = false }: { isTruncated?: boolean } = {},
): Promise<ReadCandidates> {
  const read = answer.length > MAX_ANSWER_CHARS ? null : await readItems(withoutFence(answer));
  if (read === null) return { candidates: [], problems: [], isUnreadable: true };
  const checked = read.items.map(checkCandidate);
  const found = checked.filter((candidate) => candidate !== null);
  const problems: DistillProblem[] = [];
  const report = (reason: DistillProblem["reason"], items: number): void => {
    if (items > 0) problems.push({ reason, items });
  };
  report("repaired", read.repaired);
  report("invalid", checked.length - found.length + read.lost);
  report("truncated", read.unfinished > 0 ? read.unfinished : isTruncated && read.isBroken ? 1 : 0);
  return { candidates: found.map((candidate) => labelled(candidate, input)), problems, isUnreadable: false };
}

interface ReadItems {
  items: unknown[];
  /** Items that could be mended. */
  repaired: number;
  /** Items that could not. */
  lost: number;
  unfinished: number;
  /** The answer isn't JSON as a whole. */
  isBroken: boolean;
}

const withoutFence = (answer: string): string => {
  const fenced = /^\s*```[\w-]*\s*\n([\s\S]*?)\n?\s*```\s*$/.exec(answer);
  return (fenced?.[1] ?? answer).trim();
};

function parse(text: string): { value: unknown } | null {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return null;
  }
}

/** The list of an answer: the answer itself, the first list in it, or the one candidate that it is. */
function listOf(value: unknown): unknown[] | null {
  if (Array.isArray(value)) return value;
  if (typeof value !== "object" || value === null) return null;
  const members = Object.values(value);
  if (Object.hasOwn(value, "value")) return [value];
  return members.length === 0 ? [] : (members.find((member) => Array.isArray(member)) ?? null);
}

async function readItems(text: string): Promise<ReadItems | null> {
  const whole = parse(text);
  const list = whole && listOf(whole.value);
  if (list) return { items: list, repaired: 0, lost: 0, unfinished: 0, isBroken: false };
  const scanned = scanItems(text);
  if (scanned.items.length === 0 && scanned.unfinished === 0) {
    // An empty list among words is an answer as well.
    return /\[\s*\]/.test(text) ? { items: [], repaired: 0, lost: 0, unfinished: 0, isBroken: true } : null;
  }
  const items: unknown[] = [];
  let [repaired, lost] = [0, 0];
  for (const item of scanned.items) {
    const mended = parse(item) ?? (await mend(item));
    if (mended === null) lost++;
    else {
      items.push(mended.value);
      repaired++;
    }
  }
  if (items.length === 0) return null;
  return { items, repaired, lost, unfinished: scanned.unfinished, isBroken: true };
}

/** One whole item with single quotes, bare names, comments or a comma too many. */
async function mend(item: string): Promise<{ value: unknown } | null> {
  const { jsonrepair } = await import("jsonrepair");
  try {
    return parse(jsonrepair(item));
  } catch {
    return null;
  }
}
