import { cpSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { inject } from "vitest";
import { type Ended, mustRun, type ProgramOptions, runProgram } from "./run-program.ts";
import { pinned } from "./workspace.ts";

/** What a project outside the workspace installs. */
export interface ConsumerOptions {
  /** Folders in consumers/ whose files it has. */
  files: readonly [string, ...string[]];
  /** Our packages, by their folder: packed. */
  packages: readonly string[];
  /** Libraries in the versions that the workspace pins; `name@version` says another. */
  libraries?: readonly string[];
  manager?: "npm" | "pnpm";
  /** Leaves peers to the app, and with them an adapter's host. */
  withoutPeers?: boolean;
}

/** An app that has the packages as users get them. */
export interface Consumer {
  folder: string;
  /** Runs a program of the app with this Node. */
  node(args: readonly string[], options?: Partial<ProgramOptions>): Promise<Ended>;
  remove(): void;
}

/** Makes a project in a folder outside the repository and installs into it. */
export async function createConsumer(options: ConsumerOptions): Promise<Consumer> {
  const { files, packages, libraries = [], manager = "npm", withoutPeers = false } = options;
  const folder = mkdtempSync(join(realpathSync(tmpdir()), `throughline-${files[0]}-`));
  const dependencies = Object.fromEntries([
    ...packages.map((name) => [`@throughline/${name}`, `file:${join(inject("tarballs"), `${name}.tgz`)}`]),
    ...libraries.map((wanted) => {
      const [, name = wanted, version] = /^(.+?)@(\d.*)$/.exec(wanted) ?? [];
      return [name, version ?? pinned(name)];
    }),
  ]);
  for (const name of files) cpSync(join(dirname(import.meta.dirname), "consumers", name), folder, { recursive: true });
  const manifest = {
    name: "consumer",
    private: true,
    type: "module",
    dependencies,
  };
  writeFileSync(join(folder, "package.json"), JSON.stringify(manifest, null, 2));
  if (manager === "npm") {
    // Under a script of npm's its settings are in the environment, the folder too.
    const flags = [
      "--prefix",
      folder,
      "--no-audit",
      "--no-fund",
      "--no-package-lock",
      "--prefer-offline",
      "--loglevel=error",
    ];
    await mustRun("npm", ["install", ...flags, ...(withoutPeers ? ["--legacy-peer-deps"] : [])], { cwd: folder });
  } else await mustRun("pnpm", ["install", "--prefer-offline", "--ignore-workspace", "--no-lockfile"], { cwd: folder });
  return {
    folder,
    node: (args, given) => runProgram(process.execPath, args, { cwd: folder, ...given }),
    remove: () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }),
  };
}
