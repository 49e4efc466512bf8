import type { BenchOptions } from "../lib/bench-options.ts";
import { type BenchResult, describeMachine, type Gate, type ResultRow, today } from "../lib/result.ts";
import { beam } from "../recall/beam.ts";
import { dataPath } from "../recall/data-folder.ts";
import { lifeChats } from "./lives.ts";
import { recordUpdates } from "./recording.ts";
import { type ChatOutcome, replayChat } from "./replay-chat.ts";
import { changeChats, trapChats } from "./traps.ts";

const QUICK_CHATS = 6;
const TEST = "BEAM-100K, test part";
const TUNING = "BEAM-100K, tuning part";
const TRAPS = "alike and not the same, by hand";
const CHANGES = "said anew in five languages, by hand";
const LIVES = "lives in thirteen languages, by hand";

/** 95 % interval of a share after Wilson, in percent. */
function wilson(hits: number, of: number): [from: number, to: number] {
  if (of === 0) return [Number.NaN, Number.NaN];
  const z = 1.96;
  const [share, spread] = [hits / of, (z * z) / of];
  const middle = (share + spread / 2) / (1 + spread);
  const half = (z * Math.sqrt((share * (1 - share)) / of + spread / of / 4)) / (1 + spread);
  return [100 * Math.max(0, middle - half), 100 * Math.min(1, middle + half)];
}

/** BEAM's knowledge updates: what is drawn from a chat by a replayed distiller, and which value a question finds first. */
export async function runUpdates({ seed, quick }: BenchOptions): Promise<BenchResult> {
  const [root, chats] = [dataPath("beam", "100K"), beam()];
  if (root === undefined || chats === undefined) {
    throw new Error("updates needs BEAM: THROUGHLINE_BENCH_DATA must name the folder that holds beam/100K.");
  }
  const parts: Record<string, ChatOutcome[]> = { [TEST]: [], [TUNING]: [], [TRAPS]: [], [CHANGES]: [], [LIVES]: [] };
  for (const story of chats.slice(0, quick ? QUICK_CHATS : undefined)) {
    // What the annotator's words can't bear out is noted in the person's own in the second run.
    const { isFact } = await replayChat(recordUpdates(root, story, () => true));
    parts[story.isTuning ? TUNING : TEST]?.push(await replayChat(recordUpdates(root, story, isFact)));
  }
  for (const chat of trapChats()) parts[TRAPS]?.push(await replayChat(chat));
  for (const chat of changeChats()) parts[CHANGES]?.push(await replayChat(chat));
  for (const chat of lifeChats()) parts[LIVES]?.push(await replayChat(chat));
  const rows = Object.entries(parts).map(([name, outcomes]) => rowOf(name, outcomes));
  const gate = (row: string, figure: string, bound: Pick<Gate, "most" | "least">): Gate => ({
    rule: "Y8",
    row,
    figure,
    ...bound,
  });
  return {
    bench: "updates",
    title: "Facts that changed: BEAM's knowledge updates through record, a replayed distiller and recall, no key given",
    date: today(),
    seed,
    machine: describeMachine(),
    versions: { node: process.versions.node },
    setup: { chats: quick ? QUICK_CHATS : chats.length, store: "in-memory", extraction: "after-reply", among: 10 },
    columns: [
      "changes",
      "new first",
      "from",
      "to",
      "old superseded",
      "other facts",
      "taken for a change",
      "false %",
      "meant first",
      "earlier first",
    ],
    rows,
    gates: [
      gate(TEST, "new first", { least: 98 }),
      gate(TEST, "false %", { most: 2 }),
      gate(TRAPS, "false %", { most: 2 }),
      gate(TRAPS, "meant first", { least: 98 }),
      gate(CHANGES, "new first", { least: 98 }),
      gate(LIVES, "new first", { least: 98 }),
      gate(LIVES, "false %", { most: 2 }),
      gate(LIVES, "meant first", { least: 98 }),
    ],
    notes: [
      "Percent, with the 95 % interval (Wilson). New first: among the ten facts that the question finds, the new value stands before the old one.",
      "Old superseded: the old value is history, with the new one in its place. What isn't is told by the order alone.",
      "Other facts: clauses of the person's other messages, in their own words. One that took another's place counts as false, though some are changes that the set doesn't annotate.",
      "Meant first: asked about the older of two things that are alike, recall has that one first.",
      "Earlier first: asked how something was before it changed, recall has the old value first. One that is history isn't found.",
      "Of the test part's 30 changes one has no message for its new value: it is noted where the words are most alike, before the old one, so that 96.7 is the most.",
      "Lives: what one person says in the course of time, 5 to 18 such pairs beside each other.",
      "A note is the annotator's sentence; where the memory would quarantine that, the clauses of the person that are most like it. No note has a key or a topic or names what it changes.",
    ],
  };
}

function rowOf(name: string, outcomes: readonly ChatOutcome[]): ResultRow {
  const updates = outcomes.flatMap((outcome) => outcome.updates);
  const parallels = outcomes.flatMap((outcome) => outcome.parallels);
  const earlier = outcomes.flatMap((outcome) => outcome.earlier);
  const first = updates.filter(({ isFirst }) => isFirst).length;
  const others = outcomes.reduce((sum, outcome) => sum + outcome.others, 0);
  const mistaken = outcomes.reduce((sum, outcome) => sum + outcome.mistaken.length, 0);
  const [from, to] = wilson(first, updates.length);
  const of = updates.length;
  return {
    name,
    figures: {
      ...(of === 0
        ? {}
        : {
            changes: of,
            "new first": (100 * first) / of,
            from,
            to,
            "old superseded": (100 * updates.filter(({ isSuperseded }) => isSuperseded).length) / of,
          }),
      "other facts": others,
      "taken for a change": mistaken,
      "false %": (100 * mistaken) / Math.max(1, others),
      ...(parallels.length === 0 ? {} : { "meant first": meantFirst(parallels) }),
      ...(earlier.length === 0 ? {} : { "earlier first": meantFirst(earlier) }),
    },
  };
}

const meantFirst = (asked: ChatOutcome["parallels"]): number =>
  (100 * asked.filter(({ isMeantFirst }) => isMeantFirst).length) / asked.length;
