/** Something of the policy that could not be honoured, and what is done instead. */
export interface PolicyDegradation {
  /** Path of the field, for example `"conversation.maxTokens"`. */
  field: string;
  wanted: string | number | boolean | null;
  got: string | number | boolean | null;
  reason: string;
}

export type CompactionStrategy = "hybrid" | "compact_tool_results" | "summarize";

/** The policy in full: every field has a value, durations are milliseconds, `null` means forever. */
export interface ResolvedPolicy {
  conversation: { enabled: boolean; maxMessages: number; maxTokens: number; keepMessages: number };
  compaction: { strategy: CompactionStrategy; threshold: number };
  artifacts: { offloadChars: number; pageChars: number };
  summarize: { provider?: string; model?: string; baseUrl?: string; maxTokens: number };
  carryOver: { enabled: boolean; every: "first" | "turn" };
  longTerm: {
    enabled: boolean;
    maxMemories: number;
    preload: "recent" | "relevant" | "both";
    maxValueChars: number;
    maxAgentFacts: number;
    agentFactTtlMs: number | null;
  };
  search: { enabled: boolean };
  extract: {
    when: "off" | "after-reply" | "scheduled";
    intervalMs: number;
    minConfidence: number;
    instructions?: string;
  };
  budget: { summary: number; facts: number; recall: number; history: number };
  retention: {
    toolResultsMs: number | null;
    vectorsMs: number | null;
    messagesMs: number | null;
    artifactsMs: number | null;
    summariesMs: number | null;
  };
}
