import {
  AIMessage,
  type BaseMessage,
  ChatMessage,
  HumanMessage,
  SystemMessage,
  ToolMessage,
} from "@langchain/core/messages";
import {
  MemoryError,
  type Message,
  type MessageInput,
  type Part,
  type ToolCallPart,
  type ToolResultPart,
} from "@throughline/core";
import { toBlock } from "./content-block.ts";
import { fileNote, type HostBlock } from "./file-block.ts";
import { isObject, readNative } from "./native-form.ts";

/** How to write messages for LangChain. */
export interface ToLangChainMessagesOptions {
  /**
   * Everything as it was, for the provider that made it: reasoning, metadata, the provider's own blocks and ids. Without
   * it the messages suit any provider. @default false
   */
  exact?: boolean;
  /** Gets what LangChain has no form for, instead of a throw; the part is left out. */
  onUnsupported?(error: MemoryError): void;
}

type Stored = Message | MessageInput;

const partsOf = (message: Stored): readonly Part[] =>
  message.parts ?? [{ type: "text", text: (message as MessageInput).content ?? "" }];

/**
 * Stored messages as LangChain takes them. By default in the portable form: no reasoning, nothing that only one provider
 * understands, and no tool that the provider ran itself. Pure.
 */
export function toLangChainMessages(
  messages: readonly Stored[],
  options: ToLangChainMessagesOptions = {},
): BaseMessage[] {
  const byProvider = new Set(
    messages
      .flatMap(partsOf)
      .flatMap((part) => (part.type === "tool-call" && part.providerExecuted ? [part.callId] : [])),
  );
  const denied = deniedCalls(messages);
  return messages.flatMap((message) => toMessages(message, { ...options, byProvider, denied }));
}

interface Context extends ToLangChainMessagesOptions {
  byProvider: ReadonlySet<string>;
  /** Calls that a person denied and nothing answered. */
  denied: ReadonlyMap<string, string>;
}

/** LangChain has no message for a person's denial: the model is told it as the call's answer. */
function deniedCalls(messages: readonly Stored[]): Map<string, string> {
  const denied = new Map<string, string>();
  for (const part of messages.flatMap(partsOf)) {
    if (part.type === "approval" && part.state === "denied") denied.set(part.callId, part.reason ?? "");
    if (part.type === "tool-result") denied.delete(part.callId);
  }
  return denied;
}

function toMessages(message: Stored, context: Context): BaseMessage[] {
  const parts = partsOf(message);
  const results = parts
    .filter((part) => part.type === "tool-result")
    .filter(({ callId }) => !context.byProvider.has(callId));
  const rest = parts.filter((part) => part.type !== "tool-result" && part.type !== "approval");
  const own =
    rest.length === 0 && parts.length > 0 ? [] : [toSpoken(message, rest, context)].filter((made) => made !== null);
  const denials = parts.flatMap((part) => {
    const reason = part.type === "approval" && part.state === "denied" ? context.denied.get(part.callId) : undefined;
    if (part.type !== "approval" || reason === undefined) return [];
    const content = `The person denied this call.${reason === "" ? "" : ` ${reason}`}`;
    return [new ToolMessage({ content, tool_call_id: part.callId, status: "error" })];
  });
  // LangChain has one message for each result.
  const isOne = message.role === "tool" && results.length === 1;
  return [...own, ...results.map((result) => toToolMessage(message, result, isOne, context)), ...denials];
}

/** The id that a message keeps. A provider's own id of an answer means nothing to another one. */
const idOf = ({ id, role }: Stored, exact: boolean | undefined) =>
  id === undefined || (role === "assistant" && !exact) ? {} : { id };

function toSpoken(message: Stored, parts: readonly Part[], context: Context): BaseMessage | null {
  const { exact = false } = context;
  const { blocks, role, fields, calls: order } = readNative(message);
  const content = parts.flatMap((part) => toContent(part, context));
  const isText = content.every((block) => typeof block !== "string" && block.type === "text");
  const isPlain = !(exact && blocks) && isText && content.length < 2;
  const calls = parts.filter((part) => part.type === "tool-call" && !part.providerExecuted) as ToolCallPart[];
  if (content.length === 0 && calls.length === 0 && parts.length > 0) return null;
  const shared = {
    ...idOf(message, exact),
    ...(message.name === undefined ? {} : { name: message.name }),
    // Blocks were the host's own, or are built for this role.
    content: (isPlain ? ((content[0] as { text?: string } | undefined)?.text ?? "") : content) as string,
    ...(exact ? fields : {}),
  };
  if (exact && role !== undefined) return new ChatMessage({ ...shared, role });
  if (message.role === "user") return new HumanMessage(shared);
  if (message.role === "system") return new SystemMessage(shared);
  const sorted =
    order === undefined ? calls : calls.toSorted((a, b) => order.indexOf(a.callId) - order.indexOf(b.callId));
  return new AIMessage({ ...shared, tool_calls: sorted.map(toHostCall) });
}

const toHostCall = ({ callId, tool, input }: ToolCallPart) => ({
  id: callId,
  name: tool,
  args: isObject(input) ? input : { input },
  type: "tool_call" as const,
});

/** A part's content block, if it has one. */
function toContent(part: Part, { exact = false, onUnsupported }: Context): (HostBlock | string)[] {
  try {
    const { as, rest } = readNative(part);
    if (exact && as === "string" && part.type === "text") return [part.text];
    if (exact && as !== undefined && part.type === "tool-call" && !part.providerExecuted)
      return [callBlock(part, as, rest)];
    const block = toBlock(part, exact);
    return block === null ? [] : [block];
  } catch (error) {
    if (onUnsupported === undefined || !MemoryError.isInstance(error)) throw error;
    onUnsupported(error);
    return [];
  }
}

/** The block that stood for a call in the content. */
function callBlock(
  { callId, tool, input }: ToolCallPart,
  type: string,
  rest: { [key: string]: unknown } = {},
): HostBlock {
  const { keys = [], ...members } = rest;
  const known: { [key: string]: unknown } = { id: callId, call_id: callId, name: tool, args: input, input };
  const own = Object.fromEntries((keys as string[]).map((key) => [key, known[key]]));
  return { type, ...own, ...members };
}

function toToolMessage(message: Stored, result: ToolResultPart, isOne: boolean, context: Context): ToolMessage {
  const { exact = false } = context;
  const { as, fields } = readNative(result);
  const { output, outputIs, isError } = result;
  const parts = outputIs === "parts" ? (output as Part[]) : null;
  const words = (part: Part) =>
    part.type === "file" ? fileNote(part) : part.type === "text" ? part.text : JSON.stringify(part);
  const text = () => (typeof output === "string" ? output : JSON.stringify(output));
  const content =
    parts === null ? text() : exact ? parts.flatMap((part) => toContent(part, context)) : parts.map(words).join("\n");
  return new ToolMessage({
    ...(isOne ? idOf(message, exact) : {}),
    // As above: the host's own blocks.
    content: content as string,
    tool_call_id: result.callId,
    ...(exact && as === "nameless" ? {} : { name: result.tool }),
    ...(isError ? { status: "error" as const } : {}),
    ...(exact ? { ...fields, ...readNative(message).fields } : {}),
  });
}
