import type { Summarizer } from "../contract/models.ts";
import { MemoryError } from "../errors/memory-error.ts";
import type { PolicyDegradation, ResolvedPolicy } from "../policy/policy.ts";
import { anthropicSummarizer } from "./anthropic-summarizer.ts";
import type { Environment } from "./environment.ts";
import { extractiveSummarizer } from "./extractive-summarizer.ts";
import type { ModelOptions } from "./model-options.ts";
import { openaiSummarizer } from "./openai-summarizer.ts";

/** The summarizer that a policy asks for, or why there is none. Both are `null` where it asks for none. */
export type PolicySummarizer =
  | { summarizer: Summarizer; degraded: null }
  | { summarizer: null; degraded: PolicyDegradation | null };

const PROVIDERS = "openai, anthropic, extractive";

/**
 * Makes the summarizer of `policy.summarize`. A provider alone suffices: key, address and model come from the
 * environment. Never throws: an unknown provider, a missing key and an unusable address are degradations.
 */
export function summarizerFromPolicy(
  summarize: ResolvedPolicy["summarize"],
  env: Environment,
  options: Pick<ModelOptions, "fetch" | "sleep" | "random" | "clock" | "timeoutMs" | "maxRetries"> = {},
): PolicySummarizer {
  const { model, baseUrl } = summarize;
  const provider = summarize.provider?.trim();
  const degrade = (field: string, wanted: string | null, reason: string): PolicySummarizer => ({
    summarizer: null,
    degraded: { field: `summarize.${field}`, wanted, got: null, reason },
  });
  const given = { ...options, env, ...(model ? { model } : {}), ...(baseUrl ? { baseUrl } : {}) };
  try {
    switch (provider?.toLowerCase()) {
      case undefined:
        if (!model && !baseUrl) return { summarizer: null, degraded: null };
        return degrade("provider", null, `no provider is named; name one of ${PROVIDERS}`);
      case "openai":
        return { summarizer: openaiSummarizer(given), degraded: null };
      case "anthropic":
        return { summarizer: anthropicSummarizer(given), degraded: null };
      case "extractive":
        return { summarizer: extractiveSummarizer(), degraded: null };
      default:
        return degrade("provider", provider ?? null, `unknown provider; known are ${PROVIDERS}`);
    }
  } catch (error) {
    if (!MemoryError.isInstance(error)) throw error;
    const { option, variable } = error.details;
    if (option === "baseUrl") return degrade("baseUrl", baseUrl ?? null, "not an http or https URL");
    const reason =
      typeof variable === "string" ? `${variable} is not set` : "its key has characters that can't be sent";
    return degrade("provider", provider ?? null, reason);
  }
}
