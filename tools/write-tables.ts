// `npm run tables`: puts what tests saw into the tables of the READMEs and of docs/.
import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { readResultTables } from "./result-tables.ts";

const root = dirname(import.meta.dirname);
const { documents, problems } = readResultTables(root);
for (const { path, text, wanted } of documents) {
  if (text === wanted) continue;
  writeFileSync(join(root, path), wanted);
  console.log(`wrote ${path}`);
}
for (const problem of problems) console.error(problem);
process.exitCode = problems.length === 0 ? 0 : 1;
