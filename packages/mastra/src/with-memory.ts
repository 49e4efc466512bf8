import type { AgentConfig } from "@mastra/core/agent";
import type { RequestContext } from "@mastra/core/request-context";
import { MemoryError } from "@throughline/core";
import { guardProcessors } from "./guard-processors.ts";
import type { MemorySource } from "./identify.ts";
import { memoryProcessor } from "./memory-processor.ts";
import type { MemorySettings } from "./memory-settings.ts";
import { memoryTools } from "./memory-tools.ts";

/** Agents of any tools, output and context, as the host's own constructor takes them. */
// biome-ignore lint/suspicious/noExplicitAny: the host's own bound
export type AnyAgentConfig = AgentConfig<string, any, any, any>;

/** Something, or a function of the run's context that gives it. */
type Dynamic<Value> = Value | ((run: { requestContext: RequestContext }) => Value | Promise<Value>) | undefined;

/**
 * An agent's configuration with memory: the stored history before what is new, what is known among the system messages,
 * the memory's tools, and each run recorded as one turn.
 *
 * @example
 * const agent = new Agent(withMemory(memory, { id: "guide", name: "Guide", instructions, model }));
 * await agent.generate("Hi", { memory: { thread: "chat-1", resource: "ada" } });
 */
export function withMemory<Config extends AnyAgentConfig>(
  source: MemorySource,
  config: Config,
  settings: MemorySettings = {},
): Config {
  if (config.memory !== undefined) {
    throw new MemoryError(
      "INVALID_ARGUMENT",
      "withMemory brings the history itself: leave `memory` out, or use ThroughlineMemory in its place.",
    );
  }
  const processor = memoryProcessor(source, settings);
  const { tools = {}, identify, onError } = settings;
  const own =
    tools === false
      ? {}
      : memoryTools(source, { ...tools, ...(identify && { identify }), ...(onError && { onError }) });
  return {
    ...config,
    // First, so that the app's processors see the history.
    inputProcessors: join(config.inputProcessors, (theirs) => [processor, ...guardProcessors(theirs ?? [], processor)]),
    // Last, so that what they change is what is recorded.
    outputProcessors: join(config.outputProcessors, (theirs) => [
      ...guardProcessors(theirs ?? [], processor),
      processor,
    ]),
    tools: join(config.tools, (theirs) => ({ ...own, ...theirs })),
  };
}

/** The app's part and the memory's, also where the app's follows from the run. */
function join<Value, Joined>(
  given: Dynamic<Value>,
  make: (value: Value | undefined) => Joined,
): Joined | ((run: { requestContext: RequestContext }) => Promise<Joined>) {
  if (typeof given !== "function") return make(given);
  // No value of these is a function itself.
  const find = given as (run: { requestContext: RequestContext }) => Value | Promise<Value>;
  return async (run) => make(await find(run));
}
