import type { AgentInputItem, RunItem } from "@openai/agents";
import {
  type MessageInput,
  messageText,
  type Part,
  type Role,
  type toJson,
  unsupportedContent,
} from "@throughline/core";
import { fromContent } from "./content.ts";
import { HOST_KIND, otherMembers, readForm, writeForm } from "./item-form.ts";
import { fromCall, fromHostedCall, fromResult } from "./tool-items.ts";

/** An item with what the host knows beside it. */
export interface HostItem {
  item: AgentInputItem;
  /** Name of the agent that made it. */
  agent?: string;
  /** It says that this call waits for a person, and is no item of its own. */
  asksFor?: string;
}

/** A message, and the index of the last item in it. */
export interface ConvertedMessage {
  input: MessageInput & { parts: Part[] };
  through: number;
}

/** What a run made, with the name of the agent of each item. */
export function fromRunItems(items: readonly RunItem[]): HostItem[] {
  return items.flatMap((item): HostItem[] => {
    const agent = "sourceAgent" in item ? item.sourceAgent.name : "agent" in item ? item.agent.name : undefined;
    // Every item of a run has a raw one, and an approval's is the call it asks for.
    const raw = item.rawItem as AgentInputItem;
    const named = agent === undefined || item.type === "input_item" ? {} : { agent };
    if (item.type !== "tool_approval_item") return [{ item: raw, ...named }];
    return [{ item: raw, ...named, asksFor: approvalCall(raw) }];
  });
}

/** The call that an approval is asked for. */
export function approvalCall(raw: object): string {
  const { callId, id } = raw as { callId?: string; id?: string };
  return callId ?? id ?? "";
}

/**
 * The host's items in the neutral form: what an agent says and calls one after the other is one message, and so are the
 * results behind it. What the neutral form has no place for goes into `native`. Throws `UNSUPPORTED_CONTENT`. Pure.
 */
export function fromItems(items: readonly (AgentInputItem | HostItem)[]): MessageInput[] {
  return convertItems(items).map(({ input }) => input);
}

/** The same with the places of the items; what can't be carried goes to `onUnsupported` where it is given. */
export function convertItems(
  items: readonly (AgentInputItem | HostItem)[],
  onUnsupported?: (error: unknown) => void,
): ConvertedMessage[] {
  const messages: ConvertedMessage[] = [];
  for (const [index, given] of items.entries()) {
    const { item, agent, asksFor }: HostItem = "item" in given ? given : { item: given };
    if (asksFor !== undefined) {
      addApproval(messages, asksFor, agent, index);
      continue;
    }
    try {
      addItem(messages, item, agent, index);
    } catch (error) {
      if (onUnsupported === undefined) throw error;
      onUnsupported(error);
    }
  }
  return messages;
}

function addItem(messages: ConvertedMessage[], item: AgentInputItem, agent: string | undefined, index: number): void {
  const { role, parts } = partsOf(item, index);
  const name = role === "assistant" ? agent : undefined;
  const last = messages.at(-1);
  if (last && role === last.input.role && (role === "tool" || (role === "assistant" && last.input.name === name))) {
    last.input.parts.push(...parts);
    last.through = index;
    return;
  }
  messages.push({ input: { role, parts, ...(name === undefined ? {} : { name }) }, through: index });
}

/** Beside the call that waits. */
function addApproval(messages: ConvertedMessage[], callId: string, name: string | undefined, index: number): void {
  const approval: Part = { type: "approval", callId, state: "requested" };
  const holds = ({ input }: ConvertedMessage) =>
    input.parts.some((part) => part.type === "tool-call" && part.callId === callId);
  const holder = messages.findLast(holds);
  if (holder) holder.input.parts.push(approval);
  else
    messages.push({
      input: { role: "assistant", parts: [approval], ...(name === undefined ? {} : { name }) },
      through: index,
    });
}

function partsOf(item: AgentInputItem, index: number): { role: Role; parts: Part[] } {
  switch (item.type) {
    case "function_call":
    case "computer_call":
    case "shell_call":
    case "apply_patch_call":
    case "program":
    case "tool_search_call":
      return { role: "assistant", parts: [fromCall(item)] };
    case "function_call_result":
    case "computer_call_result":
    case "shell_call_output":
    case "apply_patch_call_output":
      return { role: "tool", parts: [fromResult(item)] };
    // The provider ran these itself: their results stand where the provider put them.
    case "program_output":
    case "tool_search_output":
      return { role: "assistant", parts: [fromResult(item)] };
    case "hosted_tool_call":
      return { role: "assistant", parts: fromHostedCall(item, index) };
    case "reasoning": {
      const text = messageText({ parts: item.content.map((entry) => ({ type: "text", text: entry.text })) });
      const own = otherMembers(item, "type", ...(isPlain(item.content, text) ? ["content"] : []));
      return { role: "assistant", parts: [{ type: "reasoning", text, ...writeForm({ item: own }) }] };
    }
    // Like reasoning these speak to the provider that made them, and to nobody else.
    case "compaction":
    case "unknown":
      return {
        role: "assistant",
        parts: [{ type: "reasoning", text: "", ...writeForm({ as: item.type, item: otherMembers(item, "type") }) }],
      };
    default:
      return fromMessage(item);
  }
}

/** One summary without anything beside its text. */
const isPlain = (content: readonly object[], text: string): boolean =>
  content.length === 1 && JSON.stringify(content[0]) === JSON.stringify({ type: "input_text", text });

function fromMessage(item: Extract<AgentInputItem, { role: string }>): { role: Role; parts: Part[] } {
  const own = otherMembers(item, "type", "role", "content");
  switch (item.role) {
    case "system":
      return { role: "system", parts: marked([{ type: "text", text: item.content }], own) };
    case "user": {
      if (typeof item.content === "string") {
        return { role: "user", parts: marked([{ type: "text", text: item.content }], own) };
      }
      return { role: "user", parts: marked(item.content.map(fromContent), { ...own, list: true }) };
    }
    case "assistant": {
      const { status, ...rest } = own;
      const kept = status === "completed" ? rest : { ...rest, status: status ?? null };
      return { role: "assistant", parts: marked(item.content.map(fromContent), kept, true) };
    }
    default: {
      const { type } = item as { type?: unknown };
      throw unsupportedContent(`An item of the type "${String(type)}"`);
    }
  }
}

/** The parts, the first of which holds the item's own members. `always` also where there are none: it begins an item. */
function marked(parts: Part[], own: { [key: string]: ReturnType<typeof toJson> }, always = false): Part[] {
  const [first, ...rest] = parts;
  if (first === undefined) return [{ type: "custom", kind: `${HOST_KIND}empty`, value: own }];
  if (!always && Object.keys(own).length === 0) return parts;
  return [{ ...first, ...writeForm({ ...readForm(first), item: own }) }, ...rest];
}
