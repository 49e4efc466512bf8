/** Something of the policy that could not be honoured, and what is done instead. */
export interface PolicyDegradation {
  /** Path of the field, for example `"conversation.maxTokens"`. */
  field: string;
  /** What the policy says; `null` where it says nothing. */
  wanted: string | number | boolean | null;
  /** What holds instead. */
  got: string | number | boolean | null;
  reason: string;
}

/** How a prompt that has grown in the middle of a turn is made smaller. */
export type CompactionStrategy = "hybrid" | "compact_tool_results" | "summarize";

/** The policy in full: every field has a value, durations are milliseconds, `null` means forever. */
export interface ResolvedPolicy {
  /** History: its bounds, and the messages that a fold leaves of it. */
  conversation: { enabled: boolean; maxMessages: number; maxTokens: number; keepMessages: number };
  /** `threshold` is the share of the context window at which a prompt is compacted, 0 to 1. */
  compaction: { strategy: CompactionStrategy; threshold: number };
  /** From how many characters on a tool result is kept outside the prompt, and how long its pages are. */
  artifacts: { offloadChars: number; pageChars: number };
  /** The model of summaries; `maxTokens` is how long one may be. */
  summarize: { provider?: string; model?: string; baseUrl?: string; maxTokens: number };
  /** Which exchanges of a conversation the login's later ones are told of. */
  carryOver: { enabled: boolean; every: "first" | "turn" };
  /** Facts: how many a prompt shows, which first, how long a value may be, how many the agent may write and how long they live. */
  longTerm: {
    enabled: boolean;
    maxMemories: number;
    preload: "recent" | "relevant" | "both";
    maxValueChars: number;
    maxAgentFacts: number;
    agentFactTtlMs: number | null;
  };
  /** Search by meaning. */
  search: { enabled: boolean };
  /** When facts are drawn from what was said, how often, and from which confidence (0 to 1) on. */
  extract: {
    when: "off" | "after-reply" | "scheduled";
    intervalMs: number;
    minConfidence: number;
    instructions?: string;
  };
  /** Shares of a prompt, 0 to 1; unused ones are passed on. */
  budget: { summary: number; facts: number; recall: number; history: number };
  /** How long each kind is kept. */
  retention: {
    toolResultsMs: number | null;
    vectorsMs: number | null;
    messagesMs: number | null;
    artifactsMs: number | null;
    summariesMs: number | null;
  };
}
