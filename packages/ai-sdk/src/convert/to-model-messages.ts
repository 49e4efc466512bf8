import {
  type Json,
  MemoryError,
  type Message,
  type MessageInput,
  type NativeMessage,
  type Part,
} from "@throughline/core";
import type { AssistantContent, FilePart as HostFilePart, ModelMessage, ToolContent, UserContent } from "ai";
import { FILE_REFERENCE, hostFileData } from "./file-content.ts";
import { HOST_KIND } from "./from-model-messages.ts";
import { unsupported } from "./json.ts";
import { readNative } from "./native-form.ts";
import { fileNote, hostOutput } from "./tool-output.ts";
import { UI_DATA } from "./ui-messages.ts";

type HostPart = Exclude<UserContent | AssistantContent | ToolContent, string>[number];

/** How to write messages for the AI SDK. */
export interface ToModelMessagesOptions {
  /**
   * Everything as it was, for the provider that made it: reasoning, item ids, cache marks. Without it the messages suit
   * any provider. @default false
   */
  exact?: boolean;
  /** Gets what the AI SDK has no form for, instead of a throw; the part is left out. */
  onUnsupported?(error: MemoryError): void;
}

/** What the parts of all messages together say about calls. */
interface Calls {
  answered: Set<string>;
  byProvider: Set<string>;
  approvalIds: Map<string, string>;
}

/**
 * Stored messages as the AI SDK takes them. By default in the portable form: no reasoning, nothing that only one
 * provider understands, no tool that the provider ran itself, and approvals only where they are pending. Pure.
 */
export function toModelMessages(
  messages: readonly (Message | MessageInput)[],
  options: ToModelMessagesOptions = {},
): ModelMessage[] {
  const calls = readCalls(messages);
  return messages.flatMap((message) => toModelMessage(message, calls, options));
}

const partsOf = (message: Message | MessageInput): readonly Part[] =>
  message.parts ?? [{ type: "text", text: (message as MessageInput).content ?? "" }];

function readCalls(messages: readonly (Message | MessageInput)[]): Calls {
  const calls: Calls = { answered: new Set(), byProvider: new Set(), approvalIds: new Map() };
  for (const part of messages.flatMap(partsOf)) {
    if (part.type === "tool-result") calls.answered.add(part.callId);
    if (part.type === "tool-call" && part.providerExecuted) calls.byProvider.add(part.callId);
    const approvalId = readNative(part).approval?.approvalId;
    if (part.type === "approval" && typeof approvalId === "string") calls.approvalIds.set(part.callId, approvalId);
  }
  return calls;
}

function toModelMessage(
  message: Message | MessageInput,
  calls: Calls,
  { exact = false, onUnsupported }: ToModelMessagesOptions,
): ModelMessage[] {
  const { role } = message;
  const parts = partsOf(message);
  const options = ownOptions(message, exact);
  if (role === "system") {
    const content = parts.map((part) => (part.type === "text" ? part.text : "")).join("\n");
    return [{ role, content, ...options }];
  }
  const content = parts.flatMap((part) => {
    try {
      const built = toHostPart(part, role, calls, exact);
      if (built === null) return [];
      if (!SAYABLE[role].includes(built.type)) throw unsupported(`A ${part.type} in a message of the role "${role}"`);
      return [{ ...built, ...ownOptions(part, exact) }];
    } catch (error) {
      if (onUnsupported === undefined || !MemoryError.isInstance(error)) throw error;
      onUnsupported(error);
      return [];
    }
  });
  const [only] = content;
  if (only === undefined) return [];
  const isText = role !== "tool" && content.length === 1 && only.type === "text" && !("providerOptions" in only);
  // Each part was built for this role, and the provider options were the host's own as they were read.
  return [{ role, content: isText ? only.text : content, ...options } as ModelMessage];
}

