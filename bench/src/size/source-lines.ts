import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const TESTS = /\.(test|test-d|bench|examples)\.ts$/;
/** Pure converters (the host's form of something to the neutral one, or back) and LangGraph's checkpointer. */
const APART = /^(convert|checkpointer)[/\\]/;

/** Lines of a package's own source, tests left out, and how many of them are converters or a checkpointer. */
export function sourceLines(folder: string): { lines: number; apart: number } {
  const counts = { lines: 0, apart: 0 };
  for (const path of readdirSync(join(folder, "src"), { recursive: true, encoding: "utf8" })) {
    if (!path.endsWith(".ts") || TESTS.test(path)) continue;
    const lines = readFileSync(join(folder, "src", path), "utf8").split("\n").length - 1;
    counts.lines += lines;
    if (APART.test(path)) counts.apart += lines;
  }
  return counts;
}
