// `npm run check`: every gate, or those named: `npm run check -- boundaries snippets`.
import { dirname } from "node:path";
import { checkBoundaries } from "./check-boundaries.ts";
import { checkDeclarations } from "./check-declarations.ts";
import { checkDocstrings } from "./check-docstrings.ts";
import { checkExamples } from "./check-examples.ts";
import { checkFiles } from "./check-files.ts";
import { checkLinks } from "./check-links.ts";
import { checkLock } from "./check-lock.ts";
import { checkNeutral } from "./check-neutral.ts";
import { checkPackages, checkStyle, checkToolTypes, checkUnused } from "./check-program.ts";
import { checkRequirements } from "./check-requirements.ts";
import type { Check } from "./check-result.ts";
import { checkSnippets } from "./check-snippets.ts";
import { checkTables } from "./check-tables.ts";

const checks: Readonly<Record<string, Check>> = {
  style: checkStyle,
  lock: checkLock,
  files: checkFiles,
  boundaries: checkBoundaries,
  requirements: checkRequirements,
  tools: checkToolTypes,
  packages: checkPackages,
  declarations: checkDeclarations,
  neutral: checkNeutral,
  unused: checkUnused,
  docstrings: checkDocstrings,
  links: checkLinks,
  tables: checkTables,
  snippets: checkSnippets,
  examples: checkExamples,
};

const root = dirname(import.meta.dirname);
const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !(name in checks));
if (unknown.length > 0) {
  console.error(`No check is called ${unknown.join(", ")}. There are: ${Object.keys(checks).join(", ")}.`);
  process.exit(2);
}

const failed: string[] = [];
for (const [name, check] of Object.entries(checks)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  const start = performance.now();
  const { problems, looked, unit } = await check(root);
  const all = looked > 0 ? problems : [...problems, `looked at no ${unit}; a check that looks at nothing has failed.`];
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  console.log(`${all.length === 0 ? "ok  " : "FAIL"} ${name} (${looked} ${unit}, ${seconds} s)`);
  for (const problem of all) console.log(problem.replace(/^/gm, "     "));
  if (all.length > 0) failed.push(name);
}
console.log(failed.length === 0 ? "All checks passed." : `Failed: ${failed.join(", ")}.`);
process.exitCode = failed.length === 0 ? 0 : 1;
