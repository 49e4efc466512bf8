import { type FunctionTool, tool } from "@openai/agents";
import {
  conversationOf,
  type MemorySource,
  type MemoryToolSelection,
  memoryTools as neutralTools,
  type Scope,
  toolDefinitions,
} from "@throughline/core";
import { type ToolSchema, toolSchema } from "./convert/tool-schema.ts";

/** A memory tool as the SDK takes it: it answers with a short text and never throws. */
export type MemoryTool<Context = unknown> = FunctionTool<Context, ToolSchema, string>;

/**
 * The memory tools, to stand among an agent's own. Whose memory they reach the conversation or the run's context says; no
 * input of the model can name another one.
 */
export function memoryTools<Context = unknown>(
  memory: MemorySource,
  options: MemoryToolSelection & { scope?: Scope<Context> } = {},
): MemoryTool<Context>[] {
  const { scope, ...selection } = options;
  return toolDefinitions(memory, selection).map(({ name, description, input }) =>
    tool<ToolSchema, Context, string>({
      name,
      description,
      parameters: toolSchema(input),
      // The strict form knows no member that may be left out.
      strict: false,
      // The neutral tools throw nothing. What is left is the app's mistake (no conversation is named): it is told at once.
      errorFunction: null,
      async execute(given, runContext, details) {
        const conversation = conversationOf(memory, scope, runContext?.context);
        const call = {
          ...(details?.toolCall ? { callId: details.toolCall.callId } : {}),
          ...(details?.signal ? { signal: details.signal } : {}),
        };
        const answers = neutralTools(conversation, { only: [name] }).map((neutral) => neutral.run(given, call));
        return (await Promise.all(answers)).join("\n");
      },
    }),
  );
}
