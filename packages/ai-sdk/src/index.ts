export { agentRunner } from "./agent-runner.ts";
export { type ApprovalCalls, fromModelMessages } from "./convert/from-model-messages.ts";
export { type ToModelMessagesOptions, toModelMessages } from "./convert/to-model-messages.ts";
export { type ToUIMessagesOptions, toUIMessages } from "./convert/to-ui-messages.ts";
export { type AgentConversation, type MemoryAgent, type MemoryAgentSettings, memoryAgent } from "./memory-agent.ts";
export { type MemoryMiddlewareOptions, memoryMiddleware } from "./memory-middleware.ts";
export {
  type MemoryTool,
  type MemoryToolContext,
  type MemoryTools,
  memoryTools,
  memoryToolsContext,
} from "./memory-tools.ts";
export {
  distillerFrom,
  type EmbedderOptions,
  embedderFrom,
  type ModelPartOptions,
  summarizerFrom,
} from "./model-parts.ts";
export type { RunHooks, RunSource, RunStep, RunToolExecution } from "./run-events.ts";
export type { MemoryCallOptions, MemoryRun, MemorySettings, RunOptions, WithMemory } from "./run-options.ts";
export type { UIAnswerOptions } from "./ui-answer.ts";
export { withMemory } from "./with-memory.ts";
