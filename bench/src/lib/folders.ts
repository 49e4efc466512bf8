import { createHash } from "node:crypto";
import { mkdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The repository. */
export const ROOT = join(import.meta.dirname, "../../..");

/** Where files that take long to build are kept between runs. */
export function cacheFolder(): string {
  const folder = join(tmpdir(), "throughline-bench");
  mkdirSync(folder, { recursive: true });
  return folder;
}

/** A short name for the contents of repository files and some parameters: another content, another name. */
export function fingerprint(paths: readonly string[], ...parameters: readonly (string | number)[]): string {
  const hash = createHash("sha256");
  for (const path of paths) hash.update(readFileSync(join(ROOT, path)));
  return hash.update(JSON.stringify(parameters)).digest("hex").slice(0, 12);
}

/** The version in a package's manifest. */
export function versionOf(manifest: string): string {
  const { version } = JSON.parse(readFileSync(manifest, "utf8")) as { version: string };
  return version;
}
