import type { ConversationRef } from "../contract/conversation.ts";

/** What of a conversation's handle changes: whom it names, once it was rebound. A class's getter, as in `TurnView`. */
export class HandleView {
  readonly #ref: ConversationRef;

  constructor(ref: ConversationRef) {
    this.#ref = ref;
  }

  get subject(): string | undefined {
    return this.#ref.subject;
  }
}
