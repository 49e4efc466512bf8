import {
  type Conversation,
  type MemoryToolName,
  type MemoryToolSelection,
  memoryTools as neutralTools,
} from "@throughline/core";
import type { Tool, ToolExecutionOptions } from "ai";

/** A memory tool as the AI SDK takes it: it answers with a short text and never throws. */
export type MemoryTool = Tool<unknown, string> & {
  execute(input: unknown, options: ToolExecutionOptions<unknown>): Promise<string>;
};

/** The memory tools by name. */
export type MemoryTools<Name extends MemoryToolName = MemoryToolName> = { [Key in Name]: MemoryTool };

/**
 * The memory tools of one conversation, to be registered among the app's own tools. Whose memory they reach is the
 * conversation's; no input of the model can name another one.
 */
export function memoryTools<Only extends MemoryToolName = MemoryToolName, Except extends MemoryToolName = never>(
  conversation: Conversation,
  selection: MemoryToolSelection & { only?: readonly Only[]; except?: readonly Except[] } = {},
): MemoryTools<Exclude<Only, Except>> {
  const tools = neutralTools(conversation, selection).map((tool): [string, MemoryTool] => [
    tool.name,
    {
      description: tool.description,
      inputSchema: tool.input,
      execute: (input, { toolCallId, abortSignal }) =>
        tool.run(input, { callId: toolCallId, ...(abortSignal === undefined ? {} : { signal: abortSignal }) }),
    },
  ]);
  // Core gives exactly the tools that were selected.
  return Object.fromEntries(tools) as MemoryTools<Exclude<Only, Except>>;
}
