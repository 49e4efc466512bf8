import { spawn } from "node:child_process";

export type Ended = {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly isTimeout: boolean;
};

/** Runs `node` with the arguments and collects what it prints. Never throws for an exit code. */
export function runNode(
  args: readonly string[],
  options: { cwd: string; env?: NodeJS.ProcessEnv; timeoutMs?: number },
): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const { cwd, env = process.env, timeoutMs = 0 } = options;
    const child = spawn(process.execPath, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
    let isTimeout = false;
    const timer = timeoutMs > 0 ? setTimeout(() => (isTimeout = child.kill("SIGKILL")), timeoutMs) : undefined;
    const output = { stdout: "", stderr: "" };
    child.stdout.setEncoding("utf8").on("data", (chunk: string) => (output.stdout += chunk));
    child.stderr.setEncoding("utf8").on("data", (chunk: string) => (output.stderr += chunk));
    child.on("error", reject);
    child.on("close", (code) => {
      clearTimeout(timer);
      resolve({ code: code ?? 1, ...output, isTimeout });
    });
  });
}
