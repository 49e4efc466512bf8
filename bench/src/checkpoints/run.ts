import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { PeersOptions } from "../lib/bench-options.ts";
import { cacheFolder, ROOT, versionOf } from "../lib/folders.ts";
import { type BenchServer, startBenchServer } from "../lib/postgres-server.ts";
import { type BenchResult, describeMachine, type Gate, type ResultRow, today } from "../lib/result.ts";
import type { Contender } from "./contender.ts";
import { type ChannelKind, createTalk, type Talk } from "./graph.ts";
import { measureOperations, timedDelete } from "./measure.ts";
import { onPostgres, onSqlite } from "./ours.ts";

const THREAD = "thread";
const MB = 2 ** 20;
const MARKS = [50, 100, 200, 400, 500, 800];
const QUICK_MARKS = [25, 50, 75, 100];

interface Entrant {
  contender: Contender;
  talk: Talk;
}

/** Z4 and Z5: a LangGraph thread that grows, on this library's checkpointer and on the official ones. */
export async function runCheckpoints({ seed, quick, peers }: PeersOptions): Promise<BenchResult> {
  const marks = quick ? QUICK_MARKS : MARKS;
  // Operations are measured at 1,000 messages.
  const measuredAt = quick ? 100 : 500;
  const rounds = quick ? 3 : 7;
  const folder = mkdtempSync(join(cacheFolder(), "checkpoints-"));
  const server = await startBenchServer();
  const rows: ResultRow[] = [];
  const versions: Record<string, string> = {
    node: process.versions.node,
    sqlite: process.versions.sqlite ?? "unknown",
    postgresql: server.version,
  };
  for (const name of ["core", "langgraph", "store-sqlite", "store-postgres"]) {
    versions[`@throughline/${name}`] = versionOf(join(ROOT, `packages/${name}/package.json`));
  }
  if (peers !== undefined) Object.assign(versions, (await import("./official.ts")).officialVersions(peers));
  try {
    for (const channel of ["ordinary", "delta"] as const) {
      const entrants = await enter({ channel, seed, folder: mkdtempSync(join(folder, channel)), server, peers });
      try {
        rows.push(...(await grow(entrants, { channel, marks, measuredAt, rounds })));
      } finally {
        for (const { contender } of entrants) await contender.close();
      }
    }
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
  return {
    bench: "checkpoints",
    title: "A LangGraph thread that grows: one node, 210 bytes asked and 840 answered a turn",
    date: today(),
    seed,
    machine: describeMachine(),
    versions,
    setup: { "measured at messages": 2 * measuredAt, rounds, peers: peers === undefined ? "none" : "official savers" },
    columns: [
      ...marks.map((turns) => `MB at ${turns} turns`),
      `× from ${marks.at(-3) ?? 0} doubled`,
      "turn ms",
      "put ms",
      "getTuple ms",
      "list(10) ms",
      "deleteThread ms",
      "MB ×",
      "turn ×",
      "put ×",
      "getTuple ×",
      "list ×",
      "delete ×",
    ],
    rows,
    gates: peers === undefined ? ownGates(marks) : [...ownGates(marks), ...peerGates()],
    notes: [
      "Ratios are the figure over that of the official saver on the same database, so below 1 is better; bytes at the turns where operations are measured.",
      "Contenders do each thing in turn, round by round, the order turned round each time; times are medians. deleteThread is done once, at the end of the longest thread.",
      "Bytes are those of the file with its log written back, of the tables and their indexes, and of what MemorySaver holds serialised.",
    ],
  };
}

async function enter({
  channel,
  seed,
  folder,
  server,
  peers,
}: {
  channel: ChannelKind;
  seed: number;
  folder: string;
  server: BenchServer;
  peers: string | undefined;
}): Promise<Entrant[]> {
  const name = `${channel}_${process.pid}`;
  const contenders = [onSqlite(folder), onPostgres(server.url, name)];
  if (peers !== undefined) {
    const official = await import("./official.ts");
    contenders.push(await official.officialSqlite(peers, folder));
    contenders.push(await official.officialPostgres(peers, server.url, name));
    contenders.push(official.inMemory());
  }
  return contenders.map((contender) => ({ contender, talk: createTalk(contender.saver, channel, seed) }));
}

const PEERS: Record<string, string> = {
  "throughline on SQLite": "SqliteSaver",
  "throughline on PostgreSQL": "PostgresSaver",
};

async function grow(
  entrants: readonly Entrant[],
  { channel, marks, measuredAt, rounds }: { channel: ChannelKind; marks: number[]; measuredAt: number; rounds: number },
): Promise<ResultRow[]> {
  const bytes = new Map<string, Record<number, number>>(entrants.map(({ contender }) => [contender.name, {}]));
  for (let turns = 1; turns <= (marks.at(-1) ?? 0); turns++) {
    for (const { talk } of entrants) await talk.turn(THREAD);
    if (!marks.includes(turns)) continue;
    for (const { contender } of entrants) {
      const own = bytes.get(contender.name);
      if (own !== undefined) own[turns] = await contender.bytes();
    }
    if (turns === measuredAt) await sameState(entrants);
  }
  const isDelta = channel === "delta";
  const measured = await measuredThread(entrants, { channel, measuredAt, rounds, isDelta });
  const removed = new Map<string, number>();
  for (const { contender } of entrants) removed.set(contender.name, await timedDelete(contender.saver, THREAD));
  const figuresOf = (name: string): Record<string, number> => {
    const own = bytes.get(name) ?? {};
    const [from = 0, to = 0] = [marks.at(-3), marks.at(-1)];
    const times = measured.get(name);
    return {
      ...Object.fromEntries(marks.map((turns) => [`MB at ${turns} turns`, (own[turns] ?? Number.NaN) / MB])),
      [`× from ${from} doubled`]: (own[to] ?? Number.NaN) / (own[from] ?? Number.NaN),
      "turn ms": times?.turn ?? Number.NaN,
      "put ms": times?.put ?? Number.NaN,
      "getTuple ms": times?.getTuple ?? Number.NaN,
      "list(10) ms": times?.list10 ?? Number.NaN,
      "deleteThread ms": removed.get(name) ?? Number.NaN,
    };
  };
  return entrants.map(({ contender: { name } }) => {
    const figures = figuresOf(name);
    const peer = PEERS[name];
    const other = peer === undefined || !bytes.has(peer) ? undefined : figuresOf(peer);
    const against = (column: string) => (figures[column] ?? Number.NaN) / (other?.[column] ?? Number.NaN);
    const ratios = {
      "MB ×": against(`MB at ${measuredAt} turns`),
      "turn ×": against("turn ms"),
      "put ×": against("put ms"),
      "getTuple ×": against("getTuple ms"),
      "list ×": against("list(10) ms"),
      "delete ×": against("deleteThread ms"),
    };
    return { name: `${name}, ${channel}`, figures: other === undefined ? figures : { ...figures, ...ratios } };
  });
}

/** Operations on a thread of their own, of the length that the figures are asked for. */
async function measuredThread(
  entrants: readonly Entrant[],
  { measuredAt, rounds, isDelta }: { channel: ChannelKind; measuredAt: number; rounds: number; isDelta: boolean },
) {
  const thread = "measured";
  for (let turns = 0; turns < measuredAt; turns++) for (const { talk } of entrants) await talk.turn(thread);
  return measureOperations(entrants, { thread, rounds, isDelta });
}

/** What is compared must have kept the same conversation. */
async function sameState(entrants: readonly Entrant[]): Promise<void> {
  const [first, ...others] = await Promise.all(
    entrants.map(async ({ talk }) => (await talk.state(THREAD)).map(({ content }) => content)),
  );
  for (const other of others) {
    if (JSON.stringify(other) !== JSON.stringify(first))
      throw new Error("The contenders hold different conversations.");
  }
}

function ownGates(marks: number[]): Gate[] {
  return ["throughline on SQLite, ordinary", "throughline on PostgreSQL, ordinary"].map((row) => ({
    rule: "Z4",
    row,
    figure: `× from ${marks.at(-3) ?? 0} doubled`,
    most: 2.05,
  }));
}

/** The goals of Z4 and Z5, as shares of the official saver's figure. */
function peerGates(): Gate[] {
  const gate = (rule: string, row: string, figure: string, most: number): Gate => ({
    rule,
    row,
    figure,
    most: Number(most.toFixed(4)),
  });
  const [sqlite, postgres] = ["throughline on SQLite, ordinary", "throughline on PostgreSQL, ordinary"];
  return [
    gate("Z4", sqlite, "MB ×", 1 / 150),
    gate("Z4", postgres, "MB ×", 1 / 25),
    gate("Z5", sqlite, "put ×", 1 / 15),
    gate("Z5", postgres, "put ×", 1 / 15),
    gate("Z5", sqlite, "getTuple ×", 1 / 4),
    gate("Z5", postgres, "getTuple ×", 1 / 15),
    gate("Z5", sqlite, "turn ×", 1 / 3),
    gate("Z5", postgres, "turn ×", 1 / 8),
    gate("Z5", sqlite, "list ×", 1),
    gate("Z5", postgres, "list ×", 1),
    gate("Z5", sqlite, "delete ×", 1 / 20),
    gate("Z5", postgres, "delete ×", 1 / 20),
    gate("Z5", "throughline on PostgreSQL, delta", "turn ×", 1 / 5),
  ];
}
