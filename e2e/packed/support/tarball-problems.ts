import { builtinModules } from "node:module";
import { posix } from "node:path";
import { parseSync } from "oxc-parser";

/** What of a packed package.json counts here. */
interface PackedManifest {
  version: string;
  exports: Record<string, unknown>;
  files?: string[];
  scripts?: Record<string, string>;
  dependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
}

const expected = ["package.json", "README.md", "LICENSE", "dist/index.js", "dist/index.d.ts"];
const wanted = /^(package\.json|README\.md|THIRD-PARTY\.md|LICENSE|dist\/.+\.(js|d\.ts)(\.map)?|src\/.+\.ts)$/;
const stray = /(^|\/)test\/|\.(test|test-d|bench|examples)\.ts$/;
const installScripts = ["preinstall", "install", "postinstall", "prepare"];

/** What is wrong with a package's files, as a user would get them. `versions` are those of our own packages. */
export function tarballProblems(
  files: ReadonlyMap<string, Buffer>,
  versions: Readonly<Record<string, string>>,
): string[] {
  const text = (path: string) => files.get(path)?.toString("utf8") ?? "";
  const problems = expected.filter((path) => !files.has(path)).map((path) => `${path} is missing.`);
  if (problems.length > 0) return problems;
  // npm has checked the shape, and the rest of these checks asks for what it reads.
  const manifest = JSON.parse(text("package.json")) as PackedManifest;
  // A program, or data: what a package names besides.
  const besides = (manifest.files ?? []).filter((name) => /^[\w-]+$/.test(name) && !["dist", "src"].includes(name));
  const isWanted = (path: string) => wanted.test(path) || besides.some((name) => path.startsWith(`${name}/`));
  for (const path of files.keys())
    if (!isWanted(path) || stray.test(path)) problems.push(`${path} has no business in a package.`);
  problems.push(...manifestProblems(manifest, files, versions));
  for (const path of files.keys()) {
    if (path.endsWith(".map")) problems.push(...mapProblems(path, text(path), files));
    if (path.endsWith(".js")) problems.push(...codeProblems(path, text(path), manifest, files));
  }
  return problems;
}

function manifestProblems(
  manifest: PackedManifest,
  files: ReadonlyMap<string, Buffer>,
  versions: Readonly<Record<string, string>>,
): string[] {
  const problems: string[] = [];
  const all = { ...manifest.dependencies, ...manifest.peerDependencies };
  for (const [name, range] of Object.entries(all)) {
    if (/^(workspace|catalog|file|link):/.test(range)) problems.push(`package.json: ${name} is ${range}.`);
    if (name in versions && range !== `^${versions[name]}`)
      problems.push(`package.json: ${name} is ${range}, and its version is ${versions[name]}.`);
  }
  for (const script of installScripts)
    if (manifest.scripts?.[script] !== undefined) problems.push(`package.json: has an install script (${script}).`);
  for (const target of exportTargets(manifest.exports))
    if (!files.has(posix.normalize(target))) problems.push(`package.json: exports ${target}, which isn't there.`);
  if (JSON.stringify(manifest.exports).includes("@throughline/source"))
    problems.push("package.json: exports the workspace's own condition.");
  return problems;
}

function exportTargets(exports: unknown): string[] {
  if (typeof exports === "string") return [exports];
  return typeof exports === "object" && exports !== null ? Object.values(exports).flatMap(exportTargets) : [];
}

function mapProblems(path: string, text: string, files: ReadonlyMap<string, Buffer>): string[] {
  // The form of a source map is fixed.
  const { sources } = JSON.parse(text) as { sources: string[] };
  return (
    sources
      .map((source) => posix.normalize(posix.join(posix.dirname(path), source)))
      // What is bundled of others is named where its licence is, and comes without its sources.
      .filter((source) => !files.has(source) && !(files.has("THIRD-PARTY.md") && source.includes("node_modules/")))
      .map((source) => `${path}: points to ${source}, which isn't there.`)
  );
}

function codeProblems(
  path: string,
  code: string,
  manifest: PackedManifest,
  files: ReadonlyMap<string, Buffer>,
): string[] {
  const problems: string[] = [];
  const beside = (name: string) => posix.normalize(posix.join(posix.dirname(path), name));
  const map = /\/\/# sourceMappingURL=(\S+)\s*$/.exec(code)?.[1];
  if (map !== undefined && !files.has(beside(map))) problems.push(`${path}: names the map ${map}, which isn't there.`);
  const declared = { ...manifest.dependencies, ...manifest.peerDependencies };
  for (const specifier of importsOf(path, code)) {
    if (specifier.startsWith(".")) {
      if (!files.has(beside(specifier))) problems.push(`${path}: imports ${specifier}, which isn't there.`);
      continue;
    }
    const name = specifier.split("/", specifier.startsWith("@") ? 2 : 1).join("/");
    if (!specifier.startsWith("node:") && !builtinModules.includes(name) && !(name in declared))
      problems.push(`${path}: imports ${specifier}, which package.json doesn't name.`);
  }
  return problems;
}

/** Every module that a file names. One that only running the code could tell is left out. */
function importsOf(path: string, code: string): string[] {
  const { staticImports, staticExports, dynamicImports } = parseSync(path, code).module;
  return [
    ...staticImports.map(({ moduleRequest }) => moduleRequest.value),
    ...staticExports.flatMap(({ entries }) => entries.flatMap(({ moduleRequest }) => moduleRequest?.value ?? [])),
    ...dynamicImports.flatMap(
      ({ moduleRequest }) => code.slice(moduleRequest.start, moduleRequest.end).match(/^["'](.+)["']$/)?.[1] ?? [],
    ),
  ];
}
