import { readCommandLine, USAGE } from "./command-line.ts";
import { keepCompiled } from "./compile-cache.ts";
import { Problem } from "./problem.ts";

/** Runs one command; each is loaded only when it is the one. */
async function main(args: readonly string[]): Promise<void> {
  const command = readCommandLine(args);
  switch (command.kind) {
    case "help":
      process.stdout.write(`${USAGE}\n`);
      return;
    case "replay":
      return (await import("./replay/replay.ts")).replay(command);
    case "chat":
      return (await import("./chat/chat.ts")).chat(command);
    case "more":
      return (await import("./demo/more.ts")).more();
    case "demo":
      return (await import("./demo/four-agents.ts")).fourAgents();
  }
}

keepCompiled();
try {
  await main(process.argv.slice(2));
} catch (error) {
  process.exitCode = error instanceof Problem ? error.exitCode : 1;
  const isCoded = error instanceof Error && "code" in error && error.name === "MemoryError";
  if (error instanceof Problem) process.stderr.write(`${error.message}\n`);
  else if (isCoded) process.stderr.write(`${String(error.code)}: ${error.message}\n`);
  else throw error;
}
