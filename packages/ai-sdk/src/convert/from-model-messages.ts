import type { JsonObject, MessageInput, Part } from "@throughline/core";
import type { AssistantContent, ModelMessage, ToolContent, UserContent } from "ai";
import { fromHostFile } from "./file-content.ts";
import { definedJson, toJson, unsupported } from "./json.ts";
import { type PartForm, writeNative } from "./native-form.ts";
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
  const converted =
    typeof content === "string"
      ? [{ part: { type: "text", text: content } as Part, form: undefined }]
      : content.map((part) => fromHostPart(part, calls));
  const input: MessageInput = { role, parts: converted.map(({ part }) => part) };
  const native = writeNative(
    converted.map(({ form }) => form),
    definedJson({ ...message.providerOptions }, "A message's provider options"),
  );
  if (native !== undefined) input.native = native;
  return input;
}

function fromHostPart(part: HostPart, calls: ApprovalCalls): { part: Part; form: PartForm | undefined } {
  const held: JsonObject | undefined =
    "providerOptions" in part ? definedJson({ ...part.providerOptions }, "A part's provider options") : undefined;
  const form: PartForm | undefined = held === undefined ? undefined : { providerOptions: held };
  switch (part.type) {
    case "text":
      return { part: { type: "text", text: part.text }, form };
    case "reasoning":
      return { part: { type: "reasoning", text: part.text }, form };
    case "file": {
      const file = fromHostFile(part);
      return { part: file.part, form: file.form || form ? { ...form, ...file.form } : undefined };
    }
    case "image":
      return { part: fromHostFile({ data: part.image, mediaType: part.mediaType }).part, form };
    case "reasoning-file": {
      const file = fromHostFile(part).part;
      return { part: { type: "custom", kind: `${HOST_KIND}reasoning-file`, value: toJson(file, "A file") }, form };
    }
    case "custom":
      return { part: { type: "custom", kind: `${HOST_KIND}custom`, value: part.kind }, form };
    case "tool-call":
      return {
        part: {
          type: "tool-call",
          callId: part.toolCallId,
          tool: part.toolName,
          input: toJson(part.input, `The input of the tool "${part.toolName}"`),
          ...(part.providerExecuted ? { providerExecuted: true } : {}),
        },
        form,
      };
    case "tool-result": {
      const { form: outputForm, ...output } = fromHostOutput(part.output);
      return {
        part: { type: "tool-result", callId: part.toolCallId, tool: part.toolName, ...output },
        form: { ...form, ...outputForm },
      };
    }
    case "tool-approval-request": {
      const { type: _type, toolCallId, reason, ...approval } = part;
      return {
        part: { type: "approval", callId: toolCallId, state: "requested", ...(reason === undefined ? {} : { reason }) },
        form: { approval: definedJson(approval, "An approval") ?? {} },
      };
    }
    case "tool-approval-response": {
      const { type: _type, approved, reason, ...approval } = part;
      return {
        part: {
          type: "approval",
          // A host that pauses elsewhere and names no approval uses the call's id for it.
          callId: calls.get(part.approvalId) ?? part.approvalId,
          state: approved ? "approved" : "denied",
          ...(reason === undefined ? {} : { reason }),
        },
        form: { approval: definedJson(approval, "An approval") ?? {} },
      };
    }
    default:
      throw unsupported(`A message part of the type "${String((part as { type?: unknown }).type)}"`);
  }
}
