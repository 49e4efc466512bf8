import type { MessageInput } from "@throughline/core";

/** Something said, as it is recorded: one turn. */
export interface Said {
  conversation: string;
  turn: string;
  at: string;
  messages: (MessageInput & { id: string; content: string })[];
}

/** A question, and the messages that hold its answer. */
export interface Question {
  text: string;
  category: string;
  evidence: ReadonlySet<string>;
}

/** What one person's memory is told and asked. */
export interface Story {
  id: string;
  /** Weights were tuned on it: it counts apart. */
  isTuning: boolean;
  said: readonly Said[];
  questions: readonly Question[];
}
