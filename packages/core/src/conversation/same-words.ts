import type { Message } from "../contract/message.ts";
import { messageText } from "./message-text.ts";

/**
 * True where two versions of a message say the same, whatever became of their calls and results. For stores: the vector of
 * a message that a rewrite left its words stays.
 */
export const sameWords = (before: Pick<Message, "parts">, after: Pick<Message, "parts">): boolean =>
  messageText(before) === messageText(after);
