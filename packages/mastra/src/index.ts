export { fromRows } from "./convert/from-rows.ts";
export type { Row } from "./convert/rows.ts";
export { type ToRowsOptions, toRows } from "./convert/to-rows.ts";
export type { Identify, MemorySource, RunIdentity } from "./identify.ts";
export type { MemorySettings } from "./memory-settings.ts";
export { type MemoryTool, type MemoryToolOptions, memoryTools } from "./memory-tools.ts";
export { ThroughlineMemory } from "./throughline-memory.ts";
export { type AnyAgentConfig, withMemory } from "./with-memory.ts";
