/** Where it is decided whether a rule holds. */
export type DecidedBy = "core" | "store" | "adapter" | "surface" | "bench";

/** One rule of what the memory does. */
export interface Requirement {
  /** Where it is decided whether the rule holds. */
  readonly decidedBy: DecidedBy;
  /** One sentence about behaviour. */
  readonly rule: string;
}

const decidedBy =
  (place: DecidedBy) =>
  (rule: string): Requirement => ({ decidedBy: place, rule });

export const core = decidedBy("core");
export const store = decidedBy("store");
export const adapter = decidedBy("adapter");
export const surface = decidedBy("surface");
export const bench = decidedBy("bench");
