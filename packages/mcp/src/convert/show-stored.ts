import {
  type ConversationInfo,
  type Fact,
  type Message,
  messageText,
  type SearchHit,
  type Turn,
} from "@throughline/core";

/** Longest text of one message or fact in a resource, and of all of one page, in UTF-16 code units. */
const MAX_TEXT = 4_000;
const MAX_PAGE = 100_000;

/** A text cut to so many code units, with what was left out. */
function cut(text: string, most: number): { text: string; left?: number } {
  if (text.length <= most) return { text };
  const kept = text.slice(0, most).toWellFormed();
  return { text: kept, left: text.length - kept.length };
}

/** A fact as a resource shows it. Pure. */
export function showFact(fact: Fact) {
  const { id, key, topic, value, type, tags, scope, author, source, updatedAt, expiresAt } = fact;
  const whole = typeof value === "string" ? value : JSON.stringify(value);
  const { text, left } = cut(whole, MAX_TEXT);
  return {
    id,
    key,
    topic,
    value: left === undefined ? value : text,
    cutCharacters: left,
    type,
    tags,
    scope,
    author,
    source,
    updatedAt,
    expiresAt,
    disputed: fact.disputedWith !== undefined || fact.disputedBy !== undefined ? true : undefined,
  };
}

/** A conversation in a listing, with its address. Pure. */
export function showConversation(info: ConversationInfo, uri: string) {
  const { id, title, createdAt, updatedAt, turns, messages } = info;
  return { uri, id, title, createdAt, updatedAt, turns, messages };
}

/** The turns of one page, oldest first, without hidden ones. Texts are cut where the page would grow too large. Pure. */
export function showTurns(turns: readonly Turn[]) {
  let room = MAX_PAGE;
  const show = (message: Message) => {
    const { text, left } = cut(messageText(message), Math.min(MAX_TEXT, room));
    room -= text.length;
    const { id, role, name, createdAt } = message;
    const tools = message.parts.flatMap((part) => (part.type === "tool-call" ? [part.tool] : []));
    return { id, role, name, createdAt, text, cutCharacters: left, tools: tools.length > 0 ? tools : undefined };
  };
  return turns
    .filter(({ hidden, replacedBy }) => hidden !== true && replacedBy === undefined)
    .map(({ id, seq, status, startedAt, messages }) => ({ id, seq, status, startedAt, messages: messages.map(show) }));
}

/** A message that was found, with the address of its conversation. Pure. */
export function showHit({ message, conversation, turn, score, matched }: SearchHit, uri: string) {
  const { text, left } = cut(messageText(message), MAX_TEXT);
  const { id, role, createdAt } = message;
  return { uri, conversation, turn, message: id, role, createdAt, text, cutCharacters: left, score, matched };
}
