import { describe, expect, it } from "vitest";
import * as z from "zod";
import { MemoryError } from "../errors/memory-error.ts";
import type { MemoryPolicyInput } from "./policy-schema.ts";
import { memoryPolicySchema } from "./policy-schema.ts";
import { resolvePolicy } from "./resolve-policy.ts";

const tiers = (input: Parameters<typeof resolvePolicy>[0]) => {
  const { policy } = resolvePolicy(input, undefined);
  return [policy.conversation, policy.carryOver, policy.longTerm, policy.search].map((tier) => tier.enabled);
};

const refusal = (run: () => unknown): MemoryError => {
  try {
    run();
  } catch (error) {
    if (MemoryError.isInstance(error)) return error;
    throw error;
  }
  throw new Error("expected a refusal");
};

describe("policy", () => {
  it("T1: switches each tier on by itself, in any combination", () => {
    expect(tiers({ conversation: true })).toEqual([true, false, false, false]);
    expect(tiers({ longTerm: { enabled: true, maxMemories: 5 }, search: { enabled: true } })).toEqual([
      false,
      false,
      true,
      true,
    ]);
    expect(tiers({ carryOver: true, conversation: { enabled: false } })).toEqual([false, true, false, false]);
  });

  it("T1: sizes change sizes and a switched-off tier leaves the others on", () => {
    expect(tiers({ longTerm: { maxMemories: 5 } })).toEqual([true, true, true, true]);
    expect(tiers({ maxMessages: 40, conversation: { keepMessages: 5 } })).toEqual([true, true, true, true]);
    expect(tiers({ search: false })).toEqual([true, true, true, false]);
    expect(tiers({ longTerm: null })).toEqual([true, true, false, true]);
    expect(tiers({ search: true, longTerm: { maxMemories: 5 } })).toEqual([false, false, false, true]);
  });

  it("T2: enabled switches on every tier the policy doesn't mention", () => {
    expect(tiers({ enabled: true })).toEqual([true, true, true, true]);
    expect(tiers({ enabled: true, search: false })).toEqual([true, true, true, false]);
    expect(tiers({ enabled: false, search: true })).toEqual([false, false, false, false]);
    expect(tiers({})).toEqual([true, true, true, true]);
    expect(tiers({ retention: { messages: "30d" } })).toEqual([true, true, true, true]);
  });

  it("T3: has the stated defaults", () => {
    const { policy, degraded } = resolvePolicy({ enabled: true }, undefined);
    expect(policy).toMatchObject({
      conversation: { maxMessages: 20, maxTokens: 8_000, keepMessages: 10 },
      compaction: { strategy: "hybrid", threshold: 0.7 },
      artifacts: { offloadChars: 30_000, pageChars: 20_000 },
      summarize: { maxTokens: 1_024 },
      carryOver: { every: "first" },
      longTerm: {
        maxMemories: 50,
        preload: "both",
        maxValueChars: 4_096,
        maxAgentFacts: 128,
        agentFactTtlMs: 90 * 86_400_000,
      },
      extract: { when: "off", intervalMs: 6 * 3_600_000, minConfidence: 0.6 },
      budget: { summary: 0.1, facts: 0.15, recall: 0.15, history: 0.6 },
      retention: { toolResultsMs: 30 * 86_400_000, vectorsMs: 90 * 86_400_000, messagesMs: null },
    });
    expect(degraded).toEqual([]);
  });

  it("T3: accepts flat and snake-case spellings", () => {
    const { policy, degraded } = resolvePolicy(
      { max_messages: 40, long_term: { max_memories: 7, agent_fact_ttl: "forever" } } as never,
      undefined,
    );
    expect(policy.conversation.maxMessages).toBe(40);
    expect(policy.longTerm).toMatchObject({ enabled: true, maxMemories: 7, agentFactTtlMs: null });
    expect(degraded).toEqual([]);
  });

  it("T3: keepMessages is at most half of maxMessages, and an interval at least a minute", () => {
    const { policy, degraded } = resolvePolicy(
      { conversation: { maxMessages: 8, keepMessages: 7 }, extract: { interval: "5s" } },
      undefined,
    );
    expect(policy.conversation.keepMessages).toBe(4);
    expect(policy.extract.intervalMs).toBe(60_000);
    expect(Object.fromEntries(degraded.map(({ field, got }) => [field, got]))).toEqual({
      "extract.interval": 60_000,
      "conversation.keepMessages": 4,
    });
    expect(resolvePolicy({ conversation: { maxMessages: 6 } }, undefined).degraded).toEqual([]);
  });

  it("T3: exports the schema with its JSON Schema", () => {
    expect(z.toJSONSchema(memoryPolicySchema, { io: "input" })).toMatchObject({
      type: "object",
      properties: { enabled: { type: "boolean" }, longTerm: {}, retention: {} },
    });
  });

  it("T4: code wins over the environment, and null in code stays off", () => {
    const environment = '{"conversation": {"maxMessages": 12}}';
    expect(resolvePolicy(undefined, environment)).toMatchObject({
      source: "deployment",
      policy: { conversation: { maxMessages: 12 } },
    });
    expect(resolvePolicy({ enabled: true }, environment)).toMatchObject({
      source: "code",
      policy: { conversation: { maxMessages: 20 } },
    });
    const off = resolvePolicy(null, environment);
    expect(off.source).toBe("off");
    expect(off.policy.conversation.enabled || off.policy.longTerm.enabled || off.policy.search.enabled).toBe(false);
  });

  it("T5: an unknown field is a degradation, not an error", () => {
    const { degraded } = resolvePolicy({ enabled: true, colour: "red", search: { rerank: true } } as never, undefined);
    expect(degraded.map((entry) => entry.field).sort()).toEqual(["colour", "search.rerank"]);
    const misspelt = resolvePolicy({ conversation: { maxMesages: 6 }, longterm: true } as never, undefined).degraded;
    expect(misspelt.map(({ reason }) => reason).join()).toMatch(/"maxMessages".*"longTerm"|"longTerm".*"maxMessages"/);
  });

  it("T3: extraction is off unless the policy says when, and whatever it says where memory is off", () => {
    const whenOf = (policy: MemoryPolicyInput | null) => resolvePolicy(policy, undefined).policy.extract.when;
    expect([whenOf({}), whenOf({ enabled: true }), whenOf(null)]).toEqual(["off", "off", "off"]);
    expect(whenOf({ extract: { when: "after-reply" } })).toBe("after-reply");
    expect(whenOf({ enabled: false, extract: { when: "scheduled" } })).toBe("off");
  });

  it.each([
    ["a text for a number", { maxMessages: "20" }, "maxMessages"],
    ["a number for a tier", { search: 1 }, "search"],
    ["a wrong type inside a tier", { longTerm: { maxMemories: -1 } }, "longTerm.maxMemories"],
    ["an unknown choice", { carryOver: { every: "day" } }, "carryOver.every"],
    ["a duration of nothing", { retention: { messages: "0d" } }, "retention.messages"],
    ["a duration beyond what a time can be", { longTerm: { agentFactTtl: "9999999w" } }, "longTerm.agentFactTtl"],
    ["a duration nobody can read", { retention: { toolResults: "soon" } }, "retention.toolResults"],
    ["a share above 1", { budget: { facts: 2 } }, "budget.facts"],
  ])("T5: refuses %s and names the field", (_, policy, field) => {
    const error = refusal(() => resolvePolicy(policy as never, undefined));
    expect(error.code).toBe("INVALID_POLICY");
    expect(error.details.field).toContain(field);
  });

  it("T5: refuses malformed JSON and what is no object", () => {
    expect(refusal(() => resolvePolicy(undefined, "{enabled:")).code).toBe("INVALID_POLICY");
    expect(refusal(() => resolvePolicy(undefined, "[1]")).code).toBe("INVALID_POLICY");
    expect(refusal(() => resolvePolicy("on" as never, undefined)).code).toBe("INVALID_POLICY");
  });

  it("T9: presets set the usual combinations, and what else is said wins over them", () => {
    expect(tiers({ preset: "oneShot" })).toEqual([true, false, false, false]);
    expect(tiers({ preset: "chat" })).toEqual([true, false, false, true]);
    expect(tiers({ preset: "recurring", search: false })).toEqual([true, false, true, false]);
    expect(tiers({ preset: "personal" })).toEqual([true, true, true, true]);
    expect(tiers({ preset: "recurring", longTerm: { maxMemories: 5 } })).toEqual([true, false, true, true]);
    expect(tiers({ preset: "chat", longTerm: { maxMemories: 5 } })).toEqual([true, false, false, true]);
    const unknown = resolvePolicy({ preset: "toString" }, undefined);
    expect(unknown.degraded).toMatchObject([{ field: "preset", wanted: "toString" }]);
    expect(unknown.policy.conversation.enabled).toBe(true);
  });

  it("T8: an unknown compaction strategy falls back to hybrid and is reported", () => {
    const { policy, degraded } = resolvePolicy({ compaction: { strategy: "magic" } }, undefined);
    expect(policy.compaction.strategy).toBe("hybrid");
    expect(degraded).toEqual([
      { field: "compaction.strategy", wanted: "magic", got: "hybrid", reason: "unknown strategy" },
    ]);
  });
});
