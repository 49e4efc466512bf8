import type { ToolResultPart } from "@throughline/core";
import type { ModelMessage } from "ai";
import { hostOutput } from "./tool-output.ts";

/** A prompt with previews in place of results that were offloaded; the same object where it holds none. Pure. */
export function showPreviews(
  messages: ModelMessage[],
  previewOf: (callId: string) => ToolResultPart | undefined,
): ModelMessage[] {
  let changed = false;
  const shown = messages.map((message) => {
    if (message.role !== "tool") return message;
    const content = message.content.map((part) => {
      const preview = part.type === "tool-result" ? previewOf(part.toolCallId) : undefined;
      if (part.type !== "tool-result" || preview === undefined) return part;
      changed = true;
      return { ...part, output: hostOutput(preview, true) };
    });
    return { ...message, content };
  });
  return changed ? shown : messages;
}
