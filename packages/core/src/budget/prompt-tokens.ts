import { outputParts } from "../artifacts/tool-output.ts";
import type { FilePart, Message, Part } from "../contract/message.ts";
import type { TokenCounter } from "../text/tokens.ts";

/** Tokens that the framing of one message costs beside what it holds. */
const MESSAGE_TOKENS = 4;

/** Tokens that the framing of one tool call or result costs: its id, its name, its type. */
const CALL_TOKENS = 12;

/** Tokens of an image of any size; the upper end of what providers count for one. */
export const IMAGE_TOKENS = 1_600;

/** Bytes of one token of a file that is no text: documents, sound, video. */
const BYTES_PER_TOKEN = 64;

/** Bytes of one token of a text file. */
const TEXT_BYTES_PER_TOKEN = 3;

/** Least tokens of a file whose content isn't in the prompt. */
const FILE_TOKENS = 256;

function fileTokens(file: FilePart, count: TokenCounter): number {
  const address = count(file.name ?? "") + (file.url?.startsWith("data:") ? 0 : count(file.url ?? file.artifact ?? ""));
  const content = file.data ?? (file.url?.startsWith("data:") ? file.url : undefined);
  if (file.mediaType.startsWith("image/")) return address + IMAGE_TOKENS;
  if (content === undefined) return address + FILE_TOKENS;
  const bytes = (content.length * 3) / 4;
  const perToken = /^text\/|json|xml|yaml|javascript/.test(file.mediaType) ? TEXT_BYTES_PER_TOKEN : BYTES_PER_TOKEN;
  return address + Math.max(FILE_TOKENS, Math.ceil(bytes / perToken));
}

function partTokens(part: Part, count: TokenCounter): number {
  switch (part.type) {
    case "text":
    case "reasoning":
      return count(part.text);
    case "tool-call":
      return CALL_TOKENS + count(part.tool) + count(JSON.stringify(part.input));
    case "tool-result": {
      const framed = CALL_TOKENS + count(part.tool);
      const parts = outputParts(part);
      if (parts) return parts.reduce((sum, inner) => sum + partTokens(inner, count), framed);
      return framed + count(typeof part.output === "string" ? part.output : JSON.stringify(part.output));
    }
    case "file":
      return fileTokens(part, count);
    case "source":
      return count(`${part.title ?? ""} ${part.url ?? part.id ?? ""}`);
    case "approval":
      return CALL_TOKENS + count(part.reason ?? "");
    case "custom":
      return count(part.kind) + count(JSON.stringify(part.value));
  }
}

/** Estimated tokens of one message as a model is sent it: every part of it, and its framing. */
export const messagePromptTokens = (message: Pick<Message, "parts">, count: TokenCounter): number =>
  message.parts.reduce((sum, part) => sum + partTokens(part, count), MESSAGE_TOKENS);

/** Estimated tokens of messages as a model is sent them. */
export const promptTokens = (messages: readonly Pick<Message, "parts">[], count: TokenCounter): number =>
  messages.reduce((sum, message) => sum + messagePromptTokens(message, count), 0);
