import { SystemMessage } from "@langchain/core/messages";

/** The app's system message with the memory's block behind it. */
export function withBlock(message: SystemMessage, block: string): SystemMessage {
  const { content } = message;
  const text = content.length === 0 ? block : `\n\n${block}`;
  const shown = typeof content === "string" ? content + text : [...content, { type: "text" as const, text }];
  return new SystemMessage({ ...message, content: shown });
}

/** The id that a model goes by, for the budget. */
export function modelId(model: unknown): { model?: string } {
  const { model: id, modelName } = model as { model?: unknown; modelName?: unknown };
  const name = id ?? modelName;
  return typeof name === "string" ? { model: name } : {};
}
