import type { PostgresClient, PostgresQuery } from "@throughline/store-postgres";
import pg from "pg";

/** A plan that the server ran, as `auto_explain` tells it. */
export interface RanPlan {
  statement: string;
  ms: number;
  /** Pages of 8 kB, found in memory or read. */
  buffers: number;
  /** Rows that were read and then left out by a condition that no index served. */
  leftOut: number;
  /** Tables that were read from end to end. */
  scanned: string[];
}

interface PlanNode {
  "Node Type": string;
  "Relation Name"?: string;
  "Rows Removed by Filter"?: number;
  "Actual Loops"?: number;
  "Shared Hit Blocks"?: number;
  "Shared Read Blocks"?: number;
  Plans?: PlanNode[];
}

/** Settings that only a superuser may give: for a role, or for a session of its own. */
export const AUTO_EXPLAIN: readonly (readonly [name: string, value: string])[] = [
  ["auto_explain.log_min_duration", "0"],
  ["auto_explain.log_analyze", "on"],
  ["auto_explain.log_buffers", "on"],
  ["auto_explain.log_nested_statements", "on"],
  ["auto_explain.log_format", "json"],
  ["auto_explain.log_level", "notice"],
];

/** A client on one connection that collects the plans of all that runs on it, inside of functions too. */
export async function explainingClient(
  connectionString: string,
): Promise<{ client: PostgresClient; taken(): RanPlan[]; close(): Promise<void> }> {
  const connection = new pg.Client({ connectionString });
  let plans: RanPlan[] = [];
  connection.on("notice", ({ message = "" }) => {
    const at = message.indexOf("{");
    if (message.includes("plan:") && at >= 0) plans.push(readPlan(message));
  });
  await connection.connect();
  const query: PostgresQuery = async (sql, parameters, name) => {
    const values = parameters.map((value) => (value instanceof Uint8Array ? Buffer.from(value) : value));
    return (await connection.query({ text: sql, values, ...(name === undefined ? {} : { name }) })).rows;
  };
  const client: PostgresClient = {
    query,
    transaction: async (work) => {
      await query("BEGIN", []);
      try {
        const result = await work(query);
        await query("COMMIT", []);
        return result;
      } catch (error) {
        await query("ROLLBACK", []);
        throw error;
      }
    },
  };
  return {
    client,
    taken: () => {
      const taken = plans;
      plans = [];
      return taken;
    },
    close: () => connection.end(),
  };
}

function readPlan(message: string): RanPlan {
  const ms = Number(/duration: ([\d.]+) ms/.exec(message)?.[1]);
  const { "Query Text": text, Plan: root } = JSON.parse(message.slice(message.indexOf("{"))) as {
    "Query Text": string;
    Plan: PlanNode;
  };
  const plan: RanPlan = {
    statement: text.replace(/\s+/g, " ").trim(),
    ms,
    buffers: (root["Shared Hit Blocks"] ?? 0) + (root["Shared Read Blocks"] ?? 0),
    leftOut: 0,
    scanned: [],
  };
  const visit = (node: PlanNode) => {
    plan.leftOut += (node["Rows Removed by Filter"] ?? 0) * (node["Actual Loops"] ?? 1);
    const table = node["Relation Name"];
    if (node["Node Type"] === "Seq Scan" && table !== undefined && !table.startsWith("pg_")) plan.scanned.push(table);
    for (const inner of node.Plans ?? []) visit(inner);
  };
  visit(root);
  return plan;
}
