import * as z from "zod";

const tokens = z.int().positive();
const positive = z.int().positive();
const duration = z.union([z.number().positive(), z.string().regex(/^\d+(\.\d+)?\s*(ms|s|m|h|d|w)$/)]);
const retention = z.union([duration, z.literal("forever")]);
const share = z.number().min(0).max(1);

/** A tier as an object, or a bare `true`/`false`; `null` is off. */
const tier = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.union([z.boolean(), z.null(), z.object(shape).partial().loose()]);

/**
 * The policy as an app or a deployment writes it: which tiers are on, and how large they are. Every field is
 * optional. Fields it doesn't know are reported as degraded and otherwise ignored.
 */
export const memoryPolicySchema = z
  .object({
    preset: z.string().describe("oneShot, chat, recurring or personal; what else the policy says wins over it."),
    enabled: z.boolean().describe("Switches on (or off) every tier the policy doesn't mention."),
    conversation: tier({
      enabled: z.boolean(),
      maxMessages: positive.describe("User and assistant messages in history."),
      maxTokens: tokens.describe("Tokens in history; at least 8000."),
      keepMessages: positive.describe("Messages left after a fold; at most half of maxMessages."),
    }),
    maxMessages: positive.describe("Short for conversation.maxMessages."),
    maxTokens: tokens.describe("Short for conversation.maxTokens."),
    keepMessages: positive.describe("Short for conversation.keepMessages."),
    compaction: z
      .object({
        strategy: z.string().describe("hybrid, compact_tool_results or summarize."),
        threshold: share.describe("Share of the context budget at which the strategy runs."),
      })
      .partial()
      .loose(),
    artifacts: z
      .object({
        offloadChars: positive.describe("Tool results above this are kept outside the prompt."),
        pageChars: positive.describe("Characters of one page of an artifact."),
      })
      .partial()
      .loose(),
    summarize: z
      .object({
        provider: z.string(),
        model: z.string(),
        baseUrl: z.string(),
        maxTokens: tokens.describe("Upper bound of a summary."),
      })
      .partial()
      .loose(),
    carryOver: tier({ enabled: z.boolean(), every: z.enum(["first", "turn"]) }),
    longTerm: tier({
      enabled: z.boolean(),
      maxMemories: positive.describe("Facts preloaded for a turn."),
      preload: z.enum(["recent", "relevant", "both"]),
      maxValueChars: positive.describe("Characters of an agent's fact."),
      maxAgentFacts: positive.describe("Facts the agent may keep per owner."),
      agentFactTtl: retention.describe("Expiry of an agent's fact."),
    }),
    search: tier({ enabled: z.boolean() }),
    extract: z
      .object({
        when: z.enum(["off", "after-reply", "scheduled"]),
        interval: duration.describe("At least one minute."),
        minConfidence: share,
        instructions: z.string(),
      })
      .partial()
      .loose(),
    budget: z
      .object({ summary: share, facts: share, recall: share, history: share })
      .partial()
      .loose()
      .describe("Shares of the prompt that each kind of memory may fill."),
    retention: z
      .object({
        toolResults: retention,
        vectors: retention,
        messages: retention,
        artifacts: retention,
        summaries: retention,
      })
      .partial()
      .loose(),
  })
  .partial()
  .loose();

/** A policy as parsed: fields that nobody knows are still there, to be reported. */
export type ParsedPolicy = z.output<typeof memoryPolicySchema>;

/** A type without what an index signature lets in: only the fields that are known. */
type Known<Type> = Type extends object
  ? { [Key in keyof Type as string extends Key ? never : Key]: Known<Type[Key]> }
  : Type;

/**
 * A policy as an app writes it: see {@link memoryPolicySchema}. A misspelt field doesn't compile. In a deployment's JSON,
 * snake-case spellings of every field are accepted too, and unknown fields are reported and ignored.
 */
export type MemoryPolicyInput = Known<z.input<typeof memoryPolicySchema>>;
