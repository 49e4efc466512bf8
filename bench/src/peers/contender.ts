import type { Story } from "../recall/question-set.ts";

/** A memory that is told one person's story and asked about it. */
export interface RecallContender {
  /** Names the row. */
  name: string;
  /** Tells it a story, and answers what asks of it. */
  tell(story: Story): Promise<TellingMemory>;
}

/** A memory that has been told. */
export interface TellingMemory {
  /** Ids of at most `k` messages, best first. */
  ask(question: string, k: number): Promise<string[]>;
  close(): Promise<void>;
}

/** What a peer is given that has no field for who speaks: the speaker's name before what was said, as its users do. */
export const saidBy = ({ name, content }: { name?: string | undefined; content: string }): string =>
  name === undefined ? content : `${name}: ${content}`;
