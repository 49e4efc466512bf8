import { spawn } from "node:child_process";

/** How a program ended, and what it printed. */
export interface Ended {
  code: number;
  stdout: string;
  stderr: string;
}

/** Where and with what a program runs. */
export interface ProgramOptions {
  cwd: string;
  /** Set beside the environment of this process; `undefined` takes one away. */
  env?: NodeJS.ProcessEnv;
}

const isWindows = process.platform === "win32";

/** Runs a program to its end, whatever its exit code. */
export function runProgram(program: string, args: readonly string[], { cwd, env }: ProgramOptions): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd,
      // Consumers know nothing of this workspace: neither its export condition nor the flags of its test runner.
      env: { ...process.env, NODE_OPTIONS: undefined, VITEST: undefined, NODE_ENV: undefined, ...env },
      stdio: ["ignore", "pipe", "pipe"],
      // npm and pnpm are batch files there.
      shell: isWindows && !program.endsWith(".exe"),
    });
    const output = { stdout: "", stderr: "" };
    child.stdout.setEncoding("utf8").on("data", (chunk: string) => (output.stdout += chunk));
    child.stderr.setEncoding("utf8").on("data", (chunk: string) => (output.stderr += chunk));
    child.on("error", reject);
    child.on("close", (code) => resolve({ code: code ?? 1, ...output }));
  });
}

/** Runs a program that has to end well. Answers what it printed. */
export async function mustRun(program: string, args: readonly string[], options: ProgramOptions): Promise<string> {
  const { code, stdout, stderr } = await runProgram(program, args, options);
  if (code !== 0) throw new Error(`${program} ${args.join(" ")} ended with ${code}:\n${stdout}\n${stderr}`);
  return stdout;
}
