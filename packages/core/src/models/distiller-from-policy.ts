import type { Distiller } from "../contract/models.ts";
import { MemoryError } from "../errors/memory-error.ts";
import { patternDistiller } from "../extract/patterns/pattern-distiller.ts";
import type { PolicyDegradation, ResolvedPolicy } from "../policy/policy.ts";
import { anthropicDistiller } from "./anthropic-distiller.ts";
import type { Environment } from "./environment.ts";
import type { ModelOptions } from "./model-options.ts";
import { openaiDistiller } from "./openai-distiller.ts";

/** When facts are drawn, by what, and why not as the policy asks. */
export interface PolicyExtraction {
  when: ResolvedPolicy["extract"]["when"];
  distiller: Distiller | undefined;
  degraded: PolicyDegradation | null;
}

/**
 * The distiller that a policy's extraction runs with: the app's, else one over the model of `summarize`. Never throws:
 * where there is none, or nothing that it could read or write, extraction is off and a degradation.
 */
export function distillerFromPolicy(
  policy: ResolvedPolicy,
  given: Distiller | undefined,
  env: Environment,
  options: Pick<ModelOptions, "fetch"> = {},
): PolicyExtraction {
  const { when } = policy.extract;
  const degrade = (reason: string): PolicyExtraction => ({
    when: "off",
    distiller: undefined,
    degraded: { field: "extract.when", wanted: when, got: "off", reason },
  });
  if (when === "off") return { when, distiller: given, degraded: null };
  if (!policy.conversation.enabled)
    return degrade("the conversation tier is off, so there is nothing to draw facts from");
  if (!policy.longTerm.enabled) return degrade("facts are off, so there is nowhere to keep them");
  if (given !== undefined) return { when, distiller: given, degraded: null };
  const { model, baseUrl } = policy.summarize;
  const settings = { ...options, env, ...(model ? { model } : {}), ...(baseUrl ? { baseUrl } : {}) };
  try {
    switch (policy.summarize.provider?.trim().toLowerCase()) {
      case "openai":
        return { when, distiller: openaiDistiller(settings), degraded: null };
      case "anthropic":
        return { when, distiller: anthropicDistiller(settings), degraded: null };
      case "extractive":
        return { when, distiller: patternDistiller(), degraded: null };
      default:
        return degrade("there is no distiller: pass { distiller }, or name a provider under summarize");
    }
  } catch (error) {
    if (!MemoryError.isInstance(error)) throw error;
    return degrade("the model of summarize can't be used, so there is no distiller");
  }
}
