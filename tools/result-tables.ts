import { readFileSync } from "node:fs";
import { join } from "node:path";
import { BENCH_RESULTS, benchResultsTable } from "./bench-results.ts";
import { listFiles, listPackages } from "./workspace.ts";

/** A document as it is and as its tables say it should be. */
export type TabledDocument = { readonly path: string; readonly text: string; readonly wanted: string };

/** What the documents should hold, and what is wrong with their markers and tables. */
export type ResultTables = { readonly documents: readonly TabledDocument[]; readonly problems: readonly string[] };

const markers = /^<!-- table: (\S+) -->\n(.*?)^<!-- \/table -->$/gms;
const tableFile = /^(packages\/[^/]+|e2e)\/test\/.*\.table\.json$/;

/**
 * Reads the tables that tests of a package or of `e2e` have left in `test/*.table.json`, and puts them between the markers of the
 * documents: a package's README names its tables from its own folder, the repository's README and a page of `docs/` name any from the root.
 * `bench/results` names what the benches have kept.
 */
export function readResultTables(root: string): ResultTables {
  const problems: string[] = [];
  const files = listFiles(root);
  const tables = files.filter((file) => tableFile.test(file));
  const shown = new Set<string>();
  const readmes = listPackages(root).map(({ folder }) => ({ path: `${folder}/README.md`, base: `${folder}/` }));
  const pages = files.filter((file) => /^(docs\/.*|README)\.md$/.test(file)).map((path) => ({ path, base: "" }));
  const documents = [...readmes, ...pages]
    .filter(({ path }) => files.includes(path))
    .map(({ path, base }) => {
      const text = readFileSync(join(root, path), "utf8");
      const wanted = text.replaceAll(markers, (whole, name: string) => {
        const file = base + name;
        shown.add(file);
        if (file === BENCH_RESULTS) {
          const { table, problems: found } = benchResultsTable(root, files);
          problems.push(...found);
          return `<!-- table: ${name} -->\n${renderLines(table)}<!-- /table -->`;
        }
        if (!tables.includes(file)) {
          problems.push(`${path}: there is no ${file}; its tests write it: vitest run -u.`);
          return whole;
        }
        const table = renderTable(readFileSync(join(root, file), "utf8"));
        if (table === null) problems.push(`${file}: is no table of the testkit.`);
        return table === null ? whole : `<!-- table: ${name} -->\n${table}<!-- /table -->`;
      });
      return { path, text, wanted };
    });
  for (const file of tables)
    if (!shown.has(file))
      problems.push(`${file}: neither its package's README nor a page of docs/ has "<!-- table: … -->" for it.`);
  return { documents, problems };
}

function renderTable(json: string): string | null {
  const { head, rows } = parse(json);
  if (!isLine(head) || !Array.isArray(rows) || !rows.every(isLine)) return null;
  return renderLines([head, ...rows]);
}

function renderLines([head = [], ...rows]: readonly (readonly string[])[]): string {
  const lines = [head, head.map(() => "---"), ...rows];
  return lines.map((cells) => `| ${cells.join(" | ")} |\n`).join("");
}

function parse(json: string): { head?: unknown; rows?: unknown } {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === "object" && value !== null ? value : {};
  } catch {
    return {};
  }
}

const isLine = (value: unknown): value is string[] =>
  Array.isArray(value) && value.length > 0 && value.every((cell) => typeof cell === "string");
