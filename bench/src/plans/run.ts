import type { MemoryStore } from "@throughline/core";
import { migrate, postgresStore } from "@throughline/store-postgres";
import {
  everyStatement,
  lastStatements,
  type Operation,
} from "@throughline/store-postgres/test-support/every-statement";
import { FILL_AGENT, fillTenants } from "@throughline/store-postgres/test-support/fill-tenants";
import type { BenchOptions } from "../lib/bench-options.ts";
import { startBenchServer, withClient } from "../lib/postgres-server.ts";
import { type BenchResult, describeMachine, type ResultRow, today } from "../lib/result.ts";
import { AUTO_EXPLAIN, explainingClient, type RanPlan } from "./explaining-client.ts";

const SCHEMA = "plans";
const APP = "throughline_plans_app";
const ROUNDS = 7;
const TURNS = 50;
const CONVERSATIONS = 10;
const COLUMNS = [
  "statements",
  "ms",
  "ms as app",
  "buffers",
  "buffers as app",
  "rows left out",
  "tables scanned",
] as const;
const TOTAL = "all of them";

/** J11: every statement of the store on a million messages of a thousand tenants, explained as it runs. */
export async function runPlans({ seed, quick }: BenchOptions): Promise<BenchResult> {
  const tenants = quick ? 100 : 1000;
  const server = await startBenchServer();
  try {
    const { url } = server;
    await withClient(url, (client) => client.query(`DROP SCHEMA IF EXISTS ${SCHEMA} CASCADE`));
    await migrate({ connectionString: url, schema: SCHEMA });
    await withClient(url, (client) =>
      fillTenants(client, SCHEMA, { tenants, conversations: CONVERSATIONS, turns: TURNS }),
    );
    const scans = new Set<string>();
    const own = await explainAll({ url, tenant: "tenant7", rowLevelSecurity: false, scans });
    const app = await asApp(url, (as) => explainAll({ url: as, tenant: "tenant70", rowLevelSecurity: true, scans }));
    const rows = own.map(({ name, figures }, index): ResultRow => {
      const other = app[index]?.figures ?? {};
      const total = (figure: string) => (figures[figure] ?? Number.NaN) + (other[figure] ?? Number.NaN);
      return {
        name,
        figures: {
          ...figures,
          "ms as app": other.ms ?? Number.NaN,
          "buffers as app": other.buffers ?? Number.NaN,
          "tables scanned": total("tables scanned"),
        },
      };
    });
    const scanned = rows.reduce((sum, { figures }) => sum + (figures["tables scanned"] ?? Number.NaN), 0);
    rows.push({ name: TOTAL, figures: { "tables scanned": scanned } });
    const [size] = await withClient(
      url,
      async (client) =>
        (
          await client.query(
            `SELECT round(sum(pg_total_relation_size(c.oid)) / 1e6)::int AS mb FROM pg_class c
              WHERE c.relnamespace = $1::regnamespace AND c.relkind = 'r'`,
            [SCHEMA],
          )
        ).rows,
    );
    return {
      bench: "plans",
      title: "Every statement of the PostgreSQL store, explained as it runs",
      date: today(),
      seed,
      machine: describeMachine(),
      versions: { node: process.versions.node, postgresql: server.version },
      setup: { messages: tenants * CONVERSATIONS * TURNS * 2, tenants, "schema MB": Number(size?.mb) },
      columns: COLUMNS,
      rows,
      gates: [{ rule: "J11", row: TOTAL, figure: "tables scanned", most: 0 }],
      notes: [
        `Figures are of the last of ${ROUNDS} rounds, as plans are kept by then; what can be done to a tenant only once is of the first. Times hold the cost of measuring every step.`,
        "As app: the same under row-level security, as a role that policies hold for, on another tenant. Rows left out were read and dropped by a condition that no index served.",
        ...[...scans].map((scan) => `Read from end to end: ${scan}`),
      ],
    };
  } finally {
    await server.stop();
  }
}

interface ExplainOptions {
  url: string;
  tenant: string;
  rowLevelSecurity: boolean;
  /** Takes what read a table from end to end. */
  scans: Set<string>;
}

async function explainAll({ url, tenant, rowLevelSecurity, scans }: ExplainOptions): Promise<ResultRow[]> {
  const { client, taken, close } = await explainingClient(url);
  if (!rowLevelSecurity) {
    await client.query("LOAD 'auto_explain'", []);
    for (const [name, value] of AUTO_EXPLAIN) await client.query(`SET ${name} = ${value}`, []);
  }
  const store: MemoryStore = postgresStore({ client, schema: SCHEMA, rowLevelSecurity, migrate: false });
  const agent = { tenant, agent: FILL_AGENT };
  const rows: ResultRow[] = [];
  const explain = async ({ name, run }: Operation, isCounted: boolean) => {
    taken();
    await run(store);
    const plans = taken();
    for (const plan of plans) {
      if (plan.scanned.length > 0) scans.add(`${plan.scanned.join(", ")} by ${plan.statement.slice(0, 200)}`);
    }
    if (isCounted) rows.push({ name, figures: figuresOf(plans) });
  };
  await store.readConversation({ ...agent, conversation: "c1" });
  for (let round = 1; round <= ROUNDS; round++) {
    for (const operation of everyStatement(agent, round)) await explain(operation, round === ROUNDS);
  }
  for (const operation of lastStatements(agent)) await explain(operation, true);
  await store.close();
  await close();
  return rows;
}

function figuresOf(plans: readonly RanPlan[]): Record<string, number> {
  if (plans.length === 0) throw new Error("The server told no plan: auto_explain is missing.");
  const sum = (of: (plan: RanPlan) => number) => plans.reduce((total, plan) => total + of(plan), 0);
  return {
    statements: plans.length,
    // A function's time holds that of its statements.
    ms: Math.max(
      ...plans.map(({ ms }) => ms),
      sum(({ ms, statement }) => (isCall(statement) ? 0 : ms)),
    ),
    buffers: Math.max(
      ...plans.map(({ buffers }) => buffers),
      sum((plan) => (isCall(plan.statement) ? 0 : plan.buffers)),
    ),
    "rows left out": sum(({ leftOut }) => leftOut),
    "tables scanned": sum(({ scanned }) => scanned.length),
  };
}

const isCall = (statement: string): boolean =>
  /^SELECT "?\w+"?\."?(begin_turn|commit_turn|begin_search|read_hits|near_messages)"?\(/.test(statement);

/** The same database as a role that policies hold for. */
async function asApp<Result>(url: string, work: (url: string) => Promise<Result>): Promise<Result> {
  await withClient(url, async (client) => {
    await client.query(`CREATE ROLE ${APP} LOGIN PASSWORD '${APP}'`);
    await client.query(`ALTER ROLE ${APP} SET session_preload_libraries = 'auto_explain'`);
    for (const [name, value] of AUTO_EXPLAIN) await client.query(`ALTER ROLE ${APP} SET ${name} = '${value}'`);
  });
  try {
    await migrate({ connectionString: url, schema: SCHEMA, rowLevelSecurity: true, appRole: APP });
    const app = new URL(url);
    app.username = APP;
    app.password = APP;
    return await work(app.href);
  } finally {
    await withClient(url, (client) => client.query(`DROP OWNED BY ${APP}; DROP ROLE ${APP}`));
  }
}
