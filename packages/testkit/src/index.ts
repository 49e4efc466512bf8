export {
  isRuleId,
  REQUIREMENTS,
  type Requirement,
  type RuleId,
} from "./requirements.ts";
export { type DescribeStoreOptions, describeMemoryStore } from "./store/describe-memory-store.ts";
export type { SkipList } from "./store/plan-store-tests.ts";
export type { StoreHooks, StorePlace } from "./store/run-store-case.ts";
