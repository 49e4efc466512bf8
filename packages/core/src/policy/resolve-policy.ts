import { durationMs } from "../checks/duration.ts";
import { MemoryError } from "../errors/memory-error.ts";
import type { CompactionStrategy, PolicyDegradation, ResolvedPolicy } from "./policy.ts";
import { type MemoryPolicyInput, memoryPolicySchema } from "./policy-schema.ts";
import { isPreset, policyPresets } from "./presets.ts";

/** Smallest `conversation.maxTokens` that makes sense. */
const MIN_TOKENS = 8_000;
const MIN_INTERVAL_MS = 60_000;
const STRATEGIES: readonly CompactionStrategy[] = ["hybrid", "compact_tool_results", "summarize"];
const TIERS = ["conversation", "carryOver", "longTerm", "search"] as const;
type Tier = (typeof TIERS)[number];

/** Fields by group; the flat names stand for fields of `conversation`. */
const KNOWN: Record<string, readonly string[] | null> = {
  preset: null,
  enabled: null,
  maxMessages: null,
  maxTokens: null,
  keepMessages: null,
  conversation: ["enabled", "maxMessages", "maxTokens", "keepMessages"],
  compaction: ["strategy", "threshold"],
  artifacts: ["offloadChars", "pageChars"],
  summarize: ["provider", "model", "baseUrl", "maxTokens"],
  carryOver: ["enabled", "every"],
  longTerm: ["enabled", "maxMemories", "preload", "maxValueChars", "maxAgentFacts", "agentFactTtl"],
  search: ["enabled"],
  extract: ["when", "interval", "minConfidence", "instructions"],
  budget: ["summary", "facts", "recall", "history"],
  retention: ["toolResults", "vectors", "messages", "artifacts", "summaries"],
};

