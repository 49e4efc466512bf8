import { type Memory, type MemoryToolName, type MemoryToolSelection, toolDefinitions } from "@throughline/core";
import { inputSchema, withoutConversation } from "./input-schema.ts";
import { type ObjectSchema, TOOL_TRAITS, type ToolTraits } from "./tool-traits.ts";

/** A tool as a client is shown it. */
export interface ListedTool extends ToolTraits {
  name: MemoryToolName;
  description: string;
  input: ObjectSchema;
}

/** The tools that were selected, for connections with a named conversation and for those without. */
export interface ToolCatalog {
  named: readonly ListedTool[];
  unnamed: readonly ListedTool[];
}

/** Makes the lists once, for every connection there will be. Reads nothing. Throws `INVALID_ARGUMENT`. */
export function toolCatalog(memory: Memory, selection?: MemoryToolSelection): ToolCatalog {
  const named = toolDefinitions(memory, selection).map(({ name, description, input }) => ({
    ...TOOL_TRAITS[name],
    name,
    description,
    input: inputSchema(input),
  }));
  const unnamed = named
    .filter(({ ofConversation }) => ofConversation !== true)
    .map((tool) => ({ ...tool, input: withoutConversation(tool.input) }));
  return { named, unnamed };
}
