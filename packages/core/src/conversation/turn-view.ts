import type { Conversation } from "../contract/conversation.ts";
import type { Message } from "../contract/message.ts";

/** How a view reads its turn. */
interface TurnReader {
  messages: () => Message[];
  ended: () => boolean;
  /** Called once, by whoever asks first: a handle has many members, and most turns need none. */
  conversation: () => Conversation;
}

/**
 * What of an open turn changes while it is under way, or is made only when it is asked for. Its getters are a class's:
 * with getters of its own every turn's object would be a shape of its own to V8, which keeps the whole turn with it until
 * the next full collection.
 */
export class TurnView {
  readonly #read: TurnReader;
  #conversation: Conversation | undefined;

  constructor(read: TurnReader) {
    this.#read = read;
  }

  get messages(): Message[] {
    return this.#read.messages();
  }

  get ended(): boolean {
    return this.#read.ended();
  }

  get conversation(): Conversation {
    this.#conversation ??= this.#read.conversation();
    return this.#conversation;
  }
}
