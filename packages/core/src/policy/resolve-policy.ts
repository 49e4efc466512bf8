import { durationMs } from "../checks/duration.ts";
import { MemoryError } from "../errors/memory-error.ts";
import { didYouMean } from "../text/did-you-mean.ts";
import type { CompactionStrategy, PolicyDegradation, ResolvedPolicy } from "./policy.ts";
import { type MemoryPolicyInput, memoryPolicySchema, type ParsedPolicy } from "./policy-schema.ts";
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
  /** What is asked for by name, so that it is told where it can't be. */
  asksFor: { carryOver: boolean };
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

const refuse = (from: string, field: string, why: string, cause?: unknown): never => {
  throw new MemoryError("INVALID_POLICY", `The memory policy ${from}: ${field} ${why}.`, {
    details: { field },
    ...(cause === undefined ? {} : { cause }),
  });
};

type Issue = NonNullable<ReturnType<typeof memoryPolicySchema.safeParse>["error"]>["issues"][number];

/** The fault itself: of a field that may be several things, the one inside the thing that it was meant to be. */
function innermost(issue: Issue | undefined): { path: PropertyKey[]; message: string } {
  if (issue?.code !== "invalid_union") return { path: issue?.path ?? [], message: issue?.message ?? "wrong type" };
  const inner = issue.errors.flat().find(({ path }) => path.length > 0);
  if (inner === undefined) return { path: issue.path, message: "it has the wrong type" };
  const { path, message } = innermost(inner as Issue);
  return { path: [...issue.path, ...path], message };
}

function parse(input: unknown, from: string): ParsedPolicy {
  if (!isObject(input)) return refuse(from, "the policy", "must be an object");
  const result = memoryPolicySchema.safeParse(withCamelCase(input));
  if (result.success) return result.data;
  const { path, message } = innermost(result.error.issues[0]);
  return refuse(from, path.map(String).join(".") || "the policy", `is not valid: ${message}`);
}

function fromEnvironment(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new MemoryError("INVALID_POLICY", "AGENT_MEMORY_CONFIG is not valid JSON; mend it or unset it.", { cause });
  }
}

function unknownFields(policy: ParsedPolicy): PolicyDegradation[] {
  const degraded: PolicyDegradation[] = [];
  const report = (field: string, name: string, known: readonly string[]) =>
    degraded.push({
      field,
      wanted: "a known field",
      got: null,
      reason: `unknown field; it is ignored${didYouMean(name, known)}`,
    });
  for (const [key, value] of Object.entries(policy)) {
    const members = Object.hasOwn(KNOWN, key) ? KNOWN[key] : undefined;
    if (members === undefined) report(key, key, Object.keys(KNOWN));
    else if (members !== null && isObject(value)) {
      for (const member of Object.keys(value)) {
        if (!members.includes(member)) report(`${key}.${member}`, member, members);
      }
    }
  }
  return degraded;
}

/** The policy over its preset. An unknown preset is a degradation: the policy counts without it. */
function withPreset(policy: ParsedPolicy, degraded: PolicyDegradation[]): ParsedPolicy {
  const { preset } = policy;
  if (preset === undefined) return policy;
  if (!isPreset(preset)) {
    degraded.push({
      field: "preset",
      wanted: preset,
      got: null,
      reason: `unknown preset; use one of ${Object.keys(policyPresets).join(", ")}`,
    });
    return policy;
  }
  const base = policyPresets[preset];
  const merged: ParsedPolicy = { ...base, ...policy };
  for (const tier of TIERS) {
    const value = policy[tier];
    // Sizes change sizes: whether the tier is on is still the preset's to say.
    if (isObject(value)) Object.assign(merged, { [tier]: { enabled: base[tier], ...value } });
  }
  return merged;
}

/** What a policy says of one tier: on, off, or neither. */
function saidOf(value: ParsedPolicy[Tier]): boolean | undefined {
  if (value === null) return false;
  return typeof value === "boolean" ? value : value?.enabled;
}

/**
 * Which tiers are on. `enabled: true` switches on what the policy doesn't switch off, `enabled: false` switches all off.
 * Without it a policy that switches a tier on means just what it switches on; one that only sets sizes or switches
 * tiers off leaves the others on.
 */
function tiersOn(policy: ParsedPolicy): Record<Tier, boolean> {
  const others = policy.enabled ?? !TIERS.some((tier) => saidOf(policy[tier]) === true);
  const on = (tier: Tier): boolean => policy.enabled !== false && (saidOf(policy[tier]) ?? others);
  return {
    conversation: on("conversation"),
    carryOver: on("carryOver"),
    longTerm: on("longTerm"),
    search: on("search"),
  };
}

/** Milliseconds of a duration. Throws `INVALID_POLICY`. */
function milliseconds(value: number | string, from: string, field: string): number {
  try {
    return durationMs(value, field);
  } catch (cause) {
    return refuse(from, field, 'must be above 0, in milliseconds or as in "90d", up to a thousand years', cause);
  }
}

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
  const from = fromEnv ? "in AGENT_MEMORY_CONFIG" : "given in code";
  const written = raw === null ? { enabled: false } : parse(raw, from);
  const degraded = unknownFields(written);
  const given = withPreset(written, degraded);
  const retentionMs = (value: number | string | undefined, fallbackMs: number | null, field: string): number | null =>
    value === undefined ? fallbackMs : value === "forever" ? null : milliseconds(value, from, field);
  const tiers = tiersOn(given);
  const group = <Key extends "conversation" | "carryOver" | "longTerm">(key: Key) => {
    const value = given[key];
    return isObject(value) ? (value as Exclude<ParsedPolicy[Key], boolean | null | undefined>) : undefined;
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
  const wantedInterval = milliseconds(given.extract?.interval ?? "6h", from, "extract.interval");
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
      when: given.enabled === false ? "off" : (given.extract?.when ?? "off"),
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
      artifactsMs: retentionMs(
        given.retention?.artifacts ?? given.retention?.toolResults,
        30 * DAY_MS,
        "retention.artifacts",
      ),
      summariesMs: retentionMs(given.retention?.summaries, null, "retention.summaries"),
    },
  };
  const asksFor = { carryOver: given.enabled !== false && saidOf(given.carryOver) === true };
  const source = off || raw === null ? "off" : fromEnv ? "deployment" : "code";
  return { policy, degraded, source, asksFor };
}
