import { parseArgs } from "node:util";
import { updateReadme } from "./lib/readme.ts";
import { keepRecord } from "./lib/record.ts";
import { type BenchResult, writeResult } from "./lib/result.ts";
import { formatResult } from "./lib/table.ts";

const HELP = `Usage: main.ts <turn | turn-postgres | growth | search | hybrid | hybrid-postgres | hybrid-growth | plans | cold | size | checkpoints | proof | proof-postgres | first-token | extract | updates | summaries | govern | recall | peers> [--quick] [--seed N] [--out FILE] [--readme]

turn  one agent turn on SQLite beside raw prepared statements (THROUGHLINE_BENCH_PEERS: folder with peers installed)
turn-postgres   the same on PostgreSQL beside raw queries, and many turns at once
growth          the turn on PostgreSQL in a database 10 and 40 times as large
search          one subject's words and vectors in a SQLite file, beside FTS5, a loop over floats and sqlite-vec (THROUGHLINE_BENCH_PEERS)
hybrid          one agent turn with hybrid recall, beside Mastra, mem0 and LangGraph (THROUGHLINE_BENCH_PEERS)
hybrid-postgres the same on PostgreSQL with pgvector, beside Mastra and LangGraph (THROUGHLINE_BENCH_PEERS)
hybrid-growth   the same on SQLite in files 10 and 40 times as large, beside the peers (THROUGHLINE_BENCH_PEERS)
plans           every statement of the PostgreSQL store, explained as it runs
cold  import, open and first turn beside bare Node
size  own code of each package, and what an installation takes
checkpoints  a LangGraph thread that grows, beside the official savers (THROUGHLINE_BENCH_PEERS)
proof two processes on one file, and processes killed in a write loop: no turn lost, none half
proof-postgres  eight processes on one database, straight and pooled; processes and servers killed
first-token  the AI SDK's first word, with a memory and without
extract LoCoMo's annotations replayed as a model's answers: duplicates, wrong speakers, citations (THROUGHLINE_BENCH_DATA)
updates BEAM's knowledge updates: the new value first, and what is alike left alone (THROUGHLINE_BENCH_DATA)
summaries short answers that a rolling summary keeps, against its size (THROUGHLINE_BENCH_DATA)
recall questions of LoCoMo, BEAM, MemoryBank and LongMemEval, beside plain BM25 (THROUGHLINE_BENCH_DATA)
peers  questions of LoCoMo and BEAM, beside mem0, Mastra and LangGraph with the same vectors (THROUGHLINE_BENCH_DATA,
       THROUGHLINE_BENCH_PEERS)
govern what a memory must do and must not, two scores, beside peers (THROUGHLINE_BENCH_PEERS)

--quick   smaller files, fewer rounds
--out     also writes the result as JSON, for compare.ts
--readme  also puts the table into this package's README, and keeps its gates for the
          repository's (npm run tables)
`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: "boolean", default: false },
    seed: { type: "string", default: "7" },
    out: { type: "string" },
    readme: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});
const [bench] = positionals;
const { quick } = values;
const seed = Number(values.seed);
const peers = process.env.THROUGHLINE_BENCH_PEERS;

const BENCHES: Record<string, () => Promise<BenchResult>> = {
  turn: async () => (await import("./turn/run.ts")).runTurn({ seed, quick, peers }),
  "first-token": async () => (await import("./first-token/run.ts")).runFirstToken({ seed, quick }),
  "turn-postgres": async () => (await import("./turn-postgres/run.ts")).runTurnPostgres({ seed, quick, peers }),
  growth: async () => (await import("./turn-postgres/growth.ts")).runGrowth({ seed, quick, peers }),
  search: async () => (await import("./search/run.ts")).runSearch({ seed, quick, peers }),
  hybrid: async () => (await import("./hybrid/run.ts")).runHybrid({ seed, quick, peers }),
  "hybrid-postgres": async () => (await import("./hybrid-postgres/run.ts")).runHybridPostgres({ seed, quick, peers }),
  "hybrid-growth": async () => (await import("./hybrid/growth.ts")).runHybridGrowth({ seed, quick, peers }),
  plans: async () => (await import("./plans/run.ts")).runPlans({ seed, quick }),
  cold: async () => (await import("./cold/run.ts")).runCold({ seed, quick }),
  size: async () => (await import("./size/run.ts")).runSize({ seed }),
  checkpoints: async () => (await import("./checkpoints/run.ts")).runCheckpoints({ seed, quick, peers }),
  "proof-postgres": async () => (await import("./proof/run-postgres.ts")).runProofPostgres({ seed, quick }),
  proof: async () => (await import("./proof/run.ts")).runProof({ seed }),
  extract: async () => (await import("./extract/run.ts")).runExtract({ seed, quick }),
  updates: async () => (await import("./updates/run.ts")).runUpdates({ seed, quick }),
  summaries: async () => (await import("../summaries/run.ts")).runSummaries({ seed }),
  recall: async () => (await import("./recall/run.ts")).runRecall({ seed, quick }),
  peers: async () => (await import("./peers/run.ts")).runPeers({ seed, quick, peers }),
  govern: async () => (await import("./govern/run.ts")).runGovern({ seed, peers }),
};

const run = bench === undefined ? undefined : BENCHES[bench];
if (values.help || run === undefined) {
  console.log(HELP);
  process.exitCode = values.help ? 0 : 2;
} else {
  const result = await run();
  const text = formatResult(result);
  console.log(text);
  if (values.out !== undefined) writeResult(values.out, result);
  if (values.readme) {
    updateReadme(result.bench, text);
    // A small run is no result.
    if (!quick) keepRecord(result);
  }
}
