import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const ignoredFolders = new Set(["node_modules", "dist", "coverage", ".git", ".toolchain", ".turbo"]);
// What .gitignore lists beside those: left behind by runs, or private.
const ignoredFiles = /^\.env|^\.DS_Store$|\.(log|tgz|tsbuildinfo)$|\.db(-\w+)?$|^(package-lock\.json|yarn\.lock)$/;

/** The part of a package.json that the tools read. */
export type Manifest = {
  readonly name: string;
  readonly private?: boolean;
  readonly exports?: Readonly<Record<string, unknown>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
};

export type WorkspacePackage = {
  /** Folder relative to the root, with forward slashes: `packages/core`. */
  readonly folder: string;
  /** Folder name: `core`. */
  readonly shortName: string;
  readonly manifest: Manifest;
};

/** Files below `folder`, relative to the root, with forward slashes, sorted. Installed and built ones are left out. */
export function listFiles(root: string, folder = ""): string[] {
  const files: string[] = [];
  for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
    const path = folder ? `${folder}/${entry.name}` : entry.name;
    if (entry.isDirectory() && !ignoredFolders.has(entry.name)) files.push(...listFiles(root, path));
    if (entry.isFile() && !ignoredFiles.test(entry.name)) files.push(path);
  }
  return files.sort();
}

/** Packages of the workspace: the folders in packages/ and examples/, bench and e2e. */
export function listPackages(root: string): WorkspacePackage[] {
  const parents = ["packages", "examples"].filter((parent) => existsSync(join(root, parent)));
  const folders = parents.flatMap((parent) => readdirSync(join(root, parent)).map((name) => `${parent}/${name}`));
  return [...folders, "bench", "e2e"]
    .filter((folder) => existsSync(join(root, folder, "package.json")))
    .map((folder) => ({
      folder,
      shortName: folder.slice(folder.lastIndexOf("/") + 1),
      // The shape is pnpm's to check; the tools read a few fields.
      manifest: JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8")) as Manifest,
    }));
}
