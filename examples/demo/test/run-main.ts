import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";

/** How a program ended. */
export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

const src = fileURLToPath(new URL("../src/", import.meta.url));

/** A folder that goes when the test ends. */
export function folder(): string {
  const path = mkdtempSync(join(tmpdir(), "throughline-demo-test-"));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

/** Runs one of the demo's programs as a person would, with an environment that holds no key. */
export function runScript(
  script: string,
  args: readonly string[],
  options: { input?: string; env?: Record<string, string> } = {},
): Promise<Ended> {
  const flags = ["--conditions=@throughline/source", "--disable-warning=ExperimentalWarning"];
  const temporary = folder();
  const env = { PATH: dirname(process.execPath), HOME: temporary, TMPDIR: temporary, TZ: "UTC", ...options.env };
  return new Promise((done, failed) => {
    const child = spawn(process.execPath, [...flags, join(src, script), ...args], { env });
    const ended: Ended = { code: null, stdout: "", stderr: "" };
    child.stdout.on("data", (chunk: Buffer) => {
      ended.stdout += chunk.toString();
    });
    child.stderr.on("data", (chunk: Buffer) => {
      ended.stderr += chunk.toString();
    });
    child.on("error", failed);
    child.on("close", (code) => done({ ...ended, code }));
    child.stdin.end(options.input ?? "");
  });
}

/** Runs `npm run demo -- …` without npm. */
export const runMain = (args: readonly string[], options?: Parameters<typeof runScript>[2]): Promise<Ended> =>
  runScript("main.ts", args, options);
