import { join } from "node:path";
import { diskFigures, TURN_COLUMNS, turnFigures } from "../hybrid/figures.ts";
import { hybridWorkload, TOP } from "../hybrid/throughline.ts";
import type { PeersOptions } from "../lib/bench-options.ts";
import { FAKE_DIMENSIONS } from "../lib/fake-embedder.ts";
import { ROOT, versionOf } from "../lib/folders.ts";
import { startBenchServer, withClient } from "../lib/postgres-server.ts";
import { type BenchResult, describeMachine, type Gate, today } from "../lib/result.ts";
import { medianRatio } from "../lib/statistics.ts";
import type { Contender } from "../turn/contender.ts";
import { peerVersions } from "../turn/mastra-memory.ts";
import { type Measured, measure } from "../turn/measure.ts";
import type { Workload } from "../turn/workload.ts";
import { fillLanggraph, LANGGRAPH_SCHEMA, langgraphHybrid } from "./langgraph.ts";
import { fillMastraPg, MASTRA_SCHEMA, mastraPgHybrid } from "./mastra.ts";
import { openedAnew } from "./opened-anew.ts";
import { CONNECTIONS, fillOwn, OWN_SCHEMA, ownHybrid } from "./throughline.ts";

const COLUMNS = [...TURN_COLUMNS, "CPU × mastra", "disk × mastra"] as const;
const OWN = "throughline";
const INSIDE = "throughline, indexed inside the turn";
const OWN_COLD = "throughline, indexed inside the turn, opened anew for each turn";
const MASTRA = "@mastra/memory on @mastra/pg, semantic recall";
const MASTRA_COLD = "@mastra/memory on @mastra/pg, opened anew for each turn";
const LANGGRAPH = "LangGraph PostgresStore, no history and no facts";

/** Z3 on PostgreSQL: one agent turn with hybrid recall on pgvector, beside the peers. */
export async function runHybridPostgres(options: PeersOptions): Promise<BenchResult> {
  const { seed, quick, peers } = options;
  const server = await startBenchServer();
  const contenders: Contender[] = [];
  try {
    const { url } = server;
    const pgvector = await findPgvector(url);
    const drop = (schema: string) =>
      withClient(url, (client) => client.query(`DROP SCHEMA IF EXISTS ${schema} CASCADE`));
    for (const schema of [OWN_SCHEMA, MASTRA_SCHEMA, LANGGRAPH_SCHEMA]) await drop(schema);
    const workload = keepTexts(hybridWorkload({ seed, messages: quick ? 2_000 : 10_000 }), seed);
    // Without the extension the peers have nothing to keep a vector in.
    const folder = pgvector === null ? undefined : peers;
    await fillOwn(url, workload);
    contenders.push(
      ownHybrid(OWN, url, workload, false),
      ownHybrid(INSIDE, url, workload, true),
      openedAnew(OWN_COLD, async () => ownHybrid(OWN_COLD, url, workload, true)),
    );
    if (folder !== undefined) {
      await fillMastraPg(folder, url, workload);
      await fillLanggraph(folder, url, workload);
      contenders.push(
        await mastraPgHybrid(MASTRA, folder, url, workload),
        openedAnew(MASTRA_COLD, () => mastraPgHybrid(MASTRA_COLD, folder, url, workload)),
        await langgraphHybrid(LANGGRAPH, folder, url, workload),
      );
    }
    const disk = new Map<string, number>();
    for (const [name, schema] of [
      [OWN, OWN_SCHEMA],
      [MASTRA, MASTRA_SCHEMA],
      [LANGGRAPH, LANGGRAPH_SCHEMA],
    ] as const) {
      if (folder !== undefined || name === OWN) disk.set(name, await settleSchema(url, schema));
    }
    const rounds = quick ? 3 : 9;
    const turnsPerRound = quick ? 50 : 100;
    const measured = await measure(contenders, { seed, conversations: workload.conversations, rounds, turnsPerRound });
    const find = (name: string) => measured.find((one) => one.name === name);
    const rows = measured.map((one) => ({
      name: one.name,
      figures: {
        ...figuresBeside(one, find(one.name === OWN_COLD || one.name === MASTRA_COLD ? MASTRA_COLD : MASTRA)),
        ...diskFigures(disk.get(one.name), disk.get(MASTRA)),
      },
    }));
    const gate = (row: string): Gate => ({ rule: "Z3", row, figure: "× mastra", most: 0.4 });
    return {
      bench: "hybrid-postgres",
      title: `One agent turn with hybrid recall on PostgreSQL: the last 20 messages, 12 facts, a summary and ${TOP} of a subject's 1000 messages in, two messages of some 100 bytes recorded`,
      date: today(),
      seed,
      machine: describeMachine(),
      versions: {
        node: process.versions.node,
        postgresql: server.version,
        ...(pgvector === null ? {} : { pgvector }),
        pg: versionOf(join(ROOT, "packages/store-postgres/node_modules/pg/package.json")),
        "@throughline/core": versionOf(join(ROOT, "packages/core/package.json")),
        "@throughline/store-postgres": versionOf(join(ROOT, "packages/store-postgres/package.json")),
        ...(folder === undefined
          ? {}
          : peerVersions(folder, [
              "@mastra/core",
              "@mastra/memory",
              "@mastra/pg",
              "@langchain/langgraph-checkpoint-postgres",
            ])),
      },
      setup: {
        messages: workload.messages,
        subjects: workload.subjects,
        dimensions: FAKE_DIMENSIONS,
        rounds,
        "turns per round": turnsPerRound,
        "connections each": CONNECTIONS,
        fsync: await showFsync(url),
      },
      columns: folder === undefined ? COLUMNS.filter((column) => !column.includes("mastra")) : COLUMNS,
      rows,
      gates: folder === undefined ? [] : [gate(OWN), gate(INSIDE), gate(OWN_COLD)],
      notes: [
        ...(pgvector === null
          ? ["The server has no pgvector: the memory compares vectors in its process, and the peers are left out."]
          : []),
        "The embedder is the same for all and costs next to nothing. Mastra and LangGraph index inside the turn; this memory does so after the reply, and in two of the rows inside the turn as well.",
        "Opened anew: a memory, a store and connections for each turn, the schema being there, and their ending with it; beside the peer that is opened anew as well. LangGraph's store reads no history, no facts and no summary.",
        "Contenders take turns, 25 of one and then 25 of the next; p50, CPU and ratios are medians of the rounds, p99 is of all turns. CPU is that of the Node process.",
      ],
    };
  } finally {
    for (const contender of contenders) await contender.close();
    await server.stop();
  }
}

