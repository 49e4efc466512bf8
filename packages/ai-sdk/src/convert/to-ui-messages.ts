import type { ApprovalPart, Json, Message, Part, ToolCallPart, ToolResultPart, Turn } from "@throughline/core";
import type { ProviderMetadata, UIMessage } from "ai";
import { HOST_KIND } from "./from-model-messages.ts";
import { readNative } from "./native-form.ts";
import { hostOutput } from "./tool-output.ts";
import { UI_DATA, uiMessageId } from "./ui-messages.ts";

type UIPart = UIMessage["parts"][number];

/** How UI messages are written. */
export interface ToUIMessagesOptions {
  /** The app's tools: calls of others are shown as `dynamic-tool`. @default every call is one of the app's tools */
  tools?: { readonly [name: string]: unknown };
}

/**
 * What is stored as a chat shows it: a transcript's turns, without the replaced ones and with calls that wait, or
 * messages. A turn's answer is one UI message, with the id it was streamed under. Pure.
 */
export function toUIMessages(stored: readonly (Turn | Message)[], options: ToUIMessagesOptions = {}): UIMessage[] {
  const messages = stored.flatMap((entry) => ("messages" in entry ? (entry.hidden ? [] : entry.messages) : [entry]));
  const answers = readAnswers(messages);
  const shown: UIMessage[] = [];
  let turn: string | undefined;
  for (const message of messages) {
    const { role, id, parts } = message;
    const last = shown.at(-1);
    const isContinued = last?.role === "assistant" && turn === message.turn && turn !== undefined;
    turn = message.turn;
    // What a model says is streamed, and this is what of it is there at the end.
    const state = role === "assistant" ? ({ state: "done" } as const) : {};
    const own = parts
      .flatMap((part) => toUIPart(part, answers, options))
      .map((part) => (part.type === "text" || part.type === "reasoning" ? { ...part, ...state } : part));
    if (role === "user" && isContinued) {
      // What was said into a run belongs to its answer.
      const said = own.filter((part) => part.type === "text" || part.type === "file");
      last.parts.push({ type: "steering-message", id, parts: said });
    } else if (role === "user" || role === "system") {
      shown.push({ id, role, parts: own, ...metadataOf(message) });
    } else if (role === "assistant") {
      const answer = isContinued ? last : { id: uiMessageId(id), role, parts: [] };
      if (!isContinued) shown.push(answer);
      answer.parts.push({ type: "step-start" }, ...own);
      Object.assign(answer, metadataOf(message));
    }
  }
  return shown;
}

function metadataOf(message: Message): { metadata?: Json } {
  const { metadata } = readNative(message);
  return metadata === undefined ? {} : { metadata };
}

/** What was answered to each call. */
interface Answers {
  results: Map<string, ToolResultPart>;
  approvals: Map<string, { requested?: ApprovalPart; answered?: ApprovalPart }>;
}

function readAnswers(messages: readonly Message[]): Answers {
  const answers: Answers = { results: new Map(), approvals: new Map() };
  for (const part of messages.flatMap(({ parts }) => parts)) {
    if (part.type === "tool-result") answers.results.set(part.callId, part);
    if (part.type !== "approval") continue;
    const key = part.state === "requested" ? "requested" : "answered";
    answers.approvals.set(part.callId, { ...answers.approvals.get(part.callId), [key]: part });
  }
  return answers;
}

const providerMetadata = (part: Part) => {
  const { providerOptions } = readNative(part);
  // It was the SDK's own as it was read.
  return providerOptions === undefined ? {} : { providerMetadata: providerOptions as ProviderMetadata };
};

function toUIPart(part: Part, answers: Answers, { tools }: ToUIMessagesOptions): UIPart[] {
  switch (part.type) {
    case "text":
    case "reasoning":
      return [{ type: part.type, text: part.text, ...providerMetadata(part) }];
    case "file": {
      const url = part.url ?? (part.data === undefined ? undefined : `data:${part.mediaType};base64,${part.data}`);
      const name = part.name === undefined ? {} : { filename: part.name };
      if (url === undefined) return [{ type: "text", text: `[file ${part.name ?? part.mediaType}]` }];
      return [{ type: "file", mediaType: part.mediaType, url, ...name }];
    }
    case "source": {
      const sourceId = part.id ?? part.url ?? part.title ?? "source";
      if (part.url !== undefined)
        return [{ type: "source-url", sourceId, url: part.url, ...(part.title ? { title: part.title } : {}) }];
      const { mediaType = "text/plain", title = sourceId, name } = part;
      return [{ type: "source-document", sourceId, mediaType, title, ...(name ? { filename: name } : {}) }];
    }
    case "tool-call": {
      const isDynamic = tools !== undefined && !Object.hasOwn(tools, part.tool);
      const named = isDynamic ? { type: "dynamic-tool", toolName: part.tool } : { type: `tool-${part.tool}` };
      // Name and state together are one of the SDK's tool parts.
      return [{ ...named, ...invocation(part, answers) } as UIPart];
    }
    case "custom":
      // The value is the data part as it was read.
      if (part.kind === UI_DATA) return [part.value as unknown as UIPart];
      if (part.kind === `${HOST_KIND}custom`) {
        return [{ type: "custom", kind: String(part.value) as `${string}.${string}`, ...providerMetadata(part) }];
      }
      return [{ type: `data-${part.kind}`, data: part.value }];
    case "tool-result":
    case "approval":
      return [];
  }
}

function invocation(call: ToolCallPart, { results, approvals }: Answers) {
  const { callId, input, providerExecuted } = call;
  const { providerMetadata: callProviderMetadata } = providerMetadata(call);
  const base = {
    toolCallId: callId,
    input,
    ...(providerExecuted ? { providerExecuted } : {}),
    ...(callProviderMetadata ? { callProviderMetadata } : {}),
  };
  const { requested, answered } = approvals.get(callId) ?? {};
  const { approvalId, ...rest } = readNative(requested ?? answered ?? {}).approval ?? {};
  const approval = {
    id: typeof approvalId === "string" ? approvalId : callId,
    ...rest,
    ...(requested?.reason === undefined ? {} : { requestReason: requested.reason }),
    ...(answered === undefined ? {} : { approved: answered.state === "approved" }),
    ...(answered?.reason === undefined ? {} : { reason: answered.reason }),
  };
  const asked = requested === undefined && answered === undefined ? {} : { approval };
  const result = results.get(callId);
  if (result === undefined) {
    const waiting = requested === undefined ? "input-available" : "approval-requested";
    return { ...base, ...asked, state: answered === undefined ? waiting : "approval-responded" };
  }
  if (answered?.state === "denied") return { ...base, approval, state: "output-denied" };
  const shown = hostOutput(result, false);
  const output = shown.type === "execution-denied" ? shown.reason : shown.value;
  if (!result.isError) return { ...base, ...asked, state: "output-available", output };
  const errorText = typeof output === "string" ? output : JSON.stringify(output ?? "");
  return { ...base, ...asked, state: "output-error", errorText };
}
