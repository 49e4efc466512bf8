import type { AgentInputItem } from "@openai/agents";
import type { Message, MessageInput, Report } from "@throughline/core";
import { convertItems, type HostItem } from "./from-items.ts";
import { withOwnCallIds } from "./own-call-ids.ts";
import { toItems } from "./to-items.ts";

/** An item as a session shows it, with the turn and the agent it is of. */
export interface ShownItem {
  item: AgentInputItem;
  turn: string;
  agent?: string;
}

/** Stored messages as a session's items. */
export function shownItems(stored: readonly Message[], isExact: boolean, report: Report): ShownItem[] {
  const messages = withOwnCallIds(stored);
  // What a provider ran itself is told by all messages together, each message's own items by itself.
  const items = toItems(messages, { exact: isExact, onUnsupported: report });
  const owners = messages.flatMap((message) => {
    const { length } = toItems([message], { exact: isExact, onUnsupported: () => {} });
    const agent = message.name === undefined ? {} : { agent: message.name };
    return Array.from({ length }, () => ({ turn: message.turn ?? "", ...agent }));
  });
  return items.map((item, index) => ({ item, ...(owners[index] ?? { turn: "" }) }));
}

/**
 * The newest items, at most so many: from a user's message on where one begins what fits, else without results whose
 * calls are left out, and without reasoning that leads nowhere.
 */
export function newestItems(shown: readonly ShownItem[], limit: number): AgentInputItem[] {
  if (limit <= 0) return [];
  const newest = shown.slice(-limit).map(({ item }) => item);
  if (newest.length === shown.length) return newest;
  const first = newest.findIndex((item) => "role" in item && item.role === "user");
  if (first >= 0) return newest.slice(first);
  const called = new Set<string>();
  return newest.filter((item) => {
    const { type = "", callId } = item as { type?: string; callId?: string };
    const isResult = /(_result|_output)$/.test(type);
    if (callId !== undefined && !isResult) called.add(callId);
    return callId === undefined || called.has(callId);
  });
}

/** Messages that belong to one turn, in order; the first group goes on with the turn before it where it begins with no user. */
export function exchangesOf(items: readonly (AgentInputItem | HostItem)[], report: Report): MessageInput[][] {
  const exchanges: MessageInput[][] = [];
  for (const { input } of convertItems(items, report)) {
    const last = exchanges.at(-1);
    const begins = input.role === "user" && last?.at(-1)?.role !== "user";
    if (last === undefined || begins) exchanges.push([input]);
    else last.push(input);
  }
  return exchanges;
}
