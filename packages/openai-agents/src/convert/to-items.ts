import type { AgentInputItem, protocol } from "@openai/agents";
import { MemoryError, type Message, type MessageInput, messageText, type Part } from "@throughline/core";
import { toAssistantContent, toUserContent } from "./content.ts";
import { HOST_KIND, readForm } from "./item-form.ts";
import { toCall, toHostedCall, toResult } from "./tool-items.ts";

/** How to write messages for the OpenAI Agents SDK. */
export interface ToItemsOptions {
  /**
   * Everything as it was, for the provider that made it: reasoning, item ids, provider data, the provider's own tools.
   * Without it the items suit any provider. @default false
   */
  exact?: boolean;
  /** Gets what the host has no form for, instead of a throw; the part is left out. */
  onUnsupported?(error: MemoryError): void;
}

/**
 * Stored messages as the host's items. By default in the portable form: no reasoning, no ids of items, nothing that only
 * one provider understands, no tool that the provider ran itself; tools of the host's own kinds as functions. Pure.
 */
export function toItems(messages: readonly (Message | MessageInput)[], options: ToItemsOptions = {}): AgentInputItem[] {
  const byProvider = providerCalls(messages);
  return messages.flatMap((message) => itemsOf(message, byProvider, options));
}

const partsOf = (message: Message | MessageInput): readonly Part[] =>
  message.parts ?? [{ type: "text", text: (message as MessageInput).content ?? "" }];

/** Calls that the provider ran itself. */
const providerCalls = (messages: readonly (Message | MessageInput)[]): ReadonlySet<string> =>
  new Set(
    messages
      .flatMap(partsOf)
      .flatMap((part) => (part.type === "tool-call" && part.providerExecuted ? [part.callId] : [])),
  );

function itemsOf(
  message: Message | MessageInput,
  byProvider: ReadonlySet<string>,
  { exact = false, onUnsupported }: ToItemsOptions,
): AgentInputItem[] {
  const parts = partsOf(message);
  if (message.role === "system") return systemItem(parts, exact);
  if (message.role === "user") return userItem(parts, exact, onUnsupported);
  const items: AgentInputItem[] = [];
  /** The assistant's words that belong to one item. */
  let said: protocol.AssistantMessageItem | null = null;
  const say = (part: Part): void => {
    const { item } = readForm(part);
    const content = toAssistantContent(part, exact);
    if (content === null) return;
    if (said === null || (exact && item !== undefined)) {
      const { status, ...own } = (exact && item) || {};
      said = { type: "message", role: "assistant", status: "completed", content: [] };
      Object.assign(said, own, typeof status === "string" ? { status } : {});
      items.push(said);
    }
    said.content.push(content);
  };
  for (const [index, part] of parts.entries()) {
    try {
      if (part.type === "text" || part.type === "file") {
        say(part);
        continue;
      }
      if (part.type === "custom" && part.kind === `${HOST_KIND}content`) {
        say(part);
        continue;
      }
      const item = otherItem(part, parts[index + 1], byProvider, exact);
      if (item === null) continue;
      said = null;
      items.push(item);
    } catch (error) {
      if (onUnsupported === undefined || !MemoryError.isInstance(error)) throw error;
      onUnsupported(error);
    }
  }
  return exact ? items : pairsTogether(items, message.role);
}

/** Chat Completions has an assistant's words and calls in one message, and nothing said between a call and its result. */
function pairsTogether(items: AgentInputItem[], role: Message["role"]): AgentInputItem[] {
  // A row with calls and their results has its order already.
  if (role !== "tool" && items.some(({ type }) => type === "function_call_result")) return items;
  const called = new Set(items.flatMap((item) => (item.type === "function_call" ? [item.callId] : [])));
  const placeOf = (item: AgentInputItem): number => {
    if (item.type === "function_call") return 2;
    if (item.type !== "function_call_result") return 1;
    return called.has(item.callId) ? 3 : 0;
  };
  return items.toSorted((one, other) => placeOf(one) - placeOf(other));
}

/** An item that is no message; `null` for what has no place in the host's history. */
function otherItem(
  part: Part,
  next: Part | undefined,
  byProvider: ReadonlySet<string>,
  exact: boolean,
): AgentInputItem | null {
  switch (part.type) {
    case "tool-call": {
      if (!part.providerExecuted) return toCall(part, exact);
      if (!exact) return null;
      const { as, item } = readForm(part);
      if (as === "program" || as === "tool_search_call") return toCall(part, true);
      // Another host's has nothing that this provider would know.
      return item === undefined ? null : toHostedCall(part, next);
    }
    case "tool-result":
      if (!byProvider.has(part.callId)) return toResult(part, exact);
      return exact && readForm(part).item !== undefined ? toResult(part, true) : null;
    case "reasoning":
      return exact ? toReasoning(part) : null;
    case "custom":
      return toAssistantItem(part, exact);
    default:
      // Sources stand in the text; approvals are the host's own state of a run.
      return null;
  }
}

function toReasoning(part: Extract<Part, { type: "reasoning" }>): AgentInputItem | null {
  const { as, item } = readForm(part);
  // Another host's, without what a provider would know it by.
  if (item === undefined) return null;
  if (as !== undefined) return { type: as, ...item } as AgentInputItem;
  return { type: "reasoning", content: [{ type: "input_text", text: part.text }], ...item } as AgentInputItem;
}

/** A message that says nothing is one only for whom made it. */
function toAssistantItem(part: Extract<Part, { type: "custom" }>, exact: boolean): AgentInputItem | null {
  if (part.kind !== `${HOST_KIND}empty`) {
    throw new MemoryError("UNSUPPORTED_CONTENT", `A part of the kind "${part.kind}" can't be shown to this host.`);
  }
  if (!exact) return null;
  const { status, ...own } = part.value as { status?: string | null };
  const item = { type: "message", role: "assistant", content: [], status: status ?? "completed", ...own };
  return item as unknown as AgentInputItem;
}

function systemItem(parts: readonly Part[], exact: boolean): AgentInputItem[] {
  const content = messageText({ parts });
  if (content === "") return [];
  const own = exact && parts[0] ? readForm(parts[0]).item : undefined;
  return [{ type: "message", role: "system", content, ...own }];
}

function userItem(
  parts: readonly Part[],
  exact: boolean,
  onUnsupported: ToItemsOptions["onUnsupported"],
): AgentInputItem[] {
  const { list, ...own } = (parts[0] && readForm(parts[0]).item) || {};
  const content = parts.flatMap((part) => {
    try {
      return toUserContent(part, exact) ?? [];
    } catch (error) {
      if (onUnsupported === undefined || !MemoryError.isInstance(error)) throw error;
      onUnsupported(error);
      return [];
    }
  });
  const [only] = content;
  if (only === undefined) return [];
  const isText = content.length === 1 && only.type === "input_text" && !(exact && list);
  return [{ type: "message", role: "user", content: isText ? only.text : content, ...(exact ? own : {}) }];
}
