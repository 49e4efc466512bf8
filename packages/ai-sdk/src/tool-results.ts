import type { MessageInput, OpenTurn, Part, Report, ToolResultPart } from "@throughline/core";
import type { ModelMessage } from "ai";
import { hostOutput } from "./convert/tool-output.ts";

/** The large tool results of one run: kept as artifacts, and shown as previews. */
export interface ToolResults {
  /** The messages with previews in place of large results. Never rejects: what can't be kept stays as it is. */
  offload(messages: readonly MessageInput[]): Promise<MessageInput[]>;
  /** A prompt with the previews of what was offloaded so far; the same object where there are none in it. */
  show(messages: ModelMessage[]): ModelMessage[];
}

/** @param hasTools whether the model can read an artifact page by page. */
export function createToolResults(turn: OpenTurn, report: Report, hasTools: () => boolean): ToolResults {
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

  return {
    async offload(messages) {
      const offloaded: MessageInput[] = [];
      for (const message of messages) {
        const hasResult = message.parts?.some((part) => part.type === "tool-result");
        if (!hasResult) offloaded.push(message);
        else offloaded.push({ ...message, parts: await Promise.all((message.parts ?? []).map(offloadPart)) });
      }
      return offloaded;
    },
    show(messages) {
      if (previews.size === 0) return messages;
      let changed = false;
      const shown = messages.map((message) => {
        if (message.role !== "tool") return message;
        const content = message.content.map((part) => {
          const preview = part.type === "tool-result" ? previews.get(part.toolCallId) : undefined;
          if (part.type !== "tool-result" || preview === undefined) return part;
          changed = true;
          return { ...part, output: hostOutput(preview, true) };
        });
        return { ...message, content };
      });
      return changed ? shown : messages;
    },
  };
}
