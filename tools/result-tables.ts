import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { listFiles, listPackages } from "./workspace.ts";

/** A README as it is and as its tables say it should be. */
export type TabledReadme = { readonly path: string; readonly text: string; readonly wanted: string };

/** What the READMEs of all packages should hold, and what is wrong with their markers and tables. */
export type ResultTables = { readonly readmes: readonly TabledReadme[]; readonly problems: readonly string[] };

const markers = /^<!-- table: (\S+) -->\n(.*?)^<!-- \/table -->$/gms;
const tableFile = /^(e2e\/)?test\/.*\.table\.json$/;

/**
 * Reads the tables that tests have left in `test/*.table.json`, and puts them between the markers of the READMEs. Those of
 * `e2e` are about all packages: the repository's README shows them.
 */
export function readResultTables(root: string): ResultTables {
  const readmes: TabledReadme[] = [];
  const problems: string[] = [];
  const folders = listPackages(root).map(({ folder }) => folder);
  for (const folder of [...folders.filter((name) => name !== "e2e"), ""]) {
    const at = (file: string) => (folder === "" ? file : `${folder}/${file}`);
    const path = at("README.md");
    const files = folder === "" ? listFiles(root).filter((file) => file.startsWith("e2e/")) : listFiles(root, folder);
    const tables = files.map((file) => file.slice(at("").length)).filter((file) => tableFile.test(file));
    const text = existsSync(join(root, path)) ? readFileSync(join(root, path), "utf8") : "";
    const shown = new Set<string>();
    const wanted = text.replaceAll(markers, (whole, file: string) => {
      shown.add(file);
      if (!tables.includes(file)) {
        problems.push(`${path}: there is no ${file}; its tests write it: vitest run -u.`);
        return whole;
      }
      const table = renderTable(readFileSync(join(root, folder, file), "utf8"));
      if (table === null) problems.push(`${at(file)}: is no table of the testkit.`);
      return table === null ? whole : `<!-- table: ${file} -->\n${table}<!-- /table -->`;
    });
    for (const file of tables)
      if (!shown.has(file)) problems.push(`${at(file)}: ${path} has no markers "<!-- table: ${file} -->" for it.`);
    if (text !== "") readmes.push({ path, text, wanted });
  }
  return { readmes, problems };
}

function renderTable(json: string): string | null {
  const { head, rows } = parse(json);
  if (!isLine(head) || !Array.isArray(rows) || !rows.every(isLine)) return null;
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
