import type { Turn } from "../contract/message.ts";
import type { TimelineEvent } from "../contract/models.ts";

/** What facts are drawn from at a time: all of one person, or of one conversation without one. */
export interface Batch {
  turns: readonly Turn[];
  events: readonly TimelineEvent[];
  /** Turns before them, as context only. */
  recent: readonly Turn[];
  conversation?: string | undefined;
  /** Resolved. */
  subject?: string | undefined;
  /** The name that the events are filed under. */
  filedUnder?: string | undefined;
  timeZone: string;
  /** All of it or nothing, and one row for each topic; otherwise what is whole is kept. */
  whole: boolean;
  /** Names the work, so that it is done once: its second try is answered with `through` of the first. */
  operation: { key: string; through: string };
  /** ISO 8601: what was erased since takes nothing in. */
  beganAt: string;
  signal?: AbortSignal | undefined;
}
