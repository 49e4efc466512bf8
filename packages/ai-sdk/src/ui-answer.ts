import type { MessageInput, OpenTurn, Report, TurnRecorder } from "@throughline/core";
import { consumeStream, type UIMessage } from "ai";
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
  /** Reads the response to its end, so that the run goes on and is recorded when the client goes away. */
  consumeSseStream: typeof consumeStream;
  /**
   * Keeps what only the UI shows: data parts and metadata. Of a response that nobody reads any more it keeps what was
   * said by then, until the run itself ends.
   */
  onEnd(event: { readonly responseMessage: UIMessage; readonly isCancelled?: boolean }): Promise<void>;
}

interface UIAnswerSource {
  turn: OpenTurn;
  recorder: TurnRecorder;
  report: Report;
  /** What has happened in the run. */
  soFar(): MessageInput[];
}

/** Names an answer's messages as its UI message, and takes in what only the UI knows of it. */
export function createUIAnswer(
  { turn, recorder, report, soFar }: UIAnswerSource,
  chat: UIChat,
): { options: UIAnswerOptions; name(messages: readonly MessageInput[]): MessageInput[] } {
  const last = chat.messages.at(-1);
  const id = last?.role === "assistant" ? last.id : chat.id;
  const before = turn.messages.filter((message) => message.role === "assistant" && uiMessageId(message.id) === id);
  let first: MessageInput | undefined = before[0];
  const name = (messages: readonly MessageInput[]) => messages.flatMap(nameAnswer(id, before.length));

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
    consumeSseStream: consumeStream,
    async onEnd({ responseMessage, isCancelled }) {
      if (recorder.ended !== null) return recorder.recorded.then(() => keep(responseMessage)).catch(report);
      if (!isCancelled) return;
      // The run may go on to its end, which is then written over this; or nobody will hear of it again.
      const partial = { id: turn.id, status: "aborted" as const, messages: [...turn.fresh, ...name(soFar())] };
      await turn.conversation.record(partial).catch(report);
      void recorder.recorded.then(() => keep(responseMessage)).catch(report);
    },
  };
  return {
    options,
    name(messages) {
      const named = name(messages);
      first ??= named.find((message) => message.id === id);
      return named;
    },
  };
}
