import { type ConversationInfo, MemoryError } from "@throughline/core";
import { NOTICE } from "./convert/notice.ts";
import { CONVERSATIONS_URI, conversationUri, FACTS_URI } from "./convert/resource-uris.ts";
import { showConversation, showFact, showHit, showTurns } from "./convert/show-stored.ts";
import type { Reach } from "./identity.ts";

const PAGE_FACTS = 100;
const PAGE_CONVERSATIONS = 50;
const PAGE_TURNS = 20;
const MAX_HITS = 20;

/** JSON that says first what it is. Members that are `undefined` are left out. */
const show = (members: object): string => JSON.stringify({ notice: NOTICE, ...members }, null, 1);

/** The memory block, as it would stand in a prompt. */
export async function readContext(reach: Reach, signal: AbortSignal): Promise<string> {
  await checkOwner(reach, signal);
  return (await reach.conversation.systemContext({ signal })) || "Nothing is remembered yet.";
}

/** A page of facts. The cursor says how many came before. */
export async function readFacts(reach: Reach, cursor: string | undefined, signal: AbortSignal): Promise<string> {
  await checkOwner(reach, signal);
  const from = cursor === undefined ? 0 : Number(/^\d{1,6}$/.exec(cursor)?.[0]);
  if (Number.isNaN(from)) throw new MemoryError("INVALID_CURSOR", "The cursor was not made by this listing.");
  const { facts, reason } = await reach.conversation.recall({ n: from + PAGE_FACTS + 1, order: "recent", signal });
  const page = facts.slice(from, from + PAGE_FACTS);
  const isMore = facts.length > from + PAGE_FACTS;
  return show({
    facts: page.map(showFact),
    reason: page.length > 0 ? undefined : reason,
    next: isMore ? `${FACTS_URI}?cursor=${from + PAGE_FACTS}` : undefined,
  });
}

/** A page of conversations. */
export async function readConversations(reach: Reach, cursor: string | undefined, signal: AbortSignal) {
  if (reach.subject === undefined) {
    if (cursor !== undefined) throw new MemoryError("INVALID_CURSOR", "The cursor was not made by this listing.");
    const info = await reach.conversation.info({ signal });
    return show({ conversations: info === null ? [] : [showConversation(info, conversationUri(info.id))] });
  }
  const options = { limit: PAGE_CONVERSATIONS, signal, ...(cursor === undefined ? {} : { cursor }) };
  const { items, cursor: next } = await reach.memory.subject(reach.subject).conversations(options);
  return show({
    conversations: items.map((info) => showConversation(info, conversationUri(info.id))),
    next: next === undefined ? undefined : `${CONVERSATIONS_URI}?cursor=${encodeURIComponent(next)}`,
  });
}

/** A page of one conversation, which must be the subject's own, or the one that the connection is about. */
export async function readConversation(reach: Reach, id: string, cursor: string | undefined, signal: AbortSignal) {
  const { memory, subject } = reach;
  const isCurrent = reach.isNamed && id === reach.conversation.id;
  if (subject === undefined && !isCurrent) throw notThere();
  const conversation = memory.conversation({ id, ...(subject === undefined ? {} : { subject }) });
  const info = await conversation.info({ signal });
  // One that nobody is bound to is open to whoever comes first; who merely guesses its id doesn't.
  if (info === null || (info.subject === undefined && !isCurrent)) throw notThere();
  const options = { limit: PAGE_TURNS, signal, ...(cursor === undefined ? {} : { cursor }) };
  const { turns, summary, summarizedThrough, cursor: next } = await conversation.transcript(options);
  return show({
    ...showConversation(info, conversationUri(id)),
    summary: summary?.text,
    summarizedThrough: summarizedThrough ?? undefined,
    transcript: showTurns(turns),
    next: next === undefined ? undefined : `${conversationUri(id)}&cursor=${encodeURIComponent(next)}`,
  });
}

const notThere = () => new MemoryError("NOT_FOUND", "There is no such conversation.");

/** What was said that matches the words. */
export async function readSearch(
  reach: Reach,
  query: string,
  filter: { role: string | undefined; from: string | undefined; to: string | undefined },
  signal: AbortSignal,
): Promise<string> {
  await checkOwner(reach, signal);
  const { role, from, to } = filter;
  if (role !== undefined && role !== "user" && role !== "assistant") {
    throw new MemoryError("INVALID_ARGUMENT", "The role to search for is user or assistant.");
  }
  const { hits, reason } = await reach.conversation.search(query, {
    k: MAX_HITS,
    signal,
    ...(role === undefined ? {} : { role }),
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
  });
  return show({ hits: hits.map((hit) => showHit(hit, conversationUri(hit.conversation))), reason });
}

/** The newest conversations as resources of their own. */
export async function listConversations(reach: Reach) {
  const infos = await ownConversations(reach, PAGE_CONVERSATIONS);
  return {
    resources: infos.map(({ id, title, updatedAt }) => ({
      uri: conversationUri(id),
      name: title ?? id,
      mimeType: "application/json",
      annotations: { lastModified: updatedAt },
    })),
  };
}

/** The subject's conversations, newest first; without a subject the one that the connection is about. */
export async function ownConversations(reach: Reach, limit: number): Promise<ConversationInfo[]> {
  if (reach.subject !== undefined) return (await reach.memory.subject(reach.subject).conversations({ limit })).items;
  const info = await reach.conversation.info();
  return info === null ? [] : [info];
}

/** Throws `CONVERSATION_OWNER_MISMATCH` where the conversation that was named is another subject's. */
async function checkOwner(reach: Reach, signal: AbortSignal): Promise<void> {
  if (reach.isNamed) await reach.conversation.info({ signal });
}