/** The version of pgvector, made an extension where it is among the server's files; `null` where it isn't. */
async function findPgvector(url: string): Promise<string | null> {
  return withClient(url, async (client) => {
    const available = await client.query("SELECT 1 FROM pg_available_extensions WHERE name = 'vector'");
    if (available.rows.length === 0) return null;
    await client.query("CREATE EXTENSION IF NOT EXISTS vector");
    const { rows } = await client.query("SELECT extversion FROM pg_extension WHERE extname = 'vector'");
    return String(rows[0]?.extversion);
  });
}

const showFsync = (url: string): Promise<string> =>
  withClient(url, async (client) => String((await client.query("SHOW fsync")).rows[0]?.fsync));

/** What is said in a turn, made beforehand: one that is opened anew doesn't make it again. */
function keepTexts(workload: Workload, seed: number): Workload {
  const { texts } = workload;
  if (texts === undefined) return workload;
  const said = texts(seed + 1);
  return { ...workload, texts: (wanted) => (wanted === seed + 1 ? said : texts(wanted)) };
}

/** Leaves a schema as the server would have it after a while. Answers its megabytes. */
async function settleSchema(url: string, schema: string): Promise<number> {
  return withClient(url, async (client) => {
    const { rows } = await client.query("SELECT tablename FROM pg_tables WHERE schemaname = $1", [schema]);
    for (const { tablename } of rows) await client.query(`VACUUM ANALYZE ${schema}."${tablename}"`);
    const size = await client.query(
      "SELECT sum(pg_total_relation_size(c.oid)) AS bytes FROM pg_class c WHERE relnamespace = $1::regnamespace AND relkind = 'r'",
      [schema],
    );
    return Number(size.rows[0]?.bytes) / 2 ** 20;
  });
}

function figuresBeside(one: Measured, peer: Measured | undefined): Record<string, number> {
  const own = turnFigures(one);
  if (peer === undefined) return own;
  return { ...own, "× mastra": medianRatio(one.p50, peer.p50), "CPU × mastra": medianRatio(one.cpu, peer.cpu) };
}
