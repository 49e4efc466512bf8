import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { cacheFolder, ROOT } from "./folders.ts";
import { runNode, runProgram } from "./run-program.ts";

/** The packages as a user gets them, in a project of its own. */
export interface Installation {
  folder: string;
  remove(): void;
}

/** Builds a package and packs what would be published. Answers the tarball's path. */
export function packPackage(name: string, into: string): string {
  const folder = join(ROOT, "packages", name);
  runNode([join(ROOT, "node_modules/tsdown/dist/run.mjs")], { cwd: folder });
  const file = join(into, `${name}.tgz`);
  runProgram("pnpm", ["pack", "--out", file], { cwd: folder });
  return file;
}

/** Installs packed tarballs, and whatever they depend on, into an empty project. Peers are left to the app, as npm's flag says. */
export function install(names: readonly string[], options: { peers: boolean }): Installation {
  const folder = mkdtempSync(join(cacheFolder(), "installation-"));
  const tarballs = join(folder, "tarballs");
  mkdirSync(tarballs);
  writeFileSync(join(folder, "package.json"), '{ "private": true, "type": "module" }\n');
  const files = names.map((name) => packPackage(name, tarballs));
  const flags = ["--no-audit", "--no-fund", "--no-save", ...(options.peers ? [] : ["--legacy-peer-deps"])];
  runProgram("npm", ["install", ...flags, ...files], { cwd: folder });
  rmSync(tarballs, { recursive: true });
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** One installed package. */
export interface Installed {
  name: string;
  version: string;
  bytes: number;
  /** Scripts that npm runs as it installs. */
  installScripts: string[];
  /** Files that only one kind of machine can load. */
  nativeFiles: string[];
}

const INSTALL_SCRIPTS = ["preinstall", "install", "postinstall"];

/** Everything that stands in an installation's `node_modules`. */
export function listInstalled(folder: string): Installed[] {
  const modules = join(folder, "node_modules");
  return readdirSync(modules)
    .filter((name) => !name.startsWith("."))
    .flatMap((name) =>
      name.startsWith("@") ? readdirSync(join(modules, name)).map((inner) => `${name}/${inner}`) : name,
    )
    .map((name) => describeInstalled(join(modules, name)));
}

function describeInstalled(folder: string): Installed {
  const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as {
    name: string;
    version: string;
    scripts?: Record<string, string>;
  };
  const installed: Installed = {
    name: manifest.name,
    version: manifest.version,
    bytes: 0,
    installScripts: INSTALL_SCRIPTS.filter((script) => manifest.scripts?.[script] !== undefined),
    nativeFiles: [],
  };
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    installed.bytes += readFileSync(path).length;
    // npm compiles where this file is, with no script that says so.
    if (entry.name === "binding.gyp") installed.installScripts.push("binding.gyp");
    if (/\.(node|so|dylib|dll|wasm)$/.test(entry.name)) installed.nativeFiles.push(entry.name);
  }
  return installed;
}
