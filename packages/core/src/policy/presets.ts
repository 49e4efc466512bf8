import type { MemoryPolicyInput } from "./policy-schema.ts";

/**
 * The usual combinations of tiers, by name; what a policy says besides wins over its preset. `oneShot`: a task that is
 * done once, recorded and windowed. `chat`: one long conversation that can be searched. `recurring`: people who come back
 * and are known. `personal`: all of it, and what was just said elsewhere in this login.
 */
export const policyPresets = {
  oneShot: { conversation: true, carryOver: false, longTerm: false, search: false },
  chat: { conversation: true, carryOver: false, longTerm: false, search: true },
  recurring: { conversation: true, carryOver: false, longTerm: true, search: true },
  personal: { conversation: true, carryOver: true, longTerm: true, search: true },
} as const satisfies Record<string, MemoryPolicyInput>;

/** Name of a preset. */
export type PolicyPreset = keyof typeof policyPresets;

/** True for the name of a preset. */
export const isPreset = (name: string): name is PolicyPreset => Object.hasOwn(policyPresets, name);
