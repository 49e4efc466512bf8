import type { OutcomeStatus } from "./outcome.ts";

/** What was read beside a prompt. */
export type ReadOperation =
  | "info"
  | "reconcile"
  | "history"
  | "transcript"
  | "summary"
  | "carry_over"
  | "conversations"
  | "facts"
  | "changes"
  | "audit"
  | "records"
  | "artifact"
  | "failures";

/** What was changed that is no turn and no fact of its own. */
export type ChangeOperation =
  | "update"
  | "clone"
  | "rewind"
  | "clear"
  | "delete_messages"
  | "delete_summary"
  | "delete_carry_over"
  | "rebind"
  | "transfer"
  | "link"
  | "unlink"
  | "undo"
  | "lift"
  | "put_record"
  | "delete_record"
  | "patch_artifact"
  | "delete_artifact"
  | "copy_checkpoints"
  | "remove_checkpoints";

/** What became of the candidates that a distiller proposed. */
export interface CandidateCounts {
  /** Proposed in all. */
  candidates: number;
  /** New facts. */
  stored: number;
  /** Facts that took the place of an older one. */
  superseded: number;
  /** Said again: the live fact was renewed. */
  merged: number;
  /** Known already, with nothing to renew. */
  unchanged: number;
  /** Stored beside what they contradict. */
  disputed: number;
  /** Below the confidence that is asked for, or without topic or content. */
  weak: number;
  /** Not the person's own words, forgotten, or too large. */
  refused: number;
  /** Their quote or what they say stands nowhere; kept for a person to see, and shown to no model. */
  quarantined: number;
  /** No candidates at all, or lost with the end of an answer that was cut off. */
  invalid: number;
  /** Broken JSON that could be mended. */
  repaired: number;
}

interface EventBase {
  /** ISO 8601. */
  at: string;
  conversation?: string;
  subject?: string;
}

/** What the memory did or could not do. Carries ids, counts and codes; never conversation text. */
export type MemoryEvent = EventBase &
  /** A turn was written, or was not: `messages` in it. */
  (
    | { type: "memory.recorded"; turn: string; status: OutcomeStatus; code?: string; messages: number }
    /** A prompt's part of the memory was made, in `ms` milliseconds. `tokens` are the history's; `turns` is 0 for the block alone. */
    | { type: "memory.context"; turn?: string; facts: number; turns: number; tokens: number; ms: number }
    | { type: "memory.remembered"; id?: string; status: OutcomeStatus; code?: string }
    | { type: "memory.recalled"; facts: number }
    | { type: "memory.forgotten"; facts: number }
    | { type: "memory.searched"; hits: number }
    /** Something was read beside a prompt: how many messages, turns, facts, conversations, records or pages. */
    | { type: "memory.read"; operation: ReadOperation; items: number }
    /**
     * Something was changed: how many turns, messages, facts or records; 1 for a conversation or an artifact as such.
     * Not emitted where nothing was.
     */
    | { type: "memory.changed"; operation: ChangeOperation; items: number }
    /** Turns were folded into the summary, which has so many tokens now. */
    | { type: "memory.folded"; turns: number; tokens: number }
    /** A prompt was compacted in the middle of a turn: its estimated tokens before and after. */
    | { type: "memory.compacted"; strategy: string; before: number; after: number }
    /** A large tool result was kept outside the prompt. */
    | { type: "memory.offloaded"; turn: string; artifacts: number }
    | { type: "memory.indexed"; turns: number }
    | { type: "memory.embedded"; turns: number }
    /**
     * A conversation's turns get no vectors, because those that are stored come from another model; once for each memory and
     * such model. `reason` names both and says what to do.
     */
    | { type: "memory.not_embedded"; code: string; reason: string }
    /** Facts were drawn from turns after the reply: what became of the candidates, and what of the answers was no use. */
    | ({ type: "memory.extracted"; turns: number } & CandidateCounts)
    /** The same for one batch of a distillation. */
    | ({ type: "memory.distilled"; turns: number; events: number } & CandidateCounts)
    /** An exchange was merged into the carry-over of its login. */
    | { type: "memory.carried_over"; turns: number; tokens: number }
    /** A timeline event was taken in, or was there already. */
    | { type: "memory.ingested"; id: string; status: OutcomeStatus }
    /** All sinks took these turns. */
    | { type: "memory.delivered"; turns: number }
    /** Due work was looked for, and there was some: conversations looked at, and pieces of each kind of work. */
    | {
        type: "memory.swept";
        conversations: number;
        indexed: number;
        embedded: number;
        folded: number;
        extracted: number;
        carried: number;
        failed: number;
      }
    /** Messages were embedded anew. */
    | { type: "memory.reindexed"; conversations: number; embedded: number }
    /** Something was erased: counts per kind, and how many things a backend still holds. */
    | { type: "memory.erased"; removed: Record<string, number>; residue: number }
    /** Retention was applied, or with `dryRun` only counted. */
    | { type: "memory.retention"; dryRun: boolean; removed: Record<string, number> }
    | { type: "memory.exported"; conversations: number; turns: number; facts: number; records: number }
    /** An export was taken in; `refused` were facts that may not come back. */
    | { type: "memory.imported"; turns: number; facts: number; records: number; refused: number }
    /** A field of the policy could not be honoured. */
    | { type: "memory.config.degraded"; field: string; reason: string }
    /** The compaction strategy asked for is none. */
    | { type: "memory.config.invalid_strategy"; got: string; used: string }
    /** `conversation.maxTokens` was too low to hold a turn; another one is used. */
    | { type: "memory.config.max_tokens_raised"; got: number; used: number }
    /** A read failed or took too long; the reply went on without. */
    | { type: "memory.read_failed"; operation: string; code: string }
    /** A write failed after so many tries; its outcome says so too. */
    | { type: "memory.write_failed"; operation: string; code: string; attempts: number }
    /** A piece of background work failed; see `operator.failures()`. */
    | { type: "memory.work_failed"; work: string; code: string }
  );

/** Any event's type. */
export type MemoryEventType = MemoryEvent["type"];
