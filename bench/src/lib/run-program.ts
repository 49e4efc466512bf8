import { spawnSync } from "node:child_process";

/** Runs a program to its end and answers what it printed. Throws where it fails. */
export function runProgram(program: string, args: readonly string[], options: { cwd: string }): string {
  const { status, stdout, stderr, error } = spawnSync(program, args, {
    ...options,
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
  });
  if (error !== undefined) throw error;
  if (status !== 0) throw new Error(`${program} ${args.join(" ")} ended with ${status}:\n${stdout}\n${stderr}`);
  return stdout;
}

/** Runs Node. */
export const runNode = (args: readonly string[], options: { cwd: string }): string =>
  runProgram(process.execPath, args, options);
