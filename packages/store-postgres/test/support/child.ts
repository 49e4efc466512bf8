import { type ChildProcess, spawn } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Kept between runs: without the compiled sources most of a child's life would be its start. */
const COMPILE_CACHE = join(tmpdir(), "throughline-compile-cache");

/** Runs a script of this folder in a Node process of its own, on the sources. */
export function startChild(script: string, ...parameters: string[]): ChildProcess {
  const file = join(import.meta.dirname, script);
  return spawn(process.execPath, ["--conditions=@throughline/source", "--no-warnings", file, ...parameters], {
    stdio: ["pipe", "pipe", "pipe"],
    env: { ...process.env, NODE_COMPILE_CACHE: COMPILE_CACHE },
  });
}

/** What a child printed, once it ended well. */
export async function outputOf(child: ChildProcess): Promise<string> {
  let output = "";
  let errors = "";
  child.stdout?.on("data", (chunk) => {
    output += chunk;
  });
  child.stderr?.on("data", (chunk) => {
    errors += chunk;
  });
  const code = await new Promise((resolve) => child.on("close", resolve));
  if (code !== 0) throw new Error(`The child ended with ${String(code)}: ${errors}`);
  return output;
}
