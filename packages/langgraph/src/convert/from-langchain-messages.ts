import type { BaseMessage, ToolMessage } from "@langchain/core/messages";
import type { MessageInput, Part, Role, ToolCallPart, ToolResultPart } from "@throughline/core";
import { fromBlock } from "./content-block.ts";
import type { HostBlock } from "./file-block.ts";
import { definedJson, toJson, unsupported } from "./json.ts";
import { writeNative } from "./native-form.ts";

/** The members of a call as the host's `AIMessage` has them. */
type HostCall = { id?: string; name: string; args: unknown };

const ROLES: { readonly [type: string]: Role } = { human: "user", ai: "assistant", system: "system", tool: "tool" };

/** Roles of a `ChatMessage`, whose role is any text. */
const CHAT_ROLES: { readonly [role: string]: Role } = {
  ...ROLES,
  assistant: "assistant",
  developer: "system",
};

/** Content blocks that stand for a call which is among `tool_calls` as well. */
const CALL_BLOCKS = new Set(["tool_call", "tool_use", "function_call"]);

/** Names of the tools by the ids of their calls. */
export type ToolNames = ReadonlyMap<string, string>;

/** Which tool each call in these messages is for. */
export function toolNames(messages: readonly BaseMessage[]): Map<string, string> {
  return new Map(messages.flatMap((message) => callsOf(message).map(({ id = "", name }) => [id, name])));
}

const callsOf = (message: BaseMessage): HostCall[] =>
  (message.type === "ai" && (message as { tool_calls?: HostCall[] }).tool_calls) || [];

/**
 * LangChain's messages in the neutral form. What the neutral form has no place for goes into `native`; what can't be
 * carried throws `UNSUPPORTED_CONTENT`. Pure.
 *
 * @param known names of tools that earlier messages called.
 */
export function fromLangChainMessages(messages: readonly BaseMessage[], known?: ToolNames): MessageInput[] {
  const names = new Map([...(known ?? []), ...toolNames(messages)]);
  return messages.map((message) => fromLangChainMessage(message, names));
}

/** One of LangChain's messages in the neutral form. */
export function fromLangChainMessage(message: BaseMessage, names: ToolNames): MessageInput {
  const { type, id, name } = message;
  const chatRole = type === "generic" ? (message as BaseMessage & { role: string }).role : undefined;
  const role = chatRole === undefined ? ROLES[type] : (CHAT_ROLES[chatRole] ?? "user");
  if (role === undefined) throw unsupported(`A message of the type "${type}"`);
  const isTool = type === "tool";
  const parts = isTool ? [resultPart(message as ToolMessage, names)] : contentParts(message);
  // Another order than the content's would not come back.
  const calls = callsOf(message).map((call, index) => callId(call, index));
  const inContent = parts.flatMap((part) => (part.type === "tool-call" && !part.providerExecuted ? [part.callId] : []));
  const isReordered = calls.some((call, index) => call !== inContent[index]);
  return {
    ...(id === undefined || id === "" ? {} : { id }),
    role,
    parts,
    ...(name === undefined || isTool ? {} : { name }),
    ...writeNative({
      ...(Array.isArray(message.content) && !isTool ? { blocks: true } : {}),
      ...(chatRole === undefined ? {} : { role: chatRole }),
      ...(isReordered ? { calls } : {}),
      fields: messageFields(message),
    }),
  };
}

/** What the host keeps beside the content. */
function messageFields(message: BaseMessage) {
  const { additional_kwargs, response_metadata, usage_metadata, invalid_tool_calls } = message as BaseMessage & {
    usage_metadata?: object;
    invalid_tool_calls?: object[];
  };
  const filled = (value: object | undefined) => (value && Object.keys(value).length > 0 ? value : undefined);
  return definedJson(
    {
      additional_kwargs: filled(additional_kwargs),
      response_metadata: filled(response_metadata),
      usage_metadata,
      invalid_tool_calls: filled(invalid_tool_calls),
    },
    "What the provider said beside a message",
  );
}

/** A call without an id is named by its place. */
const callId = ({ id }: HostCall, index: number): string => id || `call-${index}`;

function callPart(call: HostCall, index: number): ToolCallPart {
  return {
    type: "tool-call",
    callId: callId(call, index),
    tool: call.name,
    input: toJson(call.args, `The input of the tool "${call.name}"`),
  };
}

function contentParts(message: BaseMessage): Part[] {
  const calls = callsOf(message);
  const content = message.content as string | (HostBlock | string)[];
  if (typeof content === "string") {
    const text: Part[] = content === "" && calls.length > 0 ? [] : [{ type: "text", text: content }];
    return [...text, ...calls.map(callPart)];
  }
  const inContent = new Set<number>();
  const parts = content.map((block): Part => {
    if (typeof block === "string") return { type: "text", text: block, ...writeNative({ as: "string" }) };
    const id = block.call_id ?? block.id;
    const at = CALL_BLOCKS.has(block.type)
      ? calls.findIndex((call, index) => call.id === id && !inContent.has(index))
      : -1;
    const call = calls[at];
    if (call === undefined) return fromBlock(block);
    inContent.add(at);
    return { ...callPart(call, at), ...callNative(block, call) };
  });
  return [...parts, ...calls.flatMap((call, index) => (inContent.has(index) ? [] : [callPart(call, index)]))];
}

/** What a call's block holds besides the call itself. Streams leave the input as an unparsed text. */
function callNative({ type, ...members }: HostBlock, call: HostCall) {
  const same: { [member: string]: unknown } = { id: call.id, call_id: call.id, name: call.name };
  const isCall = ([key, value]: [string, unknown]) =>
    key in same
      ? value === same[key]
      : (key === "args" || key === "input") && JSON.stringify(value) === JSON.stringify(call.args);
  const keys = Object.entries(members)
    .filter(isCall)
    .map(([key]) => key);
  const rest = Object.entries(members).filter((member) => !isCall(member));
  return writeNative({ as: type, rest: definedJson({ ...Object.fromEntries(rest), keys }, "A call's content block") });
}

function resultPart(message: ToolMessage, names: ToolNames): ToolResultPart {
  const { tool_call_id: call, name, status, artifact, metadata } = message;
  const content = message.content as string | (HostBlock | string)[];
  const output =
    typeof content === "string"
      ? { output: content }
      : {
          output: content.map((block) => fromBlock(typeof block === "string" ? { type: "text", text: block } : block)),
          outputIs: "parts" as const,
        };
  return {
    type: "tool-result",
    callId: call,
    tool: name ?? names.get(call) ?? "unknown",
    ...output,
    ...(status === "error" ? { isError: true } : {}),
    ...writeNative({
      ...(name === undefined ? { as: "nameless" } : {}),
      fields: definedJson(
        { status: status === "error" ? undefined : status, artifact, metadata },
        `What the tool "${name ?? names.get(call) ?? ""}" kept beside its answer`,
      ),
    }),
  };
}
