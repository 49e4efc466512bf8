import { migrate } from "@throughline/store-postgres";
import { hasPooler, startPooler } from "@throughline/store-postgres/test-support/pooler";
import type { BenchOptions } from "../lib/bench-options.ts";
import { type BenchServer, startBenchServer } from "../lib/postgres-server.ts";
import { seededRandom } from "../lib/random.ts";
import { type BenchResult, describeMachine, type ResultRow, today } from "../lib/result.ts";
import { readCounter } from "./count-up.ts";
import { openStore } from "./open-store.ts";
import { type Counts, compare, outputOf, startWriter } from "./writers.ts";

const WRITERS = 8;
const LANES = 4;
const STRAIGHT = "8 processes, half of the turns in one conversation, one fact counted up";
const POOLED = "the same through pgbouncer in transaction mode";
const KILLED = "kill -9 of writers, and the server killed and started again meanwhile";

/** PR1 and PR2 on PostgreSQL, in full size. */
export async function runProofPostgres({ seed, quick }: BenchOptions): Promise<BenchResult> {
  const turns = quick ? 100 : 500;
  const kills = quick ? 20 : 200;
  const crashes = quick ? 3 : 20;
  // As durable as in production: the server is killed too.
  const server = await startBenchServer(["fsync=on", "shared_buffers=256MB"]);
  try {
    const rows: ResultRow[] = [
      { name: STRAIGHT, figures: await together(await placeOf(server, "proof_straight"), server.url, turns) },
    ];
    if (hasPooler()) {
      const pooler = await startPooler(server.url);
      const place = await placeOf(server, "proof_pooled");
      const pooled = place.replace(new URL(server.url).host, new URL(pooler.url).host);
      rows.push({ name: POOLED, figures: await together(pooled, server.url, turns) });
      await pooler.stop();
    }
    const killed = await killedWriters(server, { kills, crashes, random: seededRandom(seed) });
    rows.push({ name: KILLED, figures: { ...killed } });
    const gates = rows.flatMap(({ name, figures }) =>
      ["lost", "half", "twice", "updates lost"]
        .filter((figure) => figure in figures)
        .map((figure) => ({ rule: name === KILLED ? "PR1" : "PR2", row: name, figure, most: 0 })),
    );
    return {
      bench: "proof-postgres",
      title:
        "Turns through the public API on PostgreSQL: many processes at once, and processes and servers that are killed",
      date: today(),
      seed,
      machine: describeMachine(),
      versions: { node: process.versions.node, postgresql: server.version },
      setup: { writers: WRITERS, "turns each": turns, kills, "server killed": server.own === null ? 0 : crashes },
      columns: ["acknowledged", "stored", "lost", "half", "twice", "updates", "updates lost"],
      rows,
      gates,
      notes: [
        "More can be stored than was acknowledged: the last turn of a killed process was durable before it could say so.",
        "A writer that meets an error ends the bench, but for the last line, in which an outage is one; a deadlock would be such an error.",
      ],
    };
  } finally {
    await server.stop();
  }
}

async function placeOf(server: BenchServer, schema: string): Promise<string> {
  await migrate({ connectionString: server.url, schema });
  return `${server.url}#${schema}`;
}

async function together(place: string, url: string, turns: number): Promise<Record<string, number>> {
  const names = Array.from({ length: WRITERS }, (_, index) => `writer-${index}`);
  const outputs = await Promise.all(names.map((name) => outputOf(startWriter(place, name, String(turns), "shared"))));
  const lines = outputs.flat();
  const counted = lines.filter((line) => line.startsWith("counted ")).length;
  // Read past the pooler.
  const straight = `${url}#${new URL(place).hash.slice(1)}`;
  const counts = await compare(
    straight,
    lines.filter((line) => !line.startsWith("counted ")),
  );
  // A writer that ended early would otherwise look as if it had lost nothing.
  counts.lost += WRITERS * turns - counts.acknowledged;
  const store = openStore(straight);
  const updatesLost = counted - (await readCounter(store));
  await store.close();
  return { ...counts, updates: counted, "updates lost": Math.abs(updatesLost) };
}

async function killedWriters(
  server: BenchServer,
  options: { kills: number; crashes: number; random: () => number },
): Promise<Counts> {
  const { kills, crashes, random } = options;
  const place = await placeOf(server, "proof_killed");
  const acknowledged: string[] = [];
  let begun = 0;
  let ended = 0;
  const lane = async () => {
    while (begun < kills) {
      const child = startWriter(place, `killed-${begun++}`, "Infinity", "", "outages");
      // The clock starts with the first turn, so that it strikes anywhere in the loop.
      const delay = random() * 200;
      child.stdout?.once("data", () => setTimeout(() => child.kill("SIGKILL"), delay));
      acknowledged.push(...(await outputOf(child, "SIGKILL")));
      ended++;
    }
  };
  const crash = async () => {
    for (let done = 0; done < crashes && server.own !== null; done++) {
      // Spread over the run, at a moment that has nothing to do with the kills.
      while (ended < (done * kills) / crashes) await pause(random() * 50);
      await server.own.kill();
      await pause(random() * 100);
      await server.own.start();
    }
  };
  await Promise.all([...Array.from({ length: LANES }, lane), crash()]);
  return compare(place, acknowledged);
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