/** A policy in full, what it could not honour, and where it came from. */
export interface PolicyResolution {
  policy: ResolvedPolicy;
  degraded: PolicyDegradation[];
  source: "code" | "deployment" | "off";
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const camelCase = (key: string): string => key.replace(/_+([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());

/** Field names in camel case, two levels deep: no field of a policy lies deeper. */
const withCamelCase = (value: Record<string, unknown>, depth = 0): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(value).map(([key, member]) => [
      camelCase(key),
      depth < 1 && isObject(member) ? withCamelCase(member, depth + 1) : member,
    ]),
  );

function parse(input: unknown, from: string): MemoryPolicyInput {
  const refuse = (field: string, why: string): never => {
    throw new MemoryError("INVALID_POLICY", `The memory policy ${from}: ${field} ${why}.`, { details: { field } });
  };
  if (!isObject(input)) return refuse("the policy", "must be an object");
  const result = memoryPolicySchema.safeParse(withCamelCase(input));
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  const field = issue?.path.map(String).join(".") || "the policy";
  return refuse(field, `is not valid: ${issue?.message ?? "wrong type"}`);
}

function fromEnvironment(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new MemoryError("INVALID_POLICY", "AGENT_MEMORY_CONFIG is not valid JSON; mend it or unset it.", { cause });
  }
}

function unknownFields(policy: MemoryPolicyInput): PolicyDegradation[] {
  const degraded: PolicyDegradation[] = [];
  const report = (field: string) =>
    degraded.push({ field, wanted: "a known field", got: null, reason: "unknown field; it is ignored" });
  for (const [key, value] of Object.entries(policy)) {
    const members = KNOWN[key];
    if (members === undefined) report(key);
    else if (members !== null && isObject(value)) {
      for (const member of Object.keys(value)) if (!members.includes(member)) report(`${key}.${member}`);
    }
  }
  return degraded;
}

/** The policy over its preset. An unknown preset is a degradation: the policy counts without it. */
function withPreset(policy: MemoryPolicyInput, degraded: PolicyDegradation[]): MemoryPolicyInput {
  const { preset } = policy;
  if (preset === undefined) return policy;
  if (isPreset(preset)) return { ...policyPresets[preset], ...policy };
  degraded.push({
    field: "preset",
    wanted: preset,
    got: null,
    reason: `unknown preset; use one of ${Object.keys(policyPresets).join(", ")}`,
  });
  return policy;
}

/**
 * Which tiers are on. `enabled: true` switches on what the policy doesn't mention, `enabled: false` switches all off.
 * Without it a policy that mentions tiers means just these, and one that mentions none means all.
 */
function tiersOn(policy: MemoryPolicyInput): Record<Tier, boolean> {
  const flat = policy.maxMessages ?? policy.maxTokens ?? policy.keepMessages;
  const mentioned = (tier: Tier) => policy[tier] !== undefined || (tier === "conversation" && flat !== undefined);
  const others = policy.enabled ?? !TIERS.some(mentioned);
  const on = (tier: Tier): boolean => {
    if (policy.enabled === false) return false;
    const value = policy[tier];
    if (!mentioned(tier)) return others;
    return typeof value === "boolean" ? value : (value?.enabled ?? true);
  };
  return {
    conversation: on("conversation"),
    carryOver: on("carryOver"),
    longTerm: on("longTerm"),
    search: on("search"),
  };
}

const retentionMs = (value: number | string | undefined, fallbackMs: number | null, what: string): number | null =>
  value === undefined ? fallbackMs : value === "forever" ? null : durationMs(value, what);

const DAY_MS = 86_400_000;

/**
 * A policy with a value for every field. What can't be honoured is clamped or left out and listed in `degraded`.
 * Throws `INVALID_POLICY` for malformed JSON and wrong types only.
 */
export function resolvePolicy(
  input: MemoryPolicyInput | null | undefined,
  environment: string | undefined,
): PolicyResolution {
  const off = input === null;
  const fromEnv = input === undefined && environment !== undefined && environment.trim() !== "";
  const raw = off ? { enabled: false } : fromEnv ? fromEnvironment(environment) : (input ?? {});
  const written = raw === null ? { enabled: false } : parse(raw, fromEnv ? "in AGENT_MEMORY_CONFIG" : "given in code");
  const degraded = unknownFields(written);
  const given = withPreset(written, degraded);
  const tiers = tiersOn(given);
  const group = <Key extends "conversation" | "carryOver" | "longTerm">(key: Key) => {
    const value = given[key];
    return isObject(value) ? (value as Exclude<MemoryPolicyInput[Key], boolean | undefined>) : undefined;
  };
  const clamp = (field: string, wanted: number, got: number, reason: string): number => {
    if (wanted !== got) degraded.push({ field, wanted, got, reason });
    return got;
  };

  const conversation = group("conversation");
  const maxMessages = conversation?.maxMessages ?? given.maxMessages ?? 20;
  const wantedTokens = conversation?.maxTokens ?? given.maxTokens ?? MIN_TOKENS;
  const keepLimit = Math.max(1, Math.floor(maxMessages / 2));
  const wantedKeep = conversation?.keepMessages ?? given.keepMessages ?? Math.min(10, keepLimit);
  const longTerm = group("longTerm");
  const strategy = given.compaction?.strategy ?? "hybrid";
  const knownStrategy = STRATEGIES.find((known) => known === strategy);
  if (knownStrategy === undefined) {
    degraded.push({ field: "compaction.strategy", wanted: strategy, got: "hybrid", reason: "unknown strategy" });
  }
  const wantedInterval = durationMs(given.extract?.interval ?? "6h", "extract.interval");
  const policy: ResolvedPolicy = {
    conversation: {
      enabled: tiers.conversation,
      maxMessages,
      maxTokens: clamp(
        "conversation.maxTokens",
        wantedTokens,
        Math.max(MIN_TOKENS, wantedTokens),
        `at least ${MIN_TOKENS}`,
      ),
      keepMessages: clamp(
        "conversation.keepMessages",
        wantedKeep,
        Math.min(wantedKeep, keepLimit),
        "at most half of maxMessages",
      ),
    },
    compaction: { strategy: knownStrategy ?? "hybrid", threshold: given.compaction?.threshold ?? 0.7 },
    artifacts: {
      offloadChars: given.artifacts?.offloadChars ?? 30_000,
      pageChars: given.artifacts?.pageChars ?? 20_000,
    },
    summarize: { ...given.summarize, maxTokens: given.summarize?.maxTokens ?? 1_024 },
    carryOver: { enabled: tiers.carryOver, every: group("carryOver")?.every ?? "first" },
    longTerm: {
      enabled: tiers.longTerm,
      maxMemories: longTerm?.maxMemories ?? 50,
      preload: longTerm?.preload ?? "both",
      maxValueChars: longTerm?.maxValueChars ?? 4_096,
      maxAgentFacts: longTerm?.maxAgentFacts ?? 128,
      agentFactTtlMs: retentionMs(longTerm?.agentFactTtl, 90 * DAY_MS, "longTerm.agentFactTtl"),
    },
    search: { enabled: tiers.search },
    extract: {
      when: given.extract?.when ?? "off",
      intervalMs: clamp(
        "extract.interval",
        wantedInterval,
        Math.max(MIN_INTERVAL_MS, wantedInterval),
        "at least a minute",
      ),
      minConfidence: given.extract?.minConfidence ?? 0.6,
      ...(given.extract?.instructions === undefined ? {} : { instructions: given.extract.instructions }),
    },
    budget: {
      summary: given.budget?.summary ?? 0.1,
      facts: given.budget?.facts ?? 0.15,
      recall: given.budget?.recall ?? 0.15,
      history: given.budget?.history ?? 0.6,
    },
    retention: {
      toolResultsMs: retentionMs(given.retention?.toolResults, 30 * DAY_MS, "retention.toolResults"),
      vectorsMs: retentionMs(given.retention?.vectors, 90 * DAY_MS, "retention.vectors"),
      messagesMs: retentionMs(given.retention?.messages, null, "retention.messages"),
      artifactsMs: retentionMs(given.retention?.artifacts, null, "retention.artifacts"),
      summariesMs: retentionMs(given.retention?.summaries, null, "retention.summaries"),
    },
  };
  const source = off || raw === null ? "off" : fromEnv ? "deployment" : "code";
  return { policy, degraded, source };
}
