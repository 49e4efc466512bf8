import { copyFileSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { cacheFolder, ROOT, versionOf } from "../lib/folders.ts";
import { install } from "../lib/installation.ts";
import { type BenchResult, describeMachine, today } from "../lib/result.ts";
import { runNode } from "../lib/run-program.ts";
import { median } from "../lib/statistics.ts";
import { memoryFile } from "../turn/throughline.ts";
import { AGENT, conversationId, createWorkload, subjectId } from "../turn/workload.ts";

export interface ColdOptions {
  seed: number;
  quick: boolean;
}

const REPORT = "console.log(JSON.stringify(marks)); process.exit(0);";
const BARE = "bare Node";
const CORE = "import of core";
const WHOLE = "import, open and first turn";

/** What each child process does before it says how long it has lived. */
function scripts(path: string, conversation: string, subject: string): Record<string, string> {
  const only = (specifier: string) =>
    `await import(${JSON.stringify(specifier)}); const marks = { end: performance.now() }; ${REPORT}`;
  return {
    [BARE]: `const marks = { end: performance.now() }; ${REPORT}`,
    "import of zod": only("zod"),
    "import of tokenx": only("tokenx"),
    [CORE]: only("@throughline/core"),
    "import of core and store-sqlite": only("@throughline/store-sqlite"),
    [WHOLE]: `
      const marks = {};
      const { createMemory } = await import("@throughline/core");
      const { sqliteStore } = await import("@throughline/store-sqlite");
      marks.imported = performance.now();
      const memory = createMemory({ agent: ${JSON.stringify(AGENT)}, store: sqliteStore({ path: ${JSON.stringify(path)} }), env: {} });
      const conversation = memory.conversation({ id: ${JSON.stringify(conversation)}, subject: ${JSON.stringify(subject)} });
      const turn = await conversation.begin({ messages: [{ role: "user", content: "Where is my order?" }] });
      if (turn.degraded || turn.messages.length !== 21) throw new Error("The turn began without its memory.");
      marks.begun = performance.now();
      const outcome = await turn.complete([{ role: "assistant", content: "It arrives on Friday." }]);
      if (outcome.status !== "stored") throw new Error("The turn was not stored.");
      marks.end = performance.now();
      ${REPORT}`,
  };
}

/** Z9: what a process pays before its first turn is durable. */
export async function runCold({ seed, quick }: ColdOptions): Promise<BenchResult> {
  const workload = createWorkload({ seed, messages: quick ? 100_000 : 1_000_000 });
  const rounds = quick ? 9 : 21;
  const built = await memoryFile(workload, { indexed: false });
  const installation = install(["core", "store-sqlite"], { peers: true });
  const folder = mkdtempSync(join(cacheFolder(), "run-"));
  try {
    const path = join(folder, "memory.db");
    copyFileSync(built, path);
    const names = new Map<string, string>();
    for (const [index, [name, script]] of Object.entries(
      scripts(path, conversationId(3), subjectId(workload, 3)),
    ).entries()) {
      const file = join(installation.folder, `script-${index}.mjs`);
      writeFileSync(file, script);
      names.set(name, file);
    }
    const lived = measure(names, installation.folder, rounds);
    const bare = lived.get(BARE) ?? [];
    const over = (name: string, mark = "end"): number =>
      median(
        (lived.get(name) ?? []).map((marks, round) => (marks[mark] ?? Number.NaN) - (bare[round]?.end ?? Number.NaN)),
      );
    const rows = [...names.keys()].map((name) => ({
      name,
      figures: {
        "ms since start": median((lived.get(name) ?? []).map((marks) => marks.end ?? Number.NaN)),
        "ms over bare Node": over(name),
      },
    }));
    const [imported, begun] = [over(WHOLE, "imported"), over(WHOLE, "begun")];
    const parts = { imports: imported, "open and begin": begun - imported, complete: over(WHOLE) - begun };
    for (const [name, ms] of Object.entries(parts))
      rows.push({ name: `· ${name}`, figures: { "ms since start": Number.NaN, "ms over bare Node": ms } });
    return {
      bench: "cold",
      title: "Cold start: a new process up to its first recorded turn",
      date: today(),
      seed,
      machine: describeMachine(),
      versions: {
        node: process.versions.node,
        zod: versionOf(join(installation.folder, "node_modules/zod/package.json")),
        tokenx: versionOf(join(installation.folder, "node_modules/tokenx/package.json")),
        "@throughline/core": versionOf(join(ROOT, "packages/core/package.json")),
      },
      setup: {
        messages: workload.messages,
        "file MB": Math.round(statSync(built).size / 1e6),
        rounds,
        packages: "packed and installed",
        "compile cache": "off",
      },
      columns: ["ms since start", "ms over bare Node"],
      rows,
      gates: [
        { rule: "Z9", row: WHOLE, figure: "ms over bare Node", most: 80 },
        { rule: "Z9", row: CORE, figure: "ms over bare Node", most: 40 },
      ],
      notes: [
        "Every round starts one process of each kind, the order turned round each time; figures are medians of the rounds, those over bare Node of the differences within a round.",
        "The file's pages are in the operating system's cache; the keyword index is empty, as no first turn reads it.",
      ],
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
    installation.remove();
  }
}

type Marks = Record<string, number>;

function measure(names: ReadonlyMap<string, string>, cwd: string, rounds: number): Map<string, Marks[]> {
  const lived = new Map<string, Marks[]>([...names.keys()].map((name) => [name, []]));
  for (let round = 0; round <= rounds; round++) {
    const order = [...names];
    if (round % 2 === 1) order.reverse();
    for (const [name, file] of order) {
      const marks = JSON.parse(runNode(["--disable-warning=ExperimentalWarning", file], { cwd })) as Marks;
      // The first round brings the files into the cache.
      if (round > 0) lived.get(name)?.push(marks);
    }
  }
  return lived;
}
