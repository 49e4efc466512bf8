import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Check } from "./check-result.ts";
import { runNode } from "./run-program.ts";
import { listFiles, listPackages } from "./workspace.ts";

// Their JavaScript entries, so that no shell is needed.
const entries = {
  biome: "node_modules/@biomejs/biome/bin/biome",
  knip: "node_modules/knip/bin/knip.js",
  tsc: "node_modules/typescript/bin/tsc",
  turbo: "node_modules/turbo/bin/turbo",
};

/** A check that is another program's: its output is the problem if it fails. */
function program(
  name: keyof typeof entries,
  args: readonly string[],
  count: (root: string) => number,
  unit: string,
): Check {
  return async (root) => {
    const { code, stdout, stderr } = await runNode([join(root, entries[name]), ...args], { cwd: root });
    const output = `${stdout}\n${stderr}`.trim();
    return { problems: code === 0 ? [] : [output || `${name} ended with ${code}.`], looked: count(root), unit };
  };
}

const countFiles = (root: string) => listFiles(root).length;
const countSources = (root: string) => listFiles(root).filter((path) => path.endsWith(".ts")).length;
const countPackages = (root: string) =>
  listPackages(root).filter(({ folder }) => existsSync(join(root, folder, "tsconfig.json"))).length;

export const checkStyle = program("biome", ["ci", "--colors=off", "."], countFiles, "files");

/** Unused files, exports and dependencies. */
export const checkUnused = program("knip", ["--no-progress", "--no-config-hints"], countSources, "files");

/** Types of the tools; those of the packages are turbo's. */
export const checkToolTypes = program(
  "tsc",
  ["-p", "tools", "--pretty", "false"],
  (root) => listFiles(root, "tools").length,
  "files",
);

/** Build, types of source and tests, publint and attw for every package. */
export const checkPackages = program(
  "turbo",
  [
    "run",
    "build",
    "typecheck",
    "lint:package",
    "--continue=dependencies-successful",
    "--output-logs=errors-only",
    "--no-color",
  ],
  countPackages,
  "packages",
);
