import type { Conversation } from "../contract/conversation.ts";
import type { MemoryTool, MemoryToolCall } from "../tools/define-tool.ts";
import { type MemoryToolSelection, memoryTools } from "../tools/memory-tools.ts";
import type { MemorySource } from "./conversation-of.ts";
import type { Report } from "./create-report.ts";

/**
 * For adapters: the memory's tools for their names and schemas, which are the same for every conversation. Reads and writes
 * nothing.
 */
export const toolDefinitions = (source: MemorySource, selection?: MemoryToolSelection): MemoryTool[] =>
  memoryTools("begin" in source ? source : source.conversation({ id: "definitions" }), selection);

/**
 * For adapters: runs one of the memory's tools on the conversation that is found. Never throws: a failure goes to
 * `report`, and the model is told to go on.
 */
export async function callMemoryTool(
  { name }: MemoryTool,
  input: unknown,
  options: MemoryToolCall & { find: () => Conversation | Promise<Conversation>; report: Report },
): Promise<string> {
  const { find, report, ...call } = options;
  try {
    // Core makes exactly the tool that is named.
    const [tool] = memoryTools(await find(), { only: [name] }) as [MemoryTool];
    return await tool.run(input, call);
  } catch (error) {
    report(error);
    return "The memory is not available in this run; go on without it.";
  }
}
