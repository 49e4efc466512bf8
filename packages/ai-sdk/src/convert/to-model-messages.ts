import { type Json, MemoryError, type Message, type MessageInput, type Part } from "@throughline/core";
import type { AssistantContent, FilePart as HostFilePart, ModelMessage, ToolContent, UserContent } from "ai";
import { FILE_REFERENCE, hostFileData } from "./file-content.ts";
import { HOST_KIND } from "./from-model-messages.ts";
import { unsupported } from "./json.ts";
import { type NativeForm, type PartForm, readNative } from "./native-form.ts";
import { fileNote, hostOutput } from "./tool-output.ts";

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
  const read = messages.map((message) => ({ message, native: readNative(message.native) }));
  const calls = readCalls(read);
  return read.flatMap(({ message, native }) => toModelMessage(message, native, calls, options));
}

const partsOf = (message: Message | MessageInput): readonly Part[] =>
  message.parts ?? [{ type: "text", text: (message as MessageInput).content ?? "" }];

function readCalls(read: readonly { message: Message | MessageInput; native: NativeForm }[]): Calls {
  const calls: Calls = { answered: new Set(), byProvider: new Set(), approvalIds: new Map() };
  for (const { message, native } of read) {
    partsOf(message).forEach((part, index) => {
      if (part.type === "tool-result") calls.answered.add(part.callId);
      if (part.type === "tool-call" && part.providerExecuted) calls.byProvider.add(part.callId);
      const approvalId = native.parts[index]?.approval?.approvalId;
      if (part.type === "approval" && typeof approvalId === "string") calls.approvalIds.set(part.callId, approvalId);
    });
  }
  return calls;
}

function toModelMessage(
  message: Message | MessageInput,
  native: NativeForm,
  calls: Calls,
  { exact = false, onUnsupported }: ToModelMessagesOptions,
): ModelMessage[] {
  const { role } = message;
  const parts = partsOf(message);
  const options = exact && native.providerOptions ? { providerOptions: native.providerOptions } : {};
  const only = parts[0];
  const plain = parts.length === 1 && only?.type === "text" && !(exact && native.parts[0]?.providerOptions);
  if (role === "system" || (plain && role !== "tool")) {
    const text = parts.map((part) => (part.type === "text" ? part.text : "")).join("\n");
    // The provider options were the host's own as they were read.
    return [{ role, content: text, ...options } as ModelMessage];
  }
  const content = parts.flatMap((part, index) => {
    const form = native.parts[index];
    let built: HostPart | null;
    try {
      built = toHostPart(part, role, form, calls, exact);
    } catch (error) {
      if (onUnsupported === undefined || !MemoryError.isInstance(error)) throw error;
      onUnsupported(error);
      return [];
    }
    if (built === null) return [];
    return [exact && form?.providerOptions ? { ...built, providerOptions: form.providerOptions } : built];
  });
  // Each part was built for this role.
  return content.length === 0 ? [] : [{ role, content, ...options } as ModelMessage];
}

/** A part as the host takes it; `null` where it has no place in what this role may say. */
function toHostPart(
  part: Part,
  role: Message["role"],
  form: PartForm | undefined,
  calls: Calls,
  exact: boolean,
): HostPart | null {
  switch (part.type) {
    case "text":
      return { type: "text", text: part.text };
    case "reasoning":
      return exact && role === "assistant" ? { type: "reasoning", text: part.text } : null;
    case "file": {
      const data = hostFileData(part, form);
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
        output: hostOutput(part, form, exact),
      };
    case "approval":
      return toHostApproval(part, role, form, calls, exact);
    case "custom":
      return toHostCustom(part, exact);
  }
}

function toHostApproval(
  part: Extract<Part, { type: "approval" }>,
  role: Message["role"],
  form: PartForm | undefined,
  calls: Calls,
  exact: boolean,
): HostPart | null {
  // An answered call needs no approval any more, and an answer belongs to the person's side.
  if (!exact && calls.answered.has(part.callId)) return null;
  if ((part.state === "requested") !== (role === "assistant")) return null;
  const reason = part.reason === undefined ? {} : { reason: part.reason };
  const approvalId = calls.approvalIds.get(part.callId) ?? part.callId;
  const own = form?.approval ?? {};
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
  if (part.kind === `${HOST_KIND}custom`) {
    return exact ? { type: "custom", kind: String(part.value) as `${string}.${string}` } : null;
  }
  if (part.kind === `${HOST_KIND}reasoning-file`) {
    if (!exact) return null;
    const file = part.value as unknown as Extract<Part, { type: "file" }>;
    // A reasoning file was read from inline data or an address; neither is a reference or an artifact.
    const data = hostFileData(file, undefined) as string | URL;
    return { type: "reasoning-file", data, mediaType: file.mediaType };
  }
  throw unsupported(`A part of the kind "${part.kind}"`);
}
