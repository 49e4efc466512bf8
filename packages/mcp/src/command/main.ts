// `throughline-mcp`: one client over stdin and stdout. Nothing but the protocol may be written to stdout.
import { readFileSync } from "node:fs";
import { asMemoryError, createMemory, type MemoryError } from "@throughline/core";
import { type StdioConnection, serveStdio } from "../index.ts";
import { openStore } from "./open-store.ts";
import { type CommandOptions, HELP, readOptions } from "./read-options.ts";

/** How long the end may take; then the process goes anyway. */
const MAX_END_MS = 10_000;

const log = (text: string) => process.stderr.write(`throughline-mcp: ${text}\n`);

const readVersion = (): string => {
  const manifest: unknown = JSON.parse(readFileSync(new URL("../package.json", nearManifest()), "utf8"));
  // The package's own manifest, which has a version.
  return (manifest as { version: string }).version;
};

/** Built, this file lies one folder below the manifest; in the source, two. */
const nearManifest = () => (import.meta.url.endsWith(".ts") ? new URL("../x", import.meta.url) : import.meta.url);

async function serve(options: CommandOptions, version: string): Promise<void> {
  let connection: StdioConnection | undefined;
  const { agent, tenant, subject, conversation, login, isReadOnly } = options;
  const memory = createMemory({
    agent,
    ...(tenant === undefined ? {} : { tenant }),
    store: await openStore(options.storeUrl),
    onEvent: (event) => connection?.notify(event),
  });
  // A store that can't be opened is told now, where whoever wrote the configuration looks.
  const { store } = await memory.manifest();
  await memory.conversations({ limit: 1 });
  connection = serveStdio(
    memory,
    { subject, conversation, login },
    {
      version,
      onError: ({ code, message }: MemoryError) => log(`${message} [${code}]`),
      ...(isReadOnly ? { tools: { only: ["memory_recall", "memory_search", "get_artifact"] } } : {}),
    },
  );
  let isEnding = false;
  const end = async () => {
    if (isEnding) return;
    isEnding = true;
    setTimeout(() => process.exit(1), MAX_END_MS).unref();
    await connection?.close();
    await memory.close();
    process.stdin.destroy();
  };
  const endAndTell = () => void end().catch(fail);
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.on(signal, endAndTell);
  for (const event of ["end", "close", "error"]) process.stdin.on(event, endAndTell);
  process.stdout.on("error", endAndTell);
  // Last: whoever reads it may send a signal at once.
  log(`serving the memory of agent "${agent}" on ${store.name}`);
}

function fail(problem: unknown): void {
  const { code, message } = asMemoryError(problem);
  log(`${message} [${code}]`);
  process.exitCode = code === "INVALID_ARGUMENT" || code === "INVALID_ID" ? 2 : 1;
}

try {
  const options = readOptions(process.argv.slice(2), process.env);
  if (options === "help") process.stdout.write(`${HELP}\n`);
  else if (options === "version") process.stdout.write(`${readVersion()}\n`);
  else await serve(options, readVersion());
} catch (problem) {
  fail(problem);
}
