import type { OpenTurn } from "../contract/conversation.ts";
import type { MessageInput, Part, ToolResultPart } from "../contract/message.ts";
import type { Report } from "./create-report.ts";

/** The large tool results of one run: kept as artifacts, and shown as previews. */
export interface ResultKeeper {
  /** The messages with previews in place of large results. Never rejects: what can't be kept stays, and is reported. */
  offload(messages: readonly MessageInput[]): Promise<MessageInput[]>;
  /** The same for what the host brought with its question; the turn records the previews. */
  offloadFresh(): Promise<void>;
  /** What stands for a result that was offloaded; `undefined` for any other. */
  preview(callId: string): ToolResultPart | undefined;
}

/**
 * For adapters whose hosts run the tools themselves: each result passes the keeper before it is recorded or shown.
 *
 * @param hasTools whether the model can read an artifact page by page.
 */
export function createResultKeeper(turn: OpenTurn, report: Report, hasTools: () => boolean): ResultKeeper {
  const previews = new Map<string, ToolResultPart>();

  const offloadPart = async (part: Part): Promise<Part> => {
    if (part.type !== "tool-result") return part;
    try {
      // Without the run's signal: a run that was stopped has its results all the same. What models look at stays.
      const shown = await turn.offload(part, { artifactTools: hasTools(), keepMedia: true });
      if (shown !== part) previews.set(part.callId, shown);
      return shown;
    } catch (error) {
      report(error);
      return part;
    }
  };
  const offload = (messages: readonly MessageInput[]): Promise<MessageInput[]> =>
    Promise.all(
      messages.map(async (message) => {
        if (!message.parts?.some((part) => part.type === "tool-result")) return message;
        const parts = await Promise.all(message.parts.map(offloadPart));
        return parts.every((part, index) => part === message.parts?.[index]) ? message : { ...message, parts };
      }),
    );

  return {
    offload,
    async offloadFresh() {
      const fresh = await offload(turn.fresh);
      if (!turn.ended && fresh.some((message, index) => message !== turn.fresh[index])) turn.append(fresh);
    },
    preview: (callId) => previews.get(callId),
  };
}
