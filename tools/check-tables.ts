import type { CheckResult } from "./check-result.ts";
import { readResultTables } from "./result-tables.ts";

/** Reports a README or a page of docs/ whose tables aren't what the tests saw. */
export function checkTables(root: string): CheckResult {
  const { documents, problems } = readResultTables(root);
  const stale = documents.filter(({ text, wanted }) => text !== wanted);
  return {
    problems: [...problems, ...stale.map(({ path }) => `${path}: a table is stale; run: npm run tables`)],
    looked: documents.length,
    unit: "documents",
  };
}
