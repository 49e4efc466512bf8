import { DynamicStructuredTool } from "@langchain/core/tools";
import {
  createReport,
  type MemoryToolName,
  type MemoryToolSelection,
  type MemoryTool as NeutralTool,
  memoryTools as neutralTools,
} from "@throughline/core";
import { findRun, type RunConfig, wholeConfig } from "./find-run.ts";
import type { MemorySource } from "./identify.ts";
import type { MemorySettings } from "./memory-settings.ts";

/** Which tools, and how they find their conversation. */
export type MemoryToolOptions = MemoryToolSelection & Pick<MemorySettings, "identify" | "onError">;

/** A memory tool as LangChain takes it: it answers with a short text and never throws. */
export type MemoryTool = DynamicStructuredTool & { name: MemoryToolName };

/**
 * The memory tools, for `ToolNode` or `createAgent`. Whose memory a call reaches the run's config says, or the
 * conversation that was given; no input of the model can name another one.
 */
export function memoryTools(source: MemorySource, options: MemoryToolOptions = {}): MemoryTool[] {
  const { identify, onError, ...selection } = options;
  const settings = { ...(identify && { identify }), ...(onError && { onError }) };
  const report = createReport(onError);
  // The definitions are the same for every conversation; making one reads nothing.
  const definitions = "begin" in source ? source : source.conversation({ id: "definitions" });

  const call = async ({ name }: NeutralTool, input: unknown, given: RunConfig & ToolCallConfig): Promise<string> => {
    try {
      const conversation = await findRun(source, wholeConfig(given), settings).conversationOfTurn();
      const [tool] = neutralTools(conversation, { only: [name] }) as [NeutralTool];
      const callId = given.toolCall?.id ?? given.toolCallId;
      return await tool.run(input, {
        ...(callId === undefined ? {} : { callId }),
        ...(given.signal === undefined ? {} : { signal: given.signal }),
      });
    } catch (error) {
      report(error);
      return "The memory is not available in this run; go on without it.";
    }
  };

  return neutralTools(definitions, selection).map((tool) => {
    const { name, description, input: schema } = tool;
    const func = (input: unknown, _manager: unknown, config: RunConfig & ToolCallConfig = {}) =>
      call(tool, input, config);
    // The name is one of the memory's, as core says.
    return new DynamicStructuredTool({ name, description, schema, func }) as unknown as MemoryTool;
  });
}

/** What a tool is told of its call: by `createAgent`, by LangGraph's own `ToolNode`. */
interface ToolCallConfig {
  toolCallId?: string;
  toolCall?: { id?: string };
}
