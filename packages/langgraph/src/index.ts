export { type AgentRunnerOptions, agentRunner, type RunnableGraph } from "./agent-runner.ts";
export type {
  ImportProgress,
  Retention,
  RetentionResult,
  ThroughlineCheckpointer,
  UnknownValues,
} from "./checkpointer/index.ts";
export { type CheckpointerOptions, createCheckpointer, importCheckpoints, type RunFork } from "./checkpointer/index.ts";
export { fromLangChainMessages, type ToolNames } from "./convert/from-langchain-messages.ts";
export type { RunPrompt } from "./convert/run-prompt.ts";
export { fromStoreLabel, storeLabel } from "./convert/store-namespace.ts";
export { type ToLangChainMessagesOptions, toLangChainMessages } from "./convert/to-langchain-messages.ts";
export { createStore, type MemoryBaseStore, type StoreOptions, type StorePutOptions } from "./create-store.ts";
export type { Identify, MemorySource, RunIdentity } from "./identify.ts";
export { type MemoryMiddlewareOptions, memoryMiddleware } from "./memory-middleware.ts";
export { type MessagesState, recallNode, recordNode } from "./memory-nodes.ts";
export type { MemorySettings } from "./memory-settings.ts";
export { type MemoryTool, type MemoryToolOptions, memoryTools } from "./memory-tools.ts";
export { type RunSettings, withMemory } from "./with-memory.ts";
