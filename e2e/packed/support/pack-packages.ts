import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { mustRun } from "./run-program.ts";
import { PUBLISHED, ROOT } from "./workspace.ts";

declare module "vitest" {
  export interface ProvidedContext {
    /** Folder with one packed tarball of each package, called after its folder: `core.tgz`. */
    tarballs: string;
  }
}

/** Builds every package (what is built already is taken from turbo's cache) and packs it as it would be published. */
export default async function setup(project: TestProject): Promise<() => void> {
  const tarballs = mkdtempSync(join(realpathSync(tmpdir()), "throughline-packed-"));
  const turbo = [join(ROOT, "node_modules/turbo/bin/turbo"), "run", "build", "--filter=./packages/*"];
  await mustRun(process.execPath, [...turbo, "--output-logs=errors-only", "--no-color"], {
    cwd: ROOT,
    env: { DO_NOT_TRACK: "1" },
  });
  for (const name of PUBLISHED)
    await mustRun("pnpm", ["pack", "--out", join(tarballs, `${name}.tgz`)], { cwd: join(ROOT, "packages", name) });
  project.provide("tarballs", tarballs);
  return () => rmSync(tarballs, { recursive: true, force: true });
}
