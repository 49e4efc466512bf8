import type { MessageInput, OpenTurn, Report, TurnRecorder } from "@throughline/core";
import type { UIMessage } from "ai";
import { nameAnswer, uiDataPart, uiMessageId, uiMetadata } from "./convert/ui-messages.ts";

/** The chat that a run answers in. */
export interface UIChat {
  messages: UIMessage[];
  /** Id of the UI message that the answer becomes, unless it goes on with the chat's last one. */
  id: string;
}

/** What the SDK's UI streams need for a chat whose messages are kept. */
export interface UIAnswerOptions {
  originalMessages: UIMessage[];
  /** The id that the answer is recorded under. */
  generateMessageId(): string;
  /** Keeps what only the UI shows: data parts and metadata. The words are recorded without it. */
  onEnd(event: { readonly responseMessage: UIMessage }): Promise<void>;
}

/** Names an answer's messages as its UI message, and takes in what only the UI knows of it. */
export function createUIAnswer(turn: OpenTurn, recorder: TurnRecorder, report: Report, chat: UIChat) {
  const last = chat.messages.at(-1);
  const id = last?.role === "assistant" ? last.id : chat.id;
  const before = turn.messages.filter((message) => message.role === "assistant" && uiMessageId(message.id) === id);
  let first: MessageInput | undefined = before[0];

  const keep = async (shown: UIMessage): Promise<void> => {
    const data = shown.parts.filter(({ type }) => type.startsWith("data-")) as { type: `data-${string}` }[];
    if (first === undefined || (data.length === 0 && shown.metadata === undefined)) return;
    const parts = [...(first.parts ?? []), ...data.map(uiDataPart)];
    const outcome = await turn.conversation.record({
      id: turn.id,
      status: recorder.ended ?? "completed",
      messages: [{ ...first, parts, ...uiMetadata(shown) }],
    });
    if (outcome.status === "failed") report(outcome);
  };

  const options: UIAnswerOptions = {
    originalMessages: chat.messages,
    generateMessageId: () => chat.id,
    async onEnd({ responseMessage }) {
      const kept = recorder.recorded.then(() => keep(responseMessage)).catch(report);
      // A client that went away: the run may go on for long, or may never end.
      if (recorder.ended !== null) await kept;
    },
  };
  return {
    options,
    name(messages: readonly MessageInput[]): MessageInput[] {
      const named = messages.flatMap(nameAnswer(id, before.length));
      first ??= named.find((message) => message.id === id);
      return named;
    },
  };
}
