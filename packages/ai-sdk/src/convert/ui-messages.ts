import type { MessageInput, Part } from "@throughline/core";
import type { FilePart } from "ai";
import { convertToModelMessages, type ModelMessage, type TextPart, type ToolSet, type UIMessage } from "ai";
import { toJson } from "./json.ts";
import { writeNative } from "./native-form.ts";

/** Kind of the part that stands for a `data-…` part of a UI message. */
export const UI_DATA = "ai-sdk.ui-data";

/** How UI messages are read. */
export interface FromUIMessagesOptions {
  /** The app's tools: how their outputs are shown to the model is theirs. */
  tools?: ToolSet | undefined;
  /** What of a `data-…` part the model sees, as `convertToModelMessages` takes it. */
  convertDataPart?: ((part: { type: `data-${string}`; data: unknown }) => TextPart | FilePart | undefined) | undefined;
}

/** One message for the model, and how its neutral form is named. */
export interface HostMessage {
  message: ModelMessage;
  /** The neutral messages that stand for it, with the UI message's ids. */
  name?(input: MessageInput): MessageInput[];
}

/** The id of the UI message that a neutral message belongs to. */
export const uiMessageId = (id: string): string => id.split("#", 1)[0] as string;

/**
 * Names the messages of one answer after its UI message: the steps by number, results and approvals by their calls. So
 * the client's copy and the record agree, in whichever order tools and approvals came.
 *
 * @param steps how many steps of the answer there are already.
 */
export function nameAnswer(id: string, steps: number): (input: MessageInput) => MessageInput[] {
  let step = steps;
  return (input) => {
    if (input.role === "assistant") {
      const number = step++;
      return [{ ...input, id: number === 0 ? id : `${id}#${number}` }];
    }
    if (input.role !== "tool") return [input];
    return (input.parts ?? []).map((part) => {
      const call = part.type === "tool-result" || part.type === "approval" ? `${part.type}:${part.callId}` : part.type;
      return { ...input, id: `${id}#${call}`, parts: [part] };
    });
  };
}

/**
 * UI messages as the model is given them, each with the ids its neutral form has. What a client left unfinished before
 * the newest question is left out, as no model takes a call without its result.
 */
export async function fromUIMessages(
  messages: readonly UIMessage[],
  options: FromUIMessagesOptions = {},
): Promise<HostMessage[]> {
  const { tools, convertDataPart } = options;
  const convert = { ...(tools ? { tools } : {}), ...(convertDataPart ? { convertDataPart } : {}) };
  const question = messages.findLastIndex(({ role }) => role === "user");
  const converted = messages.map(async (message, index): Promise<HostMessage[]> => {
    const ignoreIncompleteToolCalls = index < question;
    const built = await convertToModelMessages([message], { ...convert, ignoreIncompleteToolCalls });
    if (message.id === "") return built.map((entry) => ({ message: entry }));
    const name =
      message.role === "assistant"
        ? nameAnswer(message.id, 0)
        : (input: MessageInput) => [{ ...input, ...withDataParts(message, input, convertDataPart), id: message.id }];
    return built.map((entry) => ({ message: entry, name }));
  });
  return (await Promise.all(converted)).flat();
}

/** A person's message with what only a UI shows: its metadata, and the data parts in their places. */
function withDataParts(
  message: UIMessage,
  { parts = [] }: MessageInput,
  convertDataPart: FromUIMessagesOptions["convertDataPart"],
): Pick<MessageInput, "parts" | "native"> {
  const shown = [...parts];
  const all = message.parts.flatMap((part): Part[] => {
    if (part.type === "text" || part.type === "file") return shown.splice(0, 1);
    if (!part.type.startsWith("data-")) return [];
    const data = part as { type: `data-${string}`; data: unknown };
    return convertDataPart?.(data) === undefined ? [uiDataPart(data)] : shown.splice(0, 1);
  });
  return { parts: [...all, ...shown], ...uiMetadata(message) };
}

/** A data part in the neutral form. */
export const uiDataPart = (part: { type: `data-${string}` }): Part => ({
  type: "custom",
  kind: UI_DATA,
  value: toJson(part, "A data part"),
});

/** A UI message's metadata beside the neutral form. */
export const uiMetadata = ({ metadata }: UIMessage) =>
  writeNative(metadata === undefined ? {} : { metadata: toJson(metadata, "A message's metadata") });
