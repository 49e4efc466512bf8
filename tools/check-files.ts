import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { CheckResult } from "./check-result.ts";
import { listFiles } from "./workspace.ts";

const sourceLimit = 500;
const adapterLimit = 400;
const readmeLimit = 120;
const packageReadme = /^packages\/[^/]+\/README\.md$/;
const adapterSource = /^packages\/(ai-sdk|langgraph|openai-agents|mastra|mcp)\/src\//;
/** Pure converters (the host's form of something to the neutral one, or back) and LangGraph's checkpointer. */
const countedApart = /^packages\/[^/]+\/src\/(convert|checkpointer)\//;
const testFile = /\.(test|test-d|bench|examples)\.ts$|^packages\/[^/]+\/test\//;
const binary = /\.(png|jpe?g|gif|ico|woff2?|wasm|zip|gz)$/;

/** Files over the limit, and those not counted towards an adapter's limit, each with its reason. */
export type Exceptions = Readonly<Record<string, string>>;
const pure = "pure: the host's form of something to the neutral one, or back";
const typesOnly = "declares the host's options and events; there is nothing in it to move to core";
const hostContract = "a contract that this host alone has, over a conversation";
const hostSignals = "turns the host's own signals into calls of the recorder; each host has others";
const hostStore = "a second contract of the host, over records; no other adapter would do any of it";
const command = "the command for clients that start a process; there is no host's seam in it";
const exceptions: Exceptions = {
  "examples/custom-store/src/jsonl-store.ts": "a whole store in one file, for whoever copies it",
  "packages/ai-sdk/src/agent-runner.ts": "the host's events as the neutral ones, which each host has of its own",
  "packages/ai-sdk/src/chain-hooks.ts": hostSignals,
  "packages/ai-sdk/src/memory-agent.ts": hostContract,
  "packages/ai-sdk/src/memory-middleware.ts": hostContract,
  "packages/ai-sdk/src/model-parts.ts": hostContract,
  "packages/ai-sdk/src/prepare-step.ts": hostSignals,
  "packages/ai-sdk/src/run-events.ts": typesOnly,
  "packages/ai-sdk/src/run-options.ts": typesOnly,
  "packages/ai-sdk/src/ui-answer.ts": hostContract,
  "packages/mcp/src/bearer-tokens.ts": "HTTP alone: the other hosts have no requests of their own",
  "packages/mcp/src/check-origin.ts": "HTTP alone: the other hosts have no requests of their own",
  "packages/mcp/src/command/main.ts": command,
  "packages/mcp/src/command/open-store.ts": command,
  "packages/mcp/src/command/read-options.ts": command,
  "packages/mcp/src/create-mcp-handler.ts": hostContract,
  "packages/mcp/src/event-log.ts": hostContract,
  "packages/mcp/src/mcp-sessions.ts": hostContract,
  "packages/mcp/src/read-resources.ts": "resources, which no other host has",
  "packages/mcp/src/watch-body.ts": "the host's streams; there is no memory in it",
  "packages/openai-agents/src/agent-runner.ts": "the host's events as the neutral ones, which each host has of its own",
  "packages/openai-agents/src/run-options.ts": typesOnly,
  "packages/openai-agents/src/session-turns.ts": hostContract,
  "packages/openai-agents/src/session.ts": hostContract,
  "packages/openai-agents/src/watch-stream.ts": hostSignals,
  "packages/openai-agents/src/watch-tools.ts": hostSignals,
  "packages/openai-agents/src/tap-stream.ts": "the host's ways to read a stream; there is no memory in it",
  "packages/mastra/src/agent-runner.ts": "the host's events as the neutral ones, which each host has of its own",
  "packages/mastra/src/guard-processors.ts": hostSignals,
  "packages/mastra/src/identify.ts": pure,
  "packages/mastra/src/memory-processor.ts": hostSignals,
  "packages/mastra/src/memory-settings.ts": typesOnly,
  "packages/mastra/src/memory-steps.ts": hostContract,
  "packages/mastra/src/save-rows.ts": hostContract,
  "packages/mastra/src/throughline-memory.ts": hostContract,
  "packages/langgraph/src/create-store.ts": hostStore,
  "packages/langgraph/src/fact-items.ts": hostStore,
  "packages/langgraph/src/identify.ts": pure,
  "packages/langgraph/src/index.ts": "names what is exported, the checkpointer's too",
  "packages/langgraph/src/memory-settings.ts": typesOnly,
};

// Put together from pieces, so that this file doesn't report itself.
const forbidden: readonly { readonly pattern: RegExp; readonly problem: string }[] = [
  {
    pattern: new RegExp(`(?<![\\w.*)}/-])/(${["work", "home", "root", "Users", "tmp"].join("|")})/\\w`),
    problem: "names a path of one machine",
  },
  { pattern: new RegExp(`\\b[A-Z]:\\\\{1,2}${"Users"}\\b`), problem: "names a path of one machine" },
  {
    pattern: new RegExp(`\\b(${["registry", "npm"].join("|")})\\.[a-z-]+\\.(org|com|dev|io|net)\\b`),
    problem: "names a registry host",
  },
  { pattern: new RegExp(`\\b${"TO"}${"DO"}\\b|\\b${"FIX"}${"ME"}\\b`), problem: "leaves work undone; open an issue" },
  {
    pattern: new RegExp(`${"Co-authored"}-by:|\\.\\./${"shared"}/`, "i"),
    problem: "doesn't belong into the repository",
  },
];

/** File sizes, file names and words that must not be in the repository. */
export function checkFiles(root: string, allowed: Exceptions = exceptions): CheckResult {
  const problems: string[] = [];
  const adapters = new Map<string, number>();
  const files = listFiles(root).filter((path) => !binary.test(path) && path !== "pnpm-lock.yaml");
  for (const path of files) {
    const lines = readFileSync(join(root, path), "utf8").split("\n");
    lines.forEach((line, index) => {
      for (const { pattern, problem } of forbidden)
        if (pattern.test(line)) problems.push(`${path}:${index + 1}: ${problem} (${line.trim().slice(0, 80)}).`);
    });
    if (packageReadme.test(path) && lines.length - 1 > readmeLimit)
      problems.push(`${path}: ${lines.length - 1} lines, over ${readmeLimit}; move what only some need to docs/.`);
    if (!path.endsWith(".ts")) continue;
    if (!/^[a-z0-9]+([-.][a-z0-9]+)*$/.test(path.slice(path.lastIndexOf("/") + 1)))
      problems.push(`${path}: file names are kebab-case.`);
    if (testFile.test(path) || path in allowed) continue;
    const count = lines.length - 1;
    if (count > sourceLimit)
      problems.push(
        `${path}: ${count} lines, over ${sourceLimit}; split it, or give a reason in tools/check-files.ts.`,
      );
    const adapter = countedApart.test(path) ? undefined : adapterSource.exec(path)?.[1];
    if (adapter) adapters.set(adapter, (adapters.get(adapter) ?? 0) + count);
  }
  for (const [adapter, count] of adapters)
    if (count > adapterLimit)
      problems.push(
        `packages/${adapter}/src: ${count} lines, over ${adapterLimit} for an adapter; move work to core, or pure converters to src/convert.`,
      );
  for (const path of Object.keys(allowed))
    if (!files.includes(path)) problems.push(`tools/check-files.ts: the exception for ${path} has no file.`);
  return { problems, looked: files.length, unit: "files" };
}
