import type { Conversation } from "../contract/conversation.ts";
import { MemoryError } from "../errors/memory-error.ts";

/**
 * For adapters: keeps a turn that was just recorded from being shown to a model again, what a guardrail stopped for
 * example. The transcript has it. Others may have ended while it ran, and stay. Throws what `rewind` throws.
 */
export async function hideTurn(conversation: Conversation, id: string): Promise<void> {
  const before = (await shownBefore(conversation, id)) ?? (await storedBefore(conversation, id));
  const outcome = await (before === undefined ? conversation.clear() : conversation.rewind({ to: before }));
  if (outcome.status === "failed") throw new MemoryError("STORE_FAILED", outcome.reason ?? "The turn was not hidden.");
}

/** The turn before this one in what a model would be shown; `undefined` where it shows no more than this one. */
async function shownBefore(conversation: Conversation, turn: string): Promise<string | undefined> {
  const messages = await conversation.history();
  const own = messages.findIndex((message) => message.turn === turn);
  return messages[own - 1]?.turn;
}

/** The same of all that is stored: what came before may be folded, or too long to be shown. */
async function storedBefore(conversation: Conversation, turn: string): Promise<string | undefined> {
  let before: string | undefined;
  let cursor: string | undefined;
  do {
    const page = await conversation.transcript(cursor === undefined ? {} : { cursor });
    for (const { id, hidden } of page.turns) {
      if (id === turn) return before;
      if (!hidden) before = id;
    }
    cursor = page.cursor;
  } while (cursor !== undefined);
  return before;
}
