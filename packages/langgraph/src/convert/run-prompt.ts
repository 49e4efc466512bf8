import { type BaseMessage, ToolMessage } from "@langchain/core/messages";
import { type Message, messageText, type Report, type ToolResultPart } from "@throughline/core";
import { behind, leadingSystem } from "./run-messages.ts";
import { toLangChainMessages } from "./to-langchain-messages.ts";

/** What the model is shown. */
export interface RunPrompt {
  /** The memory block for the system part; empty when there is nothing to say. */
  system: string;
  messages: BaseMessage[];
}

/** What a prompt is made from. */
export interface PromptInput {
  /** The block, and what the memory would show of the whole conversation. */
  turn: { readonly system: string; readonly messages: readonly Message[] };
  /** Ids of what belongs to this turn: the graph's own messages say it. */
  own: ReadonlySet<string | undefined>;
  /** Id of the message behind which this turn's begin. */
  anchor: string | undefined;
  /** The graph's messages. */
  messages: readonly BaseMessage[];
  /** Leave the graph's messages as they are. */
  keepState: boolean;
  exact: boolean;
  /** What stands for a large result of this turn. */
  preview(callId: string): ToolResultPart | undefined;
  report: Report;
}

/** The memory's past, with the graph's own messages where it has them, and then this turn as the graph has it. */
export function runPrompt(input: PromptInput): RunPrompt {
  const { turn, own, anchor, messages, keepState, exact, preview, report } = input;
  const current = behind(messages, anchor)?.map((message) => withOutput(message, preview)) ?? null;
  const ids = new Set([...own, ...(current ?? []).map(({ id }) => id)]);
  const stored = turn.messages.filter(({ id }) => !ids.has(id));
  const told = stored.filter(({ role }) => role === "system").map(messageText);
  const system = [...told, turn.system].filter(Boolean).join("\n\n");
  if (keepState || current === null) return { system, messages: [...messages] };
  const past = withoutAnsweredApprovals(stored.filter(({ role }) => role !== "system"));
  const inState = new Map(messages.map((message) => [message.id, message]));
  const options = { exact, onUnsupported: report };
  const shown: BaseMessage[] = [];
  let foreign: Message[] = [];
  for (const message of [...past, null]) {
    const known = message === null ? undefined : inState.get(message.id);
    if (message !== null && known === undefined) {
      foreign.push(message);
      continue;
    }
    // Together, since what one message says of a call concerns another.
    shown.push(...toLangChainMessages(foreign, options));
    foreign = [];
    if (known !== undefined) shown.push(withOutput(known, (callId) => storedResult(message, callId)));
  }
  return { system, messages: [...leadingSystem(messages), ...shown, ...current] };
}

/** LangChain has no message for a person's word about a call; once the call has its result nothing stands for it. */
function withoutAnsweredApprovals(messages: readonly Message[]): Message[] {
  const answered = new Set(
    messages.flatMap(({ parts }) => parts.flatMap((part) => (part.type === "tool-result" ? [part.callId] : []))),
  );
  return messages.filter(
    ({ role, parts }) =>
      role !== "tool" || !parts.every((part) => part.type === "approval" && answered.has(part.callId)),
  );
}

/** A tool's message with the text that stands for its result, where another one does: a preview of what is kept apart. */
function withOutput(message: BaseMessage, find: (callId: string) => ToolResultPart | undefined): BaseMessage {
  if (!ToolMessage.isInstance(message) || typeof message.content !== "string") return message;
  const { id, name, content, tool_call_id, status } = message;
  const output = find(tool_call_id)?.output;
  if (typeof output !== "string" || output === content) return message;
  return new ToolMessage({
    content: output,
    tool_call_id,
    ...(id === undefined ? {} : { id }),
    ...(name === undefined ? {} : { name }),
    ...(status === undefined ? {} : { status }),
  });
}

const storedResult = (message: Message | null, callId: string): ToolResultPart | undefined =>
  message?.parts.find((part) => part.type === "tool-result" && part.callId === callId) as ToolResultPart | undefined;
