/**
 * Y9: how many short answers a summary keeps, against its size. LoCoMo's multi-hop and single-hop questions with at
 * most six content words; an answer is kept when all its stemmed content words stand in what the summary has from the
 * sessions that hold the evidence. Weights were tuned on three conversations; the figures that count are the rest's.
 */
import { findData } from "./find-data.ts";
import { readLocomo, type Sample } from "./locomo.ts";
import { extractive, measure, type Row, references } from "./measure.ts";

const TUNED_ON = new Set(["conv-26", "conv-30", "conv-41"]);
const GOAL = { kept: 36, size: 21 };

const file = findData("locomo/locomo10.json");
if (file === null) {
  console.log("Skipped: summaries on LoCoMo. locomo/locomo10.json was not found; set THROUGHLINE_BENCH_DATA.");
} else {
  const samples = readLocomo(file);
  const rest = samples.filter(({ id }) => !TUNED_ON.has(id));
  print(`Tuned on (${[...TUNED_ON].join(", ")})`, await rows(samples.filter(({ id }) => TUNED_ON.has(id))));
  const table = await rows(rest);
  print(`The rest (${rest.length} conversations)`, table);
  const goal = table.find(({ text }) => text === "extractive, rolling, 20 %");
  const isReached = goal !== undefined && goal.kept >= GOAL.kept && goal.size <= GOAL.size;
  console.log(
    `\nY9, at least ${GOAL.kept} % kept at no more than ${GOAL.size} %: ${isReached ? "reached" : "MISSED"}.`,
  );
  if (!isReached) process.exitCode = 1;
}

async function rows(samples: readonly Sample[]): Promise<Row[]> {
  const table: Row[] = [];
  for (const [text, write] of Object.entries(references)) table.push(await measure(text, samples, write));
  for (const share of [0.1, 0.15, 0.2, 0.25]) {
    table.push(await measure(`extractive, rolling, ${100 * share} %`, samples, extractive(share)));
  }
  table.push(await measure("… 20 %, no dates", samples, extractive(0.2, { dates: false })));
  const roles = "second-is-assistant";
  table.push(await measure("… 20 %, second speaker as assistant", samples, extractive(0.2, { roles })));
  return table;
}

function print(title: string, table: readonly Row[]): void {
  console.log(`\n${title}: ${table[0]?.answers} answers, percent\n`);
  console.log("| text | size | answers kept | words anywhere |");
  console.log("| --- | --- | --- | --- |");
  for (const { text, ...row } of table) {
    const cells = [row.size, row.kept, row.anywhere].map((value) => value.toFixed(1));
    console.log(`| ${text} | ${cells.join(" | ")} |`);
  }
}
