import type { CheckResult } from "./check-result.ts";
import { readResultTables } from "./result-tables.ts";

/** Reports a README whose tables aren't what the tests saw. */
export function checkTables(root: string): CheckResult {
  const { readmes, problems } = readResultTables(root);
  const stale = readmes.filter(({ text, wanted }) => text !== wanted);
  return {
    problems: [...problems, ...stale.map(({ path }) => `${path}: a table is stale; run: npm run tables`)],
    looked: readmes.length,
    unit: "READMEs",
  };
}
