import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../lib/folders.ts";

const folder = (): string => process.env.THROUGHLINE_BENCH_DATA || join(ROOT, "..", "shared", "data");

/** A file or folder of the data beside the project; `undefined` where it isn't there. */
export function dataPath(...path: string[]): string | undefined {
  const full = join(folder(), ...path);
  return existsSync(full) ? full : undefined;
}

/** A file of a published set, whose form is fixed. */
export const readJson = (path: string): unknown => JSON.parse(readFileSync(path, "utf8"));
