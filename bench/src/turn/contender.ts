/** Something that does the work of an agent turn. */
export interface Contender {
  name: string;
  /** What a turn begins with: the last 20 messages, the summary, the facts. Answers how many messages it read. */
  read(conversation: number): number | Promise<number>;
  /** What a turn ends with: two messages are durable. */
  write(conversation: number): void | Promise<void>;
  /** Work that follows replies; outside of the turn. Answers how many messages it covered. */
  settle?(): Promise<number>;
  close(): void | Promise<void>;
}
