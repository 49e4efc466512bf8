export type { CheckpointerOptions, RunFork } from "./checkpointer-options.ts";
export type { UnknownValues } from "./codec/encode.ts";
export {
  createCheckpointer,
  type ImportProgress,
  importCheckpoints,
  type Retention,
  type RetentionResult,
  type ThroughlineCheckpointer,
} from "./create-checkpointer.ts";
