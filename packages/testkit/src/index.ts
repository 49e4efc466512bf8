export { type Fault, type FaultyStore, faultyStore } from "./doubles/faulty-store.ts";
export { messageLine } from "./doubles/message-line.ts";
export { scriptedClock } from "./doubles/scripted-clock.ts";
export { sequentialIds } from "./doubles/sequential-ids.ts";
export { withoutAbility } from "./doubles/without-ability.ts";
export { GOVERNANCE_CHECKS, type GovernanceFinding, type GovernanceScore, govern } from "./governance/govern.ts";
export { governThroughline } from "./governance/govern-throughline.ts";
export type { GovernanceCheck } from "./governance/governance-check.ts";
export type { GovernedMemory, GovernedTurn, MakeGovernedMemory, Proposal } from "./governance/governed-memory.ts";
export { type DescribeHostStoreOptions, describeHostStore } from "./host-store/describe-host-store.ts";
export type { HostItem, HostOperation, HostSearch, HostStore, HostValue } from "./host-store/host-store.ts";
export { type DescribeIsolationOptions, describeIsolation } from "./isolation/describe-isolation.ts";
export type { Identity, IsolationDriver, IsolationRead, IsolationRun, Planted } from "./isolation/isolation-driver.ts";
export { type ObedientModel, type OrderedCall, obedientModel } from "./isolation/obedient-model.ts";
export { type DescribeMemoryOptions, describeMemory } from "./memory/describe-memory.ts";
export { compareRecords, type StoryDifference } from "./parity/compare-records.ts";
export { coreHost } from "./parity/core-host.ts";
export { type DescribeParityOptions, describeParity } from "./parity/describe-parity.ts";
export { HOST_FIELDS, type HostField, hostFieldOf } from "./parity/host-fields.ts";
export type { StoryRecords } from "./parity/read-records.ts";
export type { StoryAgent, StoryHost, StoryInput, StoryTool, StoryWorld } from "./parity/story-host.ts";
export { type StoryTold, type TellStoryOptions, tellStory } from "./parity/tell-story.ts";
export {
  type LocomoSample,
  type LocomoSession,
  type LocomoTurn,
  locomoRecording,
  locomoTurns,
  type Observation,
  readLocomo,
} from "./replay/locomo.ts";
export {
  type RecordedExtraction,
  type RecordedSummary,
  type Recording,
  type ReplayModel,
  replayModel,
} from "./replay/replay-model.ts";
export {
  isRuleId,
  REQUIREMENTS,
  type Requirement,
  type RuleId,
} from "./requirements.ts";
export { type DescribeSessionOptions, describeSession } from "./session/describe-session.ts";
export type { SessionBench, SessionItem, SessionLike } from "./session/session-case.ts";
export { type DescribeStoreOptions, describeMemoryStore } from "./store/describe-memory-store.ts";
export type { SkipList } from "./store/plan-store-tests.ts";
export type { StoreHooks, StorePlace } from "./store/run-store-case.ts";
export { type ResultTable, resultTable } from "./tables/result-table.ts";
export { type ModelServer, modelServer, type WireRequest } from "./wire/model-server.ts";
export type { WireAnswer } from "./wire/wire-answer.ts";
