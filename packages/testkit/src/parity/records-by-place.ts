import type { Message } from "@throughline/core";
import type { StoryRecords } from "./read-records.ts";

/**
 * The records with every mention of a turn, a message or a fact as the place where it stands, and every sequence number as
 * the turn that it is of. Rows keep their own `id`, and turns their `seq`. Each result of a tool stands in a message of its
 * own: how many of them a message holds is the host's form. What a failed call answered is its `failure`.
 */
export function byPlace(records: StoryRecords): unknown {
  const names = new Map<string, string>();
  const conversations = records.conversations.map((entry) => {
    const { conversation, turns, summaries } = entry;
    const place = new Map(turns.map(({ seq }, index) => [seq, `turn ${index + 1}`]));
    const at = (seq: number): number | string => place.get(seq) ?? seq;
    for (const [index, { id, messages }] of turns.entries()) {
      names.set(id, `${conversation?.id} turn ${index + 1}`);
      for (const [position, message] of messages.flatMap(oneResultEach).entries()) {
        if (!names.has(message.id)) names.set(message.id, `${conversation?.id} message ${index + 1}.${position}`);
      }
    }
    return {
      ...entry,
      conversation: conversation && {
        ...conversation,
        lastSeq: at(conversation.lastSeq),
        settledSeq: at(conversation.settledSeq),
        watermarks: Object.fromEntries(Object.entries(conversation.watermarks).map(([work, seq]) => [work, at(seq)])),
      },
      turns: turns.map((turn) => ({ ...turn, messages: turn.messages.flatMap(oneResultEach).map(withFailures) })),
      summaries: summaries.map((summary) => ({ ...summary, through: at(summary.through) })),
    };
  });
  for (const { scope, facts } of records.facts) {
    for (const [index, { id }] of facts.entries()) names.set(id, `${scope} fact ${index + 1}`);
  }
  // A longer id may begin with a shorter one.
  const ids = [...names.keys()].toSorted((one, other) => other.length - one.length);
  const rename = (text: string): string =>
    ids.reduce((renamed, id) => (renamed.includes(id) ? renamed.replaceAll(id, names.get(id) ?? id) : renamed), text);
  const renamed = (value: unknown, key = ""): unknown => {
    if (Array.isArray(value)) return value.map((member) => renamed(member));
    if (typeof value === "object" && value !== null) {
      return Object.fromEntries(Object.entries(value).map(([name, member]) => [rename(name), renamed(member, name)]));
    }
    return typeof value === "string" && key !== "id" ? rename(value) : value;
  };
  return renamed({ ...records, conversations });
}

function oneResultEach(message: Message): Message[] {
  if (message.role !== "tool" || message.parts.length < 2) return [message];
  return message.parts.map((part) => ({ ...message, parts: [part] }));
}

function withFailures(message: Message): object {
  const parts = message.parts.map((part) => {
    if (part.type !== "tool-result" || !part.isError) return part;
    const { output, ...rest } = part;
    return { ...rest, failure: output };
  });
  return { ...message, parts };
}
