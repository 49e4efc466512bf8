import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { migrate } from "@throughline/store-postgres";
import { describe, expect, it } from "vitest";
import { temporarySchema } from "./support/fixtures.ts";
import { serverUrl } from "./support/server.ts";

const SOURCE = join(import.meta.dirname, "..", "src");

/** The columns of each key and index of a schema. */
const KEYS = `SELECT t.relname AS table, i.relname AS index, x.indisunique AS unique, x.indisprimary AS primary,
    ARRAY(SELECT a.attname::text FROM unnest(x.indkey::int[]) WITH ORDINALITY k (number, place)
      JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = k.number WHERE k.place <= x.indnkeyatts ORDER BY k.place) AS columns
  FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid JOIN pg_class t ON t.oid = x.indrelid
  JOIN pg_namespace n ON n.oid = t.relnamespace WHERE n.nspname = $1 AND t.relname <> 'migration'`;

describe.skipIf(serverUrl === null)("the schema", () => {
  it("J11: the tenant leads every primary key, unique constraint and index of every table", async () => {
    const { schema, admin } = await temporarySchema();
    await migrate({ connectionString: serverUrl ?? "", schema });
    const { rows: tables } = await admin.query(
      "SELECT c.oid, relname AS name FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace WHERE nspname = $1 AND relkind IN ('r', 'p')",
      [schema],
    );
    const { rows: keys } = await admin.query(KEYS, [schema]);
    expect(keys.length).toBeGreaterThan(25);
    expect(keys.filter(({ columns }) => columns[0] !== "tenant")).toEqual([]);
    const keyed = new Set(keys.filter(({ primary }) => primary).map(({ table }) => table));
    expect(tables.map(({ name }) => name).filter((name) => name !== "migration" && !keyed.has(name))).toEqual([]);
  });

  it("J11: it has no sequence, trigger, rule, generated column, foreign key, unlogged table, extension or type of its own", async () => {
    const { schema, admin } = await temporarySchema();
    const before = (await admin.query("SELECT extname FROM pg_extension ORDER BY 1")).rows;
    await migrate({ connectionString: serverUrl ?? "", schema, rowLevelSecurity: true });
    const of = (sql: string) => admin.query(`${sql} WHERE n.nspname = $1`, [schema]).then(({ rows }) => rows);
    const relations = "FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace";
    expect(await of(`SELECT DISTINCT c.relkind, c.relpersistence ${relations}`)).not.toContainEqual(
      expect.objectContaining({ relkind: "S" }),
    );
    expect(await of(`SELECT DISTINCT c.relpersistence AS kind ${relations}`)).toEqual([{ kind: "p" }]);
    expect(await of(`SELECT tgname ${relations} JOIN pg_trigger t ON t.tgrelid = c.oid`)).toEqual([]);
    expect(await of(`SELECT rulename ${relations} JOIN pg_rewrite r ON r.ev_class = c.oid`)).toEqual([]);
    const odd = "JOIN pg_attribute a ON a.attrelid = c.oid AND (a.attgenerated <> '' OR a.attidentity <> '')";
    expect(await of(`SELECT a.attname ${relations} ${odd}`)).toEqual([]);
    const calls = "JOIN pg_attrdef d ON d.adrelid = c.oid AND pg_get_expr(d.adbin, d.adrelid) ~ '[(]'";
    expect(await of(`SELECT c.relname ${relations} ${calls}`)).toEqual([]);
    expect(
      await of(`SELECT conname ${relations} JOIN pg_constraint k ON k.conrelid = c.oid AND k.contype = 'f'`),
    ).toEqual([]);
    const types =
      "SELECT t.typname FROM pg_type t JOIN pg_namespace n ON n.oid = t.typnamespace AND t.typtype IN ('d', 'e', 'r')";
    expect(await of(types)).toEqual([]);
    expect((await admin.query("SELECT extname FROM pg_extension ORDER BY 1")).rows).toEqual(before);
  });

  it("J10/J11: no statement locks by advice, notifies, listens, or changes a session beyond its transaction", () => {
    const files = readdirSync(SOURCE, { recursive: true, encoding: "utf8" }).filter((name) =>
      /(?<!\.test)\.ts$/.test(name),
    );
    expect(files.length).toBeGreaterThan(20);
    const never =
      /pg_(try_)?advisory|\bNOTIFY\b|\bLISTEN\b|\bCREATE (TEMP|TRIGGER|SEQUENCE)|\bserial\b|nextval|\bSET (SESSION|ROLE)\b|(query|rows?|run|prepared)\(\s*["`]SET\b|set_config\([^)]*false\)/;
    const found = files.filter((name) => never.test(readFileSync(join(SOURCE, name), "utf8")));
    expect(found).toEqual([]);
    for (const bad of ['run("SET work_mem = 1")', "query(`SET search_path TO x`, [])", "LISTEN work"]) {
      expect(never.test(bad), bad).toBe(true);
    }
    // One extension, where migrate() is asked for it.
    const making = files.filter((name) => /"CREATE EXTENSION/.test(readFileSync(join(SOURCE, name), "utf8")));
    expect(making).toEqual([join("vectors", "use-pgvector.ts")]);
  });

  it("J3/J8: whoever writes over a vector gives its row another stamp", () => {
    const files = readdirSync(SOURCE, { recursive: true, encoding: "utf8" });
    const sources = files
      .filter((name) => name.endsWith(".ts"))
      .map((name) => readFileSync(join(SOURCE, name), "utf8"));
    const changes = sources.flatMap((text) => [
      ...[...text.matchAll(/UPDATE #vector\b[^`"]*?(?:WHERE|FROM)/g)].map(([sql]) => sql),
      ...[...text.matchAll(/INSERT INTO #vector\b[^`]*?ON CONFLICT[^`;]*/g)].map(([sql]) => sql),
    ]);
    expect(changes).toHaveLength(5);
    for (const sql of changes) expect(sql).toMatch(/stamp = (\$\{STAMP\}|excluded\.stamp)/);
  });
});
