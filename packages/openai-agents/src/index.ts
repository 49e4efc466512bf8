export { type AgentRunnerOptions, agentRunner, type RunStates } from "./agent-runner.ts";
export { fromItems } from "./convert/from-items.ts";
export { type ToItemsOptions, toItems } from "./convert/to-items.ts";
export { type MemoryTool, memoryTools } from "./memory-tools.ts";
export type {
  AnyAgent,
  MemoryRun,
  MemoryRunOptions,
  MemorySettings,
  PlainResult,
  PlainRun,
  StreamedResult,
  StreamedRun,
} from "./run-options.ts";
export { runWithMemory } from "./run-with-memory.ts";
export { createSession, type MemorySession, type SessionOptions } from "./session.ts";
export { type Instructions, withMemoryInstructions } from "./with-memory-instructions.ts";
