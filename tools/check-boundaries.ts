import { readFileSync } from "node:fs";
import { builtinModules } from "node:module";
import { join, posix } from "node:path";
import { type Arrows, arrowsOf, computedImports, matches } from "./arrows.ts";
import type { CheckResult } from "./check-result.ts";
import { type FoundImport, findImports } from "./find-imports.ts";
import { listFiles, listPackages, type WorkspacePackage } from "./workspace.ts";

const code = /\.[cm]?[jt]sx?$/;
const testFile = /(\.(test|test-d|bench|examples)\.[jt]sx?$)|(^packages\/[^/]+\/test\/)/;
const configFile = /^((packages|examples)\/[^/]+|bench|e2e)\/[^/]+\.config\.ts$/;
const endpoints = /^(examples|bench|e2e)(\/|$)/;

/** Reports every import that the arrows in tools/arrows.ts don't allow. */
export function checkBoundaries(
  root: string,
  computed: Readonly<Record<string, string>> = computedImports,
): CheckResult {
  const packages = listPackages(root);
  const unusedReasons = new Set(Object.keys(computed));
  const problems: string[] = [];
  let looked = 0;
  for (const path of listFiles(root).filter((file) => code.test(file))) {
    looked += 1;
    let imports: FoundImport[];
    try {
      imports = findImports(path, readFileSync(join(root, path), "utf8"));
    } catch (error) {
      problems.push(String(error));
      continue;
    }
    for (const { specifier, line } of imports) {
      if (specifier === null && path in computed) {
        unusedReasons.delete(path);
        continue;
      }
      const problem = problemOf({ path, specifier, packages });
      if (problem) problems.push(`${path}:${line}: ${problem}`);
    }
  }
  for (const { folder, shortName } of packages)
    if (folder.startsWith("packages/") && !arrowsOf(shortName))
      problems.push(`${folder}: has no arrows; add it to tools/arrows.ts.`);
  for (const path of unusedReasons) problems.push(`tools/arrows.ts: ${path} computes no import; remove its reason.`);
  return { problems, looked, unit: "files" };
}

type Sighting = {
  readonly path: string;
  readonly specifier: string | null;
  readonly packages: readonly WorkspacePackage[];
};

function problemOf({ path, specifier, packages }: Sighting): string | undefined {
  const owner = packages.find(({ folder }) => path.startsWith(`${folder}/`));
  const isEndpoint = endpoints.test(path);
  const isShipped = path.startsWith("packages/") && !testFile.test(path) && !configFile.test(path);
  if (specifier === null)
    return isShipped
      ? "names a module that only running the code could tell; use a constant, or give a reason in tools/arrows.ts."
      : undefined;

  const isRelative = /^\.{0,2}\//.test(specifier);
  const target = isRelative ? posix.normalize(posix.join(posix.dirname(path), specifier)) : undefined;
  const imported = packages.find(({ folder, manifest }) =>
    target ? target.startsWith(`${folder}/`) : isWithin(specifier, manifest.name),
  );
  const goal = imported?.folder ?? target ?? "";

  if (imported && imported === owner && !target)
    return isShipped ? `imports its own package by name (${specifier}).` : undefined;
  if (endpoints.test(goal) && imported !== owner)
    return `imports ${specifier}: nothing imports examples, bench or e2e.`;
  if (target && owner && imported !== owner) {
    if (configFile.test(path) && target.startsWith("tools/")) return;
    return `imports ${specifier}: a relative import stays inside its package.`;
  }
  const command = owner && arrowsOf(owner.shortName)?.command;
  if (target && isShipped && command && goesInto(`${owner.folder}/${command}`, path, target))
    return `imports ${specifier}: nothing imports a command.`;
  if (target && isShipped && testFile.test(target)) return `imports ${specifier}: src never imports tests.`;
  if (imported && !target && !isEntry(specifier, imported))
    return `imports ${specifier}: not an entry of ${imported.manifest.name}.`;
  if (!owner || isEndpoint || target || configFile.test(path)) return;

  const allowed = arrowsOf(owner.shortName);
  if (!allowed) return;
  if (imported) return packageProblem(owner, imported, allowed, isShipped);
  return isShipped ? libraryProblem(path, owner, specifier, allowed) : undefined;
}

function packageProblem(
  owner: WorkspacePackage,
  imported: WorkspacePackage,
  allowed: Arrows,
  isShipped: boolean,
): string | undefined {
  if (matches(imported.shortName, allowed.packages)) return;
  if (!isShipped && (imported.shortName === "testkit" || matches(imported.shortName, allowed.tests ?? []))) return;
  if (imported.shortName === "testkit") return `imports ${imported.manifest.name}: only tests may use the testkit.`;
  return `imports ${imported.manifest.name}: no arrow from ${owner.shortName} to ${imported.shortName}.`;
}

function libraryProblem(path: string, owner: WorkspacePackage, specifier: string, allowed: Arrows): string | undefined {
  const name = specifier.split("/", specifier.startsWith("@") ? 2 : 1).join("/");
  const isCommand = allowed.command !== undefined && path.startsWith(`${owner.folder}/${allowed.command}`);
  if (specifier.startsWith("node:") || builtinModules.includes(name))
    return allowed.builtins || isCommand
      ? undefined
      : `imports ${specifier}: ${owner.shortName} uses no Node built-in.`;
  if (matches(name, allowed.libraries)) return;
  return `imports ${specifier}: ${owner.shortName} may not use this library (tools/arrows.ts).`;
}

const goesInto = (folder: string, path: string, target: string): boolean =>
  target.startsWith(folder) && !path.startsWith(folder);

function isWithin(specifier: string, name: string): boolean {
  return specifier === name || specifier.startsWith(`${name}/`);
}

function isEntry(specifier: string, { manifest }: WorkspacePackage): boolean {
  return `.${specifier.slice(manifest.name.length)}` in (manifest.exports ?? { ".": true });
}
