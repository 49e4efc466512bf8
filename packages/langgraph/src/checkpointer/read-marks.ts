import { Lru } from "./lru.ts";

/** Conversations whose reads are remembered. */
const MOST = 1_000;
/** Of each one. Whoever only looks at the newest state leaves a mark on it, and must not push out that of a slow run. */
const MOST_OF_ONE = 256;

/**
 * Which checkpoints were read or written as the newest of their conversation. What is put behind one of those is meant to go
 * on from the newest; where another run has gone on from it meanwhile, one of the two would be lost unseen.
 */
export class ReadMarks {
  readonly #marks = new Lru<Map<string, number>>(MOST);

  /** It was read as the newest, or has just become it. Nothing: the conversation had none. */
  expect(conversation: string, checkpoint: string | undefined): void {
    let counts = this.#marks.get(conversation);
    if (counts === undefined) {
      counts = new Map();
      this.#marks.set(conversation, counts);
    }
    const key = checkpoint ?? "";
    const count = counts.get(key) ?? 0;
    counts.delete(key);
    counts.set(key, count + 1);
    const [oldest] = counts.keys();
    if (counts.size > MOST_OF_ONE && oldest !== undefined) counts.delete(oldest);
  }

  /** It was asked for by its id: whoever goes on from it means to, whatever is newest. */
  choose(conversation: string, checkpoint: string): void {
    this.#marks.get(conversation)?.delete(checkpoint);
  }

  /** True where what follows it is meant to follow the newest. Each time it was expected counts once. */
  take(conversation: string, parent: string | undefined): boolean {
    const counts = this.#marks.get(conversation);
    const key = parent ?? "";
    const count = counts?.get(key) ?? 0;
    if (count > 1) counts?.set(key, count - 1);
    else counts?.delete(key);
    return count > 0;
  }
}
