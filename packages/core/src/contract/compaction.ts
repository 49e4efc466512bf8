import type { CompactionStrategy } from "../policy/policy.ts";
import type { Message, Part } from "./message.ts";

/**
 * One change to a prompt. `insert` goes right before the message it names. A changed message has no `native` form any
 * more, and a changed part neither: they would bring back what was taken out.
 */
export type CompactionEdit =
  /** Other parts for a message. */
  | { message: string; parts: Part[] }
  /** A message taken out. */
  | { message: string; remove: true }
  /** A message put in, right before the one of this id. */
  | { insert: Message; before: string };

/** What a prompt was brought down to, as edits and as their result. */
export interface Compaction {
  strategy: CompactionStrategy;
  /** True where this call took something out that the calls before it in this turn had left in. */
  compacted: boolean;
  /** Estimated tokens of the prompt as it was given. */
  before: number;
  /** The same after the edits. */
  after: number;
  /** All changes that lead from the given messages to `messages`, earlier calls' included; in the prompt's order. */
  edits: CompactionEdit[];
  /**
   * The prompt to send. Inserted messages have the origin `memory`: they are for this prompt only and are not recorded.
   */
  messages: Message[];
}
