import type { BaseMessage } from "@langchain/core/messages";
import type { AgentMiddleware } from "langchain";
import { bubbles, isInterrupt } from "./convert/run-messages.ts";
import { modelId, withBlock } from "./convert/system-message.ts";
import { findRun, runSignal, wholeConfig } from "./find-run.ts";
import type { MemorySource } from "./identify.ts";
import type { MemorySettings } from "./memory-settings.ts";
import { hearTokens } from "./run-callbacks.ts";

type ModelHook = NonNullable<AgentMiddleware["wrapModelCall"]>;

/** Options of the middleware. */
export interface MemoryMiddlewareOptions extends MemorySettings {
  /** Unique within one agent. @default "throughline_memory" */
  name?: string;
}

/**
 * Memory for `createAgent`: before the model is called it is shown what is known, in the system message, and the memory's
 * window of the history; each run is recorded as one turn. The agent's state is not changed.
 *
 * @example
 * const agent = createAgent({ model, tools, middleware: [memoryMiddleware(memory)] });
 */
export function memoryMiddleware(source: MemorySource, options: MemoryMiddlewareOptions = {}): AgentMiddleware {
  const wrapModelCall: ModelHook = async (request, handler) => {
    const config = wholeConfig(request.runtime);
    const run = findRun(source, config, options);
    const signal = runSignal(config);
    const tools = new Set(request.tools.flatMap(({ name }) => (typeof name === "string" ? [name] : [])));
    await run.see(request.state.messages, { ...modelId(request.model), signal, tools });
    const { system, messages } = await run.prompt(request.messages);
    const shown = { ...request, messages, ...(system && { systemMessage: withBlock(request.systemMessage, system) }) };
    try {
      hearTokens(config.callbacks, run);
      const answer = await handler(shown);
      if ("content" in answer) await run.answered(answer);
      return answer;
    } catch (error) {
      if (isInterrupt(error)) await run.paused();
      else if (!bubbles(error)) await run.broke(error, config.signal);
      throw error;
    }
  };
  const middleware = {
    // What `createMiddleware` marks its own with.
    [Symbol.for("AgentMiddleware")]: true,
    name: options.name ?? "throughline_memory",
    wrapModelCall,
    async afterAgent(state: { messages: BaseMessage[] }, runtime: object) {
      await findRun(source, wholeConfig(runtime), options).finished(state.messages);
    },
  };
  // The brand is declared, not exported as a value that types know; `createMiddleware` builds the same object.
  return middleware as unknown as AgentMiddleware;
}
