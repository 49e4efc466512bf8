import { DynamicStructuredTool } from "@langchain/core/tools";
import {
  callMemoryTool,
  createReport,
  type MemorySource,
  type MemoryToolName,
  type MemoryToolSelection,
  type MemoryTool as NeutralTool,
  toolDefinitions,
} from "@throughline/core";
import { findRun, type RunConfig, wholeConfig } from "./find-run.ts";
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

  const call = (tool: NeutralTool, input: unknown, given: RunConfig & ToolCallConfig): Promise<string> => {
    const callId = given.toolCall?.id ?? given.toolCallId;
    return callMemoryTool(tool, input, {
      find: () => findRun(source, wholeConfig(given), settings).conversationOfTurn(),
      report,
      ...(callId === undefined ? {} : { callId }),
      ...(given.signal === undefined ? {} : { signal: given.signal }),
    });
  };

  return toolDefinitions(source, selection).map((tool) => {
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
