import { GUARANTEE_RULES } from "./requirements/guarantee-rules.ts";
import { MEMORY_RULES } from "./requirements/memory-rules.ts";
import { SURFACE_RULES } from "./requirements/surface-rules.ts";

export type { Requirement } from "./requirements/requirement.ts";

/** Every rule by its id: what it asks, and where it is decided. Test titles cite the ids. */
export const REQUIREMENTS = { ...MEMORY_RULES, ...GUARANTEE_RULES, ...SURFACE_RULES } as const;

/** The id of a rule. */
export type RuleId = keyof typeof REQUIREMENTS;

/** True for the id of a rule. */
export function isRuleId(text: string): text is RuleId {
  return Object.hasOwn(REQUIREMENTS, text);
}
