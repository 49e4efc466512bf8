import type { CompactionStrategy } from "../policy/policy.ts";
import type { Message, Part } from "./message.ts";

/**
 * One change to a prompt. `insert` goes right before the message it names. A changed message has no `native` form any
 * more, and a changed part neither: they would bring back what was taken out.
 */
export type CompactionEdit =
  | { message: string; parts: Part[] }
  | { message: string; remove: true }
  | { insert: Message; before: string };

/** What a prompt was brought down to, as edits and as their result. */
export interface Compaction {
  strategy: CompactionStrategy;
  /** True where this call took something out that the calls before it in this turn had left in. */
  compacted: boolean;
  /** Estimated tokens of the prompt as it was given, and after the edits. */
  before: number;
  after: number;
  /** All changes that lead from the given messages to `messages`, earlier calls' included; in the prompt's order. */
  edits: CompactionEdit[];
  /**
   * The prompt to send. Inserted messages have the origin `memory`: they are for this prompt only and are not recorded.
   */
  messages: Message[];
}
