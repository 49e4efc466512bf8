import type { Agent } from "@mastra/core/agent";
import { RequestContext } from "@mastra/core/request-context";
import type { AgentEvent, AgentRunner, Conversation } from "@throughline/core";
import { type Decision, decisionsOf, eventsOf, nameOf, type StreamChunk } from "./convert/agent-events.ts";
import { toRows } from "./convert/to-rows.ts";
import { memoryProcessor, PROCESSOR_ID } from "./memory-processor.ts";
import type { MemorySettings } from "./memory-settings.ts";

// Agents of any id, tools, output and context.
// biome-ignore lint/suspicious/noExplicitAny: the host's own bound
type AnyAgent = Agent<any, any, any, any>;

/** How a runner runs its agent. */
export interface AgentRunnerOptions extends Omit<MemorySettings, "identify" | "tools"> {
  /** Steps of one run, at most. @default the agent's own */
  maxSteps?: number;
  /** What the agent's own functions and tools find in the run's context. @default nothing */
  requestContext?(conversation: Conversation): RequestContext;
}

/**
 * Serves an agent as any other: one turn in, events out. The turn is recorded whether or not the agent has memory. Approvals
 * and answers among the messages go on with the run that waits for them, as long as the agent's Mastra has a storage.
 */
export function agentRunner(agent: AnyAgent, options: AgentRunnerOptions = {}): AgentRunner {
  const { maxSteps, requestContext: contextOf, ...settings } = options;
  return async function* run({ messages, conversation, signal }): AsyncGenerator<AgentEvent> {
    let text = "";
    let isFailed = false;
    try {
      const requestContext = contextOf?.(conversation) ?? new RequestContext();
      const { id, subject } = conversation;
      // By name: a run that waits is kept with its context.
      requestContext.set("conversation", { id, ...(subject === undefined ? {} : { subject }) });
      const owner = agent.hasOwnMemory() ? { thread: id, resource: subject ?? id } : { thread: id };
      const given = {
        requestContext,
        abortSignal: signal,
        // Mastra takes a thread alone where the agent has no memory class.
        memory: owner as { thread: string; resource: string },
        ...(maxSteps === undefined ? {} : { maxSteps }),
        ...(await processors(agent, conversation, requestContext, settings)),
      };
      const decisions = decisionsOf(messages);
      const runId = decisions.length === 0 ? undefined : await waitingRun(agent, id, decisions);
      const streams =
        runId === undefined
          ? [() => agent.stream(toRows(messages), given)]
          : decisions.map((decision) => () => resume(agent, decision, { ...given, runId }));
      for (const open of streams) {
        const stream: AsyncIterable<StreamChunk> = (await open()).fullStream;
        for await (const chunk of stream) {
          for (const event of eventsOf(chunk)) {
            if (event.type === "delta") text += event.text;
            // A step's words before a tool are not the answer.
            if (event.type === "tool_call") text = "";
            // To its end in any case: that is where the turn is recorded.
            if (!isFailed) yield event;
            if (event.type === "error") isFailed = true;
          }
        }
      }
      if (!isFailed) yield { type: "done", text };
    } catch (error) {
      yield { type: "error", ...nameOf(error) };
    }
  };
}

/** The agent's own processors with the memory's, where it has none of the memory's yet. */
async function processors(
  agent: AnyAgent,
  conversation: Conversation,
  requestContext: RequestContext,
  settings: MemorySettings,
) {
  const [inputProcessors, outputProcessors] = await Promise.all([
    agent.listConfiguredInputProcessors(requestContext),
    agent.listConfiguredOutputProcessors(requestContext),
  ]);
  const { inputProcessorIds } = await agent.getConfiguredProcessorIds(requestContext);
  if (agent.hasOwnMemory() || inputProcessorIds.includes(PROCESSOR_ID)) return {};
  const memory = memoryProcessor(conversation, settings);
  return { inputProcessors: [memory, ...inputProcessors], outputProcessors: [...outputProcessors, memory] };
}

/** The run of this conversation that waits for one of these decisions. */
async function waitingRun(
  agent: AnyAgent,
  threadId: string,
  decisions: readonly Decision[],
): Promise<string | undefined> {
  const { runs } = await agent.listSuspendedRuns({ threadId });
  const asked = new Set(decisions.map(({ callId }) => callId));
  return runs.find(({ toolCalls }) =>
    toolCalls.some(({ toolCallId }) => toolCallId !== undefined && asked.has(toolCallId)),
  )?.runId;
}

function resume(agent: AnyAgent, decision: Decision, given: { runId: string }) {
  const call = { ...given, toolCallId: decision.callId };
  if (decision.type === "answer") return agent.resumeStream(decision.answer, call);
  return decision.type === "approve" ? agent.approveToolCall(call) : agent.declineToolCall(call);
}
