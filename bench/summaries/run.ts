/**
 * Y9: how many short answers a summary keeps, against its size. LoCoMo's multi-hop and single-hop questions with at
 * most six content words; an answer is kept when all its stemmed content words stand in what the summary has from the
 * sessions that hold the evidence. Weights were tuned on three conversations; the figures that count are the rest's.
 */
import { type BenchResult, describeMachine, type ResultRow, today } from "../src/lib/result.ts";
import { findData } from "./find-data.ts";
import { readLocomo, type Sample } from "./locomo.ts";
import { extractive, measure, type Row, references } from "./measure.ts";

const TUNED_ON = new Set(["conv-26", "conv-30", "conv-41"]);
const GOAL = { kept: 36, size: 21 };
const SHARES = [10, 15, 20, 25] as const;
const GATED = "extractive, rolling, 20 %";

/** What of LoCoMo's short answers a rolling summary without a model keeps, beside other texts of the same sessions. */
export async function runSummaries({ seed }: { seed: number }): Promise<BenchResult> {
  const file = findData("locomo/locomo10.json");
  if (file === null) {
    throw new Error(
      "summaries needs LoCoMo: THROUGHLINE_BENCH_DATA must name the folder that holds locomo/locomo10.json.",
    );
  }
  const samples = readLocomo(file);
  const rest = samples.filter(({ id }) => !TUNED_ON.has(id));
  const tuned = samples.filter(({ id }) => TUNED_ON.has(id));
  return {
    bench: "summaries",
    title: "Short answers that stand in a text of the sessions that hold them, against its size, on LoCoMo",
    date: today(),
    seed,
    machine: describeMachine(),
    versions: { node: process.versions.node },
    setup: { "test conversations": rest.length, "tuning conversations": tuned.length, "folded at a time": 10 },
    columns: ["answers", "size", "kept", "words anywhere"],
    rows: [...(await rowsOf("test", rest)), ...(await rowsOf("tuning", tuned))],
    gates: [
      { rule: "Y9", row: `test: ${GATED}`, figure: "kept", least: GOAL.kept },
      { rule: "Y9", row: `test: ${GATED}`, figure: "size", most: GOAL.size },
    ],
    notes: [
      "Percent; size is in characters, of the transcript's. Words anywhere: the answer's words stand anywhere in the whole text, which flatters long ones.",
      `Tuned on ${[...TUNED_ON].join(", ")}; the other conversations count.`,
    ],
  };
}

async function rowsOf(part: string, samples: readonly Sample[]): Promise<ResultRow[]> {
  const rows: Row[] = [];
  for (const [text, write] of Object.entries(references)) rows.push(await measure(text, samples, write));
  for (const share of SHARES) {
    rows.push(await measure(`extractive, rolling, ${share} %`, samples, extractive(share / 100)));
  }
  rows.push(await measure("… 20 %, no dates", samples, extractive(0.2, { dates: false })));
  const roles = "second-is-assistant";
  rows.push(await measure("… 20 %, second speaker as assistant", samples, extractive(0.2, { roles })));
  return rows.map(({ text, size, kept, anywhere, answers }) => ({
    name: `${part}: ${text}`,
    figures: { answers, size, kept, "words anywhere": anywhere },
  }));
}
