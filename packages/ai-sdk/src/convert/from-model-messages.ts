import type { MessageInput, Part } from "@throughline/core";
import type { AssistantContent, ModelMessage, ToolContent, UserContent } from "ai";
import { fromHostFile } from "./file-content.ts";
import { definedJson, toJson, unsupported } from "./json.ts";
import { readNative, readOptions, writeNative } from "./native-form.ts";
import { fromHostOutput } from "./tool-output.ts";

type HostPart = Exclude<UserContent | AssistantContent | ToolContent, string>[number];

/** Prefix of the kinds of parts that only the AI SDK knows. */
export const HOST_KIND = "ai-sdk.";

/** Calls by the ids of the approvals that were asked for them. */
export type ApprovalCalls = ReadonlyMap<string, string>;

/** Which call each approval in these messages was asked for. */
export function approvalCalls(messages: readonly ModelMessage[]): Map<string, string> {
  const calls = new Map<string, string>();
  for (const { content } of messages) {
    if (typeof content === "string") continue;
    for (const part of content) {
      if (part.type === "tool-approval-request") calls.set(part.approvalId, part.toolCallId);
    }
  }
  return calls;
}

/** True where one of these messages answers an approval that none of them asked for. */
export const answersUnknown = (messages: readonly ModelMessage[], calls: ApprovalCalls): boolean =>
  messages.some(
    ({ role, content }) =>
      role === "tool" && content.some((part) => part.type === "tool-approval-response" && !calls.has(part.approvalId)),
  );

/** The same as {@link approvalCalls} of what is stored. */
export function storedApprovals(messages: readonly Pick<MessageInput, "parts">[]): Map<string, string> {
  const calls = new Map<string, string>();
  for (const part of messages.flatMap(({ parts = [] }) => parts)) {
    const approvalId = readNative(part).approval?.approvalId;
    if (part.type === "approval" && typeof approvalId === "string") calls.set(approvalId, part.callId);
  }
  return calls;
}

/**
 * The AI SDK's messages in the neutral form. What the neutral form has no place for goes into `native`; what can't be
 * carried throws `UNSUPPORTED_CONTENT`. Pure.
 *
 * @param known calls of approvals that were asked for in earlier messages.
 */
export function fromModelMessages(messages: readonly ModelMessage[], known?: ApprovalCalls): MessageInput[] {
  const calls = new Map([...(known ?? []), ...approvalCalls(messages)]);
  return messages.map((message) => fromModelMessage(message, calls));
}

/** One of the AI SDK's messages in the neutral form. */
export function fromModelMessage(message: ModelMessage, calls: ApprovalCalls): MessageInput {
  const { role, content } = message;
  const parts: Part[] =
    typeof content === "string" ? [{ type: "text", text: content }] : content.map((part) => fromHostPart(part, calls));
  return { role, parts, ...writeNative({ providerOptions: readOptions(message) }) };
}

function fromHostPart(part: HostPart, calls: ApprovalCalls): Part {
  const native = writeNative({ providerOptions: readOptions(part) });
  switch (part.type) {
    case "text":
      return { type: "text", text: part.text, ...native };
    case "reasoning":
      return { type: "reasoning", text: part.text, ...native };
    case "file":
      return withNative(fromHostFile(part), native);
    case "image":
      return withNative(fromHostFile({ data: part.image, mediaType: part.mediaType }), native);
    case "reasoning-file": {
      const value = toJson(fromHostFile(part), "A file");
      return { type: "custom", kind: `${HOST_KIND}reasoning-file`, value, ...native };
    }
    case "custom":
      return { type: "custom", kind: `${HOST_KIND}custom`, value: part.kind, ...native };
    case "tool-call":
      return {
        type: "tool-call",
        callId: part.toolCallId,
        tool: part.toolName,
        input: toJson(part.input, `The input of the tool "${part.toolName}"`),
        ...(part.providerExecuted ? { providerExecuted: true } : {}),
        ...native,
      };
    case "tool-result": {
      const { part: output, form } = fromHostOutput(part.output);
      const result: Part = { type: "tool-result", callId: part.toolCallId, tool: part.toolName, ...output };
      return withNative({ ...result, ...writeNative(form) }, native);
    }
    case "tool-approval-request": {
      const { type: _type, toolCallId, reason, ...approval } = part;
      return {
        type: "approval",
        callId: toolCallId,
        state: "requested",
        ...(reason === undefined ? {} : { reason }),
        ...writeNative({ approval: definedJson(approval, "An approval") ?? {} }),
      };
    }
    case "tool-approval-response": {
      const { type: _type, approved, reason, ...approval } = part;
      return {
        type: "approval",
        // A host that paused elsewhere and names no approval uses the call's id for it.
        callId: calls.get(part.approvalId) ?? part.approvalId,
        state: approved ? "approved" : "denied",
        ...(reason === undefined ? {} : { reason }),
        ...writeNative({ approval: definedJson(approval, "An approval") ?? {} }),
      };
    }
    default:
      throw unsupported(`A message part of the type "${String((part as { type?: unknown }).type)}"`);
  }
}

/** A part whose `native` gets what the provider added beside what is there. */
function withNative(part: Part, { native }: ReturnType<typeof writeNative>): Part {
  if (native === undefined || part.native === undefined) return native === undefined ? part : { ...part, native };
  // Both were written here, and both are objects.
  return { ...part, native: { ...native, value: { ...(part.native.value as object), ...(native.value as object) } } };
}
