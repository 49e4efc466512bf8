export { type ApprovalCalls, fromModelMessages } from "./convert/from-model-messages.ts";
export { type ToModelMessagesOptions, toModelMessages } from "./convert/to-model-messages.ts";
export { type MemoryTool, type MemoryTools, memoryTools } from "./memory-tools.ts";
export type { RunHooks, RunSource, RunStep, RunToolExecution } from "./run-events.ts";
export type { MemoryCallOptions, MemoryRun, MemorySettings, RunOptions, WithMemory } from "./run-options.ts";
export { withMemory } from "./with-memory.ts";