/** What each role may say to a model of the AI SDK. Other hosts may have said more. */
const SAYABLE: Readonly<Record<Exclude<Message["role"], "system">, readonly HostPart["type"][]>> = {
  user: ["text", "file"],
  assistant: [
    "text",
    "file",
    "reasoning",
    "reasoning-file",
    "custom",
    "tool-call",
    "tool-result",
    "tool-approval-request",
  ],
  tool: ["tool-result", "tool-approval-response"],
};

function ownOptions(holder: { native?: NativeMessage }, exact: boolean) {
  const { providerOptions } = readNative(holder);
  return exact && providerOptions ? { providerOptions } : {};
}

/** A part as the host takes it; `null` where it has no place in what this role may say. */
function toHostPart(part: Part, role: Message["role"], calls: Calls, exact: boolean): HostPart | null {
  switch (part.type) {
    case "text":
      return { type: "text", text: part.text };
    case "reasoning":
      return exact && role === "assistant" ? { type: "reasoning", text: part.text } : null;
    case "file": {
      const data = hostFileData(part);
      if (data === null) return { type: "text", text: fileNote(part) };
      const name = part.name === undefined ? {} : { filename: part.name };
      return { type: "file", data, mediaType: part.mediaType, ...name };
    }
    case "source":
      // The AI SDK keeps sources beside the messages and no provider takes them back.
      return null;
    case "tool-call":
      if (!exact && part.providerExecuted) return null;
      return {
        type: "tool-call",
        toolCallId: part.callId,
        toolName: part.tool,
        input: part.input,
        ...(part.providerExecuted ? { providerExecuted: true } : {}),
      };
    case "tool-result":
      if (!exact && calls.byProvider.has(part.callId)) return null;
      return {
        type: "tool-result",
        toolCallId: part.callId,
        toolName: part.tool,
        output: hostOutput(part, exact),
      };
    case "approval":
      return toHostApproval(part, role, calls, exact);
    case "custom":
      return toHostCustom(part, exact);
  }
}

function toHostApproval(
  part: Extract<Part, { type: "approval" }>,
  role: Message["role"],
  calls: Calls,
  exact: boolean,
): HostPart | null {
  // An answered call needs no approval any more, and an answer belongs to the person's side.
  if (!exact && calls.answered.has(part.callId)) return null;
  if ((part.state === "requested") !== (role === "assistant")) return null;
  const reason = part.reason === undefined ? {} : { reason: part.reason };
  const approvalId = calls.approvalIds.get(part.callId) ?? part.callId;
  const own = readNative(part).approval ?? {};
  return part.state === "requested"
    ? { type: "tool-approval-request", toolCallId: part.callId, ...reason, approvalId, ...own }
    : { type: "tool-approval-response", approved: part.state === "approved", ...reason, approvalId, ...own };
}

function toHostCustom(part: Extract<Part, { type: "custom" }>, exact: boolean): HostPart | null {
  if (part.kind === FILE_REFERENCE) {
    const { reference, mediaType, name } = part.value as { [key: string]: Json };
    return {
      type: "file",
      data: { type: "reference", reference } as HostFilePart["data"],
      mediaType: String(mediaType),
      ...(typeof name === "string" ? { filename: name } : {}),
    };
  }
  // For a person's eyes, not for the model's.
  if (part.kind === UI_DATA) return null;
  if (part.kind === `${HOST_KIND}custom`) {
    return exact ? { type: "custom", kind: String(part.value) as `${string}.${string}` } : null;
  }
  if (part.kind === `${HOST_KIND}reasoning-file`) {
    if (!exact) return null;
    const file = part.value as unknown as Extract<Part, { type: "file" }>;
    // A reasoning file was read from inline data or an address; neither is a reference or an artifact.
    const data = hostFileData(file) as string | URL;
    return { type: "reasoning-file", data, mediaType: file.mediaType };
  }
  throw unsupported(`A part of the kind "${part.kind}"`);
}
