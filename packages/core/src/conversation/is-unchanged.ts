import type { TurnRow } from "../contract/store-rows.ts";
import { messageHash } from "./message-hash.ts";

/** True where a turn still stands where it stood and says what it said. Pure. */
export function isUnchanged(before: TurnRow, after: TurnRow | undefined): boolean {
  return (
    after !== undefined &&
    after.seq === before.seq &&
    after.messages.length === before.messages.length &&
    after.messages.every((message, index) => {
      const other = before.messages[index];
      return other?.id === message.id && messageHash(other) === messageHash(message);
    })
  );
}
