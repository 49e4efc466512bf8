import { type Agent, getTransferMessage, type RunContext, type Runner } from "@openai/agents";
import type { RunLog } from "./convert/run-log.ts";

/** The host's own signals of tools and handoffs of this run. Gives back what ends it. */
export function watchTools(runner: Runner, runContext: RunContext<unknown>, log: RunLog): () => void {
  const isOurs = (context: unknown): boolean => context === runContext;
  const start: Parameters<typeof runner.on<"agent_tool_start">>[1] = (context, agent, _tool, { toolCall }) => {
    if (isOurs(context)) log.called(agent.name, toolCall);
  };
  const stop: Parameters<typeof runner.on<"agent_tool_end">>[1] = (context, agent, _tool, result, { toolCall }) => {
    if (isOurs(context)) log.answered(agent.name, toolCall, result);
  };
  const handoff: Parameters<typeof runner.on<"agent_handoff">>[1] = (context, from, to: Agent) => {
    if (isOurs(context)) log.handedOff(from.name, getTransferMessage(to));
  };
  runner.on("agent_tool_start", start);
  runner.on("agent_tool_end", stop);
  runner.on("agent_handoff", handoff);
  return () => {
    runner.off("agent_tool_start", start);
    runner.off("agent_tool_end", stop);
    runner.off("agent_handoff", handoff);
  };
}
