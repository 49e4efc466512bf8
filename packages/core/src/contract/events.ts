import type { OutcomeStatus } from "./outcome.ts";

interface EventBase {
  /** ISO 8601. */
  at: string;
  conversation?: string;
  subject?: string;
}

/** What the memory did or could not do. Carries ids, counts and codes; never conversation text. */
export type MemoryEvent = EventBase &
  (
    | { type: "memory.recorded"; turn: string; status: OutcomeStatus; messages: number }
    | { type: "memory.context"; turn?: string; facts: number; turns: number; tokens: number; ms: number }
    | { type: "memory.remembered"; id?: string; status: OutcomeStatus; code?: string }
    | { type: "memory.recalled"; facts: number }
    | { type: "memory.forgotten"; facts: number }
    | { type: "memory.searched"; hits: number }
    | { type: "memory.folded"; turns: number; tokens: number }
    | { type: "memory.compacted"; strategy: string; before: number; after: number }
    | { type: "memory.indexed"; turns: number }
    | { type: "memory.erased"; removed: Record<string, number>; residue: number }
    | { type: "memory.config.degraded"; field: string; reason: string }
    | { type: "memory.config.invalid_strategy"; got: string; used: string }
    | { type: "memory.config.max_tokens_raised"; got: number; used: number }
    | { type: "memory.read_failed"; operation: string; code: string }
    | { type: "memory.write_failed"; operation: string; code: string; attempts: number }
    | { type: "memory.work_failed"; work: string; code: string }
  );

/** Any event's type. */
export type MemoryEventType = MemoryEvent["type"];
