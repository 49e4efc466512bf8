/** Names of the memory tools. */
export const MEMORY_TOOL_NAMES = ["memory_remember", "memory_recall", "memory_forget", "memory_search"] as const;

export type MemoryToolName = (typeof MEMORY_TOOL_NAMES)[number];

/** True for a tool whose answers come from the memory itself: they were said before and are not said again. */
export const isMemoryTool = (tool: string): boolean => (MEMORY_TOOL_NAMES as readonly string[]).includes(tool);
