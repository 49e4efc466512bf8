import { compareResults } from "./lib/compare-results.ts";
import { readResult } from "./lib/result.ts";

const [before, after] = process.argv.slice(2);
if (before === undefined || after === undefined) {
  console.log("Usage: compare.ts <before.json> <after.json>");
  process.exitCode = 2;
} else {
  console.log(compareResults(readResult(before), readResult(after)));
}
