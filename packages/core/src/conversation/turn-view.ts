import type { Message } from "../contract/message.ts";

/**
 * What of an open turn changes while it is under way. Its getters are a class's: with getters of its own every turn's
 * object would be a shape of its own to V8, which keeps the whole turn with it until the next full collection.
 */
export class TurnView {
  readonly #read: { messages: () => Message[]; ended: () => boolean };

  constructor(read: { messages: () => Message[]; ended: () => boolean }) {
    this.#read = read;
  }

  get messages(): Message[] {
    return this.#read.messages();
  }

  get ended(): boolean {
    return this.#read.ended();
  }
}
