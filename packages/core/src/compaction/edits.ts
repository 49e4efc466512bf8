import type { CompactionEdit } from "../contract/compaction.ts";
import type { Message } from "../contract/message.ts";

/** The edits that lead from one list of messages to another: some removed, some inserted, some with other parts. Pure. */
export function editsBetween(from: readonly Message[], to: readonly Message[]): CompactionEdit[] {
  const known = new Map(from.map((message) => [message.id, message]));
  const kept = new Set(to.map((message) => message.id));
  const inserted = new Map<string, Message[]>();
  const changed = new Map<string, CompactionEdit>();
  let waiting: Message[] = [];
  for (const message of to) {
    const before = known.get(message.id);
    if (before === undefined) {
      waiting.push(message);
      continue;
    }
    if (waiting.length > 0) inserted.set(message.id, waiting);
    waiting = [];
    if (before.parts !== message.parts) changed.set(message.id, { message: message.id, parts: message.parts });
  }
  return from.flatMap((message): CompactionEdit[] => {
    if (!kept.has(message.id)) return [{ message: message.id, remove: true }];
    const inserts = (inserted.get(message.id) ?? []).map((insert) => ({ insert, before: message.id }));
    const change = changed.get(message.id);
    return change ? [...inserts, change] : inserts;
  });
}

/** The messages with these edits applied; edits of messages that aren't there are passed over. Pure. */
export function applyEdits(messages: readonly Message[], edits: readonly CompactionEdit[]): Message[] {
  const inserts = new Map<string, Message[]>();
  const parts = new Map<string, Message["parts"]>();
  const removed = new Set<string>();
  for (const edit of edits) {
    if ("insert" in edit) inserts.set(edit.before, [...(inserts.get(edit.before) ?? []), edit.insert]);
    else if ("remove" in edit) removed.add(edit.message);
    else parts.set(edit.message, edit.parts);
  }
  return messages.flatMap((message) => {
    const before = inserts.get(message.id) ?? [];
    if (removed.has(message.id)) return before;
    const changed = parts.get(message.id);
    return [...before, changed ? withParts(message, changed) : message];
  });
}

/** The message with other parts, and without the host's own form of the old ones. */
export function withParts(message: Message, parts: Message["parts"]): Message {
  const { native: _native, ...rest } = message;
  return { ...rest, parts };
}
