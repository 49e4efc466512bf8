import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";

/** A temporary folder with the given files, removed when the test ends. */
export function temporaryWorkspace(files: Readonly<Record<string, string>>): string {
  const root = mkdtempSync(join(realpathSync(tmpdir()), "workspace-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
}

/** Gives a temporary workspace the tools that this repository has installed. */
export function linkTools(root: string): void {
  symlinkSync(join(dirname(import.meta.dirname), "node_modules"), join(root, "node_modules"), "junction");
}
