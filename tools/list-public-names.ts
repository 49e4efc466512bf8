import { existsSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { parseSync } from "oxc-parser";
import {
  describeStatement,
  isNode,
  type Node,
  nameOf,
  nodesOf,
  type ParsedFile,
  type PublicName,
} from "./describe-declaration.ts";
import { listPackages } from "./workspace.ts";

const sourceCondition = "@throughline/source";

/** What the published entry points of all packages export, each name followed by its public members. */
export function listPublicNames(root: string): { names: PublicName[]; problems: string[] } {
  const files = new Map<string, ParsedFile | null>();
  /** Names that a module hands on from another package, as `path name`: they are documented there. */
  const outside = new Set<string>();
  const problems: string[] = [];
  const entries = listPackages(root)
    .filter(({ folder }) => folder.startsWith("packages/"))
    .flatMap(({ folder, manifest }) =>
      Object.values(manifest.exports ?? {}).flatMap((entry) => {
        // Entries without a default are the repository's own, and package.json is no code.
        const { [sourceCondition]: source, default: published } = isRecord(entry) ? entry : {};
        return typeof source === "string" && published ? [posix.join(folder, source)] : [];
      }),
    );
  const found = entries.flatMap((path) => exportsOf(path, null));
  const byPlace = new Map(found.map((name) => [`${name.at} ${name.name}`, name]));
  return { names: [...byPlace.values()], problems };

  /** What a module exports, or of it what is called `wanted`. */
  function exportsOf(path: string, wanted: string | null): PublicName[] {
    const file = read(path);
    if (!file) return [];
    return file.body.flatMap((statement) => {
      const from = isNode(statement.source) ? nameOf(statement.source) : null;
      if (statement.type === "ExportAllDeclaration") return from ? follow(path, from, wanted) : [];
      if (statement.type !== "ExportNamedDeclaration") return [];
      if (isNode(statement.declaration)) return named(describeStatement(file, statement), wanted);
      return nodesOf(statement.specifiers)
        .filter(({ exported }) => wanted === null || nameOf(exported) === wanted)
        .flatMap(({ local }) => (from ? follow(path, from, nameOf(local)) : declared(file, nameOf(local))));
    });
  }

  function follow(path: string, from: string, wanted: string | null): PublicName[] {
    if (!from.startsWith(".")) {
      outside.add(`${path} ${wanted}`);
      return [];
    }
    const target = posix.join(posix.dirname(path), from);
    const names = exportsOf(target, wanted);
    if (wanted === null || names.length > 0) return names;
    if (outside.has(`${target} ${wanted}`)) outside.add(`${path} ${wanted}`);
    else if (files.get(target)?.error === undefined && files.get(target))
      problems.push(`${path}: ${wanted} is not declared in ${target}.`);
    return names;
  }

  function declared(file: ParsedFile, wanted: string | null): PublicName[] {
    const names = file.body.flatMap((statement) => named(describeStatement(file, statement), wanted));
    if (names.length === 0) problems.push(`${file.path}: ${wanted} is exported, and declared somewhere else.`);
    return names;
  }

  function read(path: string): ParsedFile | null {
    const known = files.get(path);
    if (known !== undefined) return known;
    const isThere = existsSync(join(root, path));
    if (!isThere) problems.push(`${path}: an entry point leads there, but there is no such file.`);
    const file = isThere ? parse(path, readFileSync(join(root, path), "utf8")) : null;
    if (file?.error !== undefined) problems.push(`${path}: ${file.error}`);
    files.set(path, file);
    return file;
  }
}

function parse(path: string, source: string): ParsedFile {
  const { program, comments, errors } = parseSync(path, source);
  const error = errors.find(({ severity }) => severity === "Error")?.message;
  // Every statement of oxc's tree is a node.
  return { path, source, body: program.body as unknown as readonly Node[], comments, ...(error && { error }) };
}

/** A name with its members, where it is the one that is wanted. */
const named = (names: readonly PublicName[], wanted: string | null) =>
  names.filter(({ name }) => wanted === null || name === wanted || name.startsWith(`${wanted}.`));

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;
