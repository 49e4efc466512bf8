import { existsSync } from "node:fs";
import { builtinModules } from "node:module";
import { join } from "node:path";
import { rolldown } from "rolldown";
import { arrowsOf, computedImports, matches } from "./arrows.ts";
import type { CheckResult } from "./check-result.ts";
import { findImports } from "./find-imports.ts";
import { listPackages } from "./workspace.ts";

/** The only library that isn't bundled: the host itself, which an adapter doesn't choose. */
const bundledInto = ["zod", "tokenx", "tokenlens"];

/** Bundles each package that may use no Node built-in, with its own dependencies, and looks at what is left to import. */
export async function checkNeutral(root: string): Promise<CheckResult> {
  const problems: string[] = [];
  const neutral = listPackages(root).filter(
    ({ folder, shortName }) => folder.startsWith("packages/") && arrowsOf(shortName)?.builtins === false,
  );
  for (const { folder, shortName } of neutral) {
    const entry = `${folder}/dist/index.js`;
    if (!existsSync(join(root, entry))) {
      problems.push(`${entry}: not built; run the packages check first.`);
      continue;
    }
    const hosts = arrowsOf(shortName)?.libraries.filter((library) => !bundledInto.includes(library)) ?? [];
    const computed = Object.keys(computedImports).filter((path) => path.startsWith(`${folder}/`)).length;
    problems.push(
      ...(await leftOvers(join(root, entry), { hosts, computed })).map((problem) => `${entry}: ${problem}`),
    );
  }
  return { problems, looked: neutral.length, unit: "packages" };
}

/** What a bundle of `entry` would still need at run time, apart from the hosts and so many imports of computed names. */
export async function leftOvers(
  entry: string,
  { hosts = [], computed = 0 }: { hosts?: readonly string[]; computed?: number } = {},
): Promise<string[]> {
  const isHost = (id: string) => matches(id.split("/", id.startsWith("@") ? 2 : 1).join("/"), hosts);
  const bundle = await rolldown({
    input: entry,
    platform: "neutral",
    resolve: { mainFields: ["module", "main"], conditionNames: ["import", "default"] },
    external: (id) => id.startsWith("node:") || builtinModules.includes(id) || isHost(id),
    logLevel: "silent",
  });
  const { output } = await bundle.generate({ format: "esm" });
  await bundle.close();
  const found = output.flatMap((chunk) => (chunk.type === "chunk" ? findImports(chunk.fileName, chunk.code) : []));
  const named = found
    .flatMap(({ specifier }) => specifier ?? [])
    .filter((name) => !isHost(name) && !name.startsWith("./"));
  const unnamed = found.filter(({ specifier }) => specifier === null).length;
  return [
    ...named.map((name) => `needs ${name} at run time.`),
    ...(unnamed > computed ? ["loads a module that only running it could tell."] : []),
  ];
}
