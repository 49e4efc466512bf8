import { type BaseMessage, type BaseMessageLike, coerceMessageLikeToMessage } from "@langchain/core/messages";
import type { Message, MessageInput, Report } from "@throughline/core";
import { fromLangChainMessage, type ToolNames } from "./from-langchain-messages.ts";
import { NATIVE_FORMAT } from "./native-form.ts";

/** The messages of a graph's state, input or update, in any form that the host takes; none where it holds none. */
export function stateMessages(state: unknown): BaseMessage[] {
  const { messages = [] } = { ...(state as { messages?: unknown } | null) };
  try {
    // What isn't message-like throws.
    return [messages].flat().map((message) => coerceMessageLikeToMessage(message as BaseMessageLike));
  } catch {
    // What the graph can't read it tells the app itself.
    return [];
  }
}

/** Each message in the neutral form; one that can't be carried is reported and only the model sees it. */
export function convertEach(messages: readonly BaseMessage[], names: ToolNames, report: Report): MessageInput[] {
  return messages.flatMap((message) => {
    if (!isSaid(message)) return [];
    try {
      return [fromLangChainMessage(message, names)];
    } catch (error) {
      report(error);
      return [];
    }
  });
}

/** Orders to the graph's own state, and what stands in it for messages that were summarized, nobody has said. */
const isSaid = ({ type, additional_kwargs }: BaseMessage): boolean =>
  type !== "remove" && additional_kwargs?.lc_source !== "summarization";

/** The messages behind the last one that was known as the turn began; `null` where somebody has taken that one out. */
export function behind(messages: readonly BaseMessage[], anchor: string | undefined): readonly BaseMessage[] | null {
  if (anchor === undefined) return messages.slice(leadingSystem(messages).length);
  const at = messages.findLastIndex(({ id }) => id === anchor);
  return at < 0 ? null : messages.slice(at + 1);
}

/** System messages at the head: the app's own instructions. */
export function leadingSystem(messages: readonly BaseMessage[]): readonly BaseMessage[] {
  const end = messages.findIndex(({ type }) => type !== "system");
  return end < 0 ? messages : messages.slice(0, end);
}

/** LangGraph throws to interrupt a run and to leave a subgraph; neither is a failure. */
export const bubbles = (error: unknown): boolean => (error as { is_bubble_up?: unknown } | null)?.is_bubble_up === true;

export const isInterrupt = (error: unknown): boolean => bubbles(error) && (error as Error).name === "GraphInterrupt";

/** What a person says in a graph is told from what they say elsewhere: other turns the state has never held. */
export const marked = (message: MessageInput): MessageInput =>
  message.role === "user" ? { native: { format: NATIVE_FORMAT, value: {} }, ...message } : message;

/** Was it said in a graph? */
export const isMarked = ({ native }: Message): boolean => native?.format === NATIVE_FORMAT;
