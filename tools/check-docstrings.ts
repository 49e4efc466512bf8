import type { CheckResult } from "./check-result.ts";
import { listPublicNames } from "./list-public-names.ts";
import { needsDocstring } from "./needs-docstring.ts";

/** Names whose undocumented members a host or a library documents, each with whose they are. */
export type HostContracts = Readonly<Record<string, string>>;
const hostContracts: HostContracts = {
  HostItem: "LangGraph's Item",
  HostOperation: "LangGraph's Operation",
  HostSearch: "options of LangGraph's BaseStore.search",
  HostStore: "LangGraph's BaseStore",
  MemorySession: "the OpenAI Agents SDK's Session",
  PostgresPool: "the Pool of pg",
  RunHooks: "callbacks of the AI SDK's generateText and streamText",
  RunOptions: "options of the AI SDK's generateText and streamText",
  RunSource: "the AI SDK's Source",
  RunStep: "the AI SDK's StepResult",
  RunToolExecution: "the AI SDK's ToolExecutionEndEvent",
  SessionLike: "the OpenAI Agents SDK's Session",
  ThroughlineMemory: "Mastra's MastraMemory",
};

/**
 * Every public name has a docstring, and every public member that its name and type don't say all of. Of overloads one is
 * enough for a name; members that take other arguments each need their own.
 */
export function checkDocstrings(root: string, hosts: HostContracts = hostContracts): CheckResult {
  const { names, problems } = listPublicNames(root);
  const documented = new Set(names.filter(({ doc }) => doc !== "").map(({ name }) => name));
  const owners = new Set(names.map(({ name }) => name.split(".")[0] ?? name));
  const missing = names.filter((name) => {
    if (name.doc !== "" || !needsDocstring(name)) return false;
    if (name.type === null) return !documented.has(name.name);
    return !((name.name.split(".")[0] ?? "") in hosts);
  });
  const unknown = Object.keys(hosts).filter((name) => !owners.has(name));
  return {
    problems: [
      ...problems,
      ...missing.map(({ at, name }) => `${at}: ${name} has no docstring that says what it promises.`),
      ...unknown.map((name) => `tools/check-docstrings.ts: the exception for ${name} names nothing public.`),
    ],
    looked: names.length,
    unit: "public names",
  };
}
