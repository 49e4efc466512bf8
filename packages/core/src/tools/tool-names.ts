/** Names of the memory tools. */
export const MEMORY_TOOL_NAMES = ["memory_remember", "memory_recall", "memory_forget", "memory_search"] as const;

/** Names of the tools that reach artifacts. */
export const ARTIFACT_TOOL_NAMES = ["get_artifact", "patch_artifact"] as const;

/** The name of a tool that a model is given by the memory. */
export type MemoryToolName = (typeof MEMORY_TOOL_NAMES)[number] | (typeof ARTIFACT_TOOL_NAMES)[number];

/** True for a tool that answers with what is kept as an artifact, or about it. */
export const isArtifactTool = (tool: string): boolean => (ARTIFACT_TOOL_NAMES as readonly string[]).includes(tool);

/**
 * True for a tool whose answers come from the memory itself: they were said before and are not said again. What an
 * artifact holds a tool said, and the turn has only its preview.
 */
export const isMemoryTool = (tool: string): boolean => (MEMORY_TOOL_NAMES as readonly string[]).includes(tool);
