import { existsSync } from "node:fs";
import { join, resolve } from "node:path";

/**
 * A file of the benchmark data, or `null` where it isn't there: in the folder that `THROUGHLINE_BENCH_DATA` names, else
 * in `shared/data` beside the repository.
 */
export function findData(name: string): string | null {
  const folder = process.env.THROUGHLINE_BENCH_DATA || resolve(import.meta.dirname, "../../..", "shared", "data");
  const file = join(folder, name);
  return existsSync(file) ? file : null;
}
