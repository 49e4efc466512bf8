import { type Agent, getTransferMessage, type RunContext, type Runner } from "@openai/agents";
import type { RunLog } from "./convert/run-log.ts";

/** Where a runner keeps the logs of its runs with memory. */
const LOGS = Symbol.for("throughline.openai-agents.logs");

type Logs = WeakMap<RunContext<unknown>, RunLog>;

/** The host's own signals of tools and handoffs of this run. Gives back what ends it. */
export function watchTools(runner: Runner, runContext: RunContext<unknown>, log: RunLog): () => void {
  const logs = logsOf(runner);
  logs.set(runContext, log);
  return () => {
    if (logs.get(runContext) === log) logs.delete(runContext);
  };
}

/** Each runner is listened to once, whatever goes on in it: Node takes more than ten listeners for a leak, and says so. */
function logsOf(runner: Runner): Logs {
  const known = (runner as { [LOGS]?: Logs })[LOGS];
  if (known !== undefined) return known;
  const logs: Logs = new WeakMap();
  Object.defineProperty(runner, LOGS, { value: logs });
  runner.on("agent_tool_start", (context, agent, _tool, { toolCall }) =>
    logs.get(context)?.called(agent.name, toolCall),
  );
  runner.on("agent_tool_end", (context, agent, _tool, result, { toolCall }) =>
    logs.get(context)?.answered(agent.name, toolCall, result),
  );
  runner.on("agent_handoff", (context, from, to: Agent) =>
    logs.get(context)?.handedOff(from.name, getTransferMessage(to)),
  );
  return logs;
}
