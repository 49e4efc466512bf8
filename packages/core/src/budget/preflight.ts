import type { Json } from "../contract/json.ts";
import type { Message } from "../contract/message.ts";
import { MemoryError } from "../errors/memory-error.ts";
import type { TokenCounter } from "../text/tokens.ts";
import type { ModelLimits } from "./model-limits.ts";
import { messagePromptTokens } from "./prompt-tokens.ts";

/** How many of the largest messages an overflow names. */
const LARGEST = 5;

/** A prompt as it would be sent. */
export interface PreflightInput {
  messages: readonly Message[];
  /** The system part, the memory block included. */
  system?: string;
  /** The tools' definitions as they are sent: names, descriptions, schemas. */
  tools?: Json;
  limits: Pick<ModelLimits, "budget">;
  count: TokenCounter;
}

/** How large a prompt is, in estimated tokens. */
export interface PreflightEstimate {
  estimated: number;
  budget: number;
  system: number;
  tools: number;
  /** The largest messages, largest first. */
  largest: { message: string; tokens: number }[];
}

/** Estimates the size of everything that is sent. Pure. */
export function estimatePrompt(input: PreflightInput): PreflightEstimate {
  const { messages, limits, count } = input;
  const sizes = messages.map((message) => ({ message: message.id, tokens: messagePromptTokens(message, count) }));
  const system = input.system ? count(input.system) : 0;
  const tools = input.tools === undefined ? 0 : count(JSON.stringify(input.tools));
  return {
    estimated: sizes.reduce((sum, { tokens }) => sum + tokens, system + tools),
    budget: limits.budget,
    system,
    tools,
    largest: sizes.sort((a, b) => b.tokens - a.tokens).slice(0, LARGEST),
  };
}

/**
 * The ceiling before a model is called: answers the estimate, or throws `CONTEXT_OVERFLOW` where it is over the budget.
 * The details are the estimate; ids and counts only.
 */
export function preflight(input: PreflightInput): PreflightEstimate {
  const estimate = estimatePrompt(input);
  if (estimate.estimated <= estimate.budget) return estimate;
  const [largest] = estimate.largest;
  throw new MemoryError(
    "CONTEXT_OVERFLOW",
    `The prompt is estimated at ${estimate.estimated} tokens and the model takes ${estimate.budget}${
      largest ? `; the largest message, "${largest.message}", has ${largest.tokens}` : ""
    }. Shorten it, keep large results as artifacts, or set contextWindow where the model takes more.`,
    { details: { ...estimate, largest: estimate.largest.map((entry) => ({ ...entry })) } },
  );
}
