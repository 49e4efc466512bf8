import { isoTime } from "../checks/duration.ts";
import { checkId } from "../checks/ids.ts";
import { canonicalJson, checkJson } from "../checks/json.ts";
import type { Json } from "../contract/json.ts";
import type { Message, MessageInput, Part, Role } from "../contract/message.ts";
import type { Origin } from "../contract/origin.ts";
import { MemoryError } from "../errors/memory-error.ts";
import { contentHash } from "../text/hash.ts";

const DEFAULT_ORIGIN: Record<Role, Origin> = {
  user: "user",
  assistant: "assistant",
  tool: "tool",
  system: "operator",
};

const invalid = (why: string, path: string): MemoryError =>
  new MemoryError("INVALID_MESSAGE", `${path}: ${why}.`, { details: { path } });

const text = (value: unknown, path: string): void => {
  if (typeof value !== "string") throw invalid("a text is missing", path);
};

const optionalText = (value: unknown, path: string): void => {
  if (value !== undefined) text(value, path);
};

function checkPart(part: Part, path: string): void {
  switch (part?.type) {
    case "text":
    case "reasoning":
      return text(part.text, `${path}.text`);
    case "file":
      text(part.mediaType, `${path}.mediaType`);
      for (const key of ["data", "url", "artifact", "name"] as const) optionalText(part[key], `${path}.${key}`);
      if (part.data === undefined && part.url === undefined && part.artifact === undefined) {
        throw invalid("a file needs data, a url or an artifact", path);
      }
      return;
    case "source":
      for (const key of ["id", "url", "title", "mediaType", "name"] as const) optionalText(part[key], `${path}.${key}`);
      return;
    case "tool-call":
      text(part.callId, `${path}.callId`);
      text(part.tool, `${path}.tool`);
      return checkJson(part.input, `${path}.input`);
    case "tool-result":
      text(part.callId, `${path}.callId`);
      text(part.tool, `${path}.tool`);
      return checkJson(part.output, `${path}.output`);
    case "approval":
      text(part.callId, `${path}.callId`);
      if (!["requested", "approved", "denied"].includes(part.state)) throw invalid("an unknown approval state", path);
      return optionalText(part.reason, `${path}.reason`);
    case "custom":
      text(part.kind, `${path}.kind`);
      return checkJson(part.value, `${path}.value`);
    default:
      throw invalid("a part of an unknown type", path);
  }
}

/** The parts of an input, checked. Throws `INVALID_MESSAGE` or `INVALID_JSON`. */
export function checkMessage(input: MessageInput, path: string): Part[] {
  if (typeof input !== "object" || input === null) throw invalid("not a message", path);
  if (!(input.role in DEFAULT_ORIGIN)) throw invalid("role must be user, assistant, tool or system", `${path}.role`);
  if (input.id !== undefined) checkId(input.id, `message id at ${path}`);
  optionalText(input.name, `${path}.name`);
  if (input.native !== undefined) {
    text(input.native.format, `${path}.native.format`);
    checkJson(input.native.value, `${path}.native.value`);
  }
  if (input.parts === undefined) {
    if (typeof input.content !== "string") throw invalid("give parts, or content as a text", path);
    return [{ type: "text", text: input.content }];
  }
  if (input.content !== undefined) throw invalid("give parts or content, not both", path);
  if (!Array.isArray(input.parts)) throw invalid("parts must be an array", `${path}.parts`);
  input.parts.forEach((part, index) => {
    checkPart(part, `${path}.parts[${index}]`);
  });
  return [...input.parts];
}

/** A hash of what a message says: role, name and parts. Times, ids and a host's own form don't count. */
export function messageHash(message: { role: Role; parts: readonly Part[]; name?: string }): string {
  const first = message.parts[0];
  // One text part is by far the most frequent; its content needs no canonical form.
  if (message.parts.length === 1 && first?.type === "text") return contentHash(`${message.role}\n${first.text}`);
  // Parts were checked to be JSON as they came in.
  return contentHash(`${message.role}\n${canonicalJson(message.parts as unknown as Json)}`);
}

/**
 * Checked messages of one turn. A message without an id gets one from the turn's id, its content and how often that
 * content came before, so that the same turn given twice has the same ids. Of an id given twice the later one counts.
 */
export function toMessages(
  inputs: readonly MessageInput[],
  context: { turn: string; now: string; before?: readonly Message[] },
): Message[] {
  if (!Array.isArray(inputs)) throw invalid("messages must be an array", "messages");
  const seen = new Map<string, number>();
  const derivedId = (message: Pick<Message, "role" | "parts">): string => {
    const hash = messageHash(message);
    const count = seen.get(hash) ?? 0;
    seen.set(hash, count + 1);
    return `${turnPrefix(context.turn)}.${hash}${count === 0 ? "" : `.${count}`}`;
  };
  for (const message of context.before ?? []) derivedId(message);
  const messages = new Map<string, Message>();
  (inputs as readonly MessageInput[]).forEach((input, index) => {
    const parts = checkMessage(input, `messages[${index}]`);
    const derived = derivedId({ role: input.role, parts });
    const message: Message = {
      id: input.id ?? derived,
      role: input.role,
      parts,
      createdAt: input.createdAt === undefined ? context.now : isoTime(input.createdAt, `messages[${index}].createdAt`),
      origin: input.origin ?? DEFAULT_ORIGIN[input.role],
    };
    if (input.name !== undefined) message.name = input.name;
    if (input.native !== undefined) message.native = input.native;
    messages.set(message.id, message);
  });
  return [...messages.values()];
}

/** Messages of both lists, each id once: the later version in the earlier place. */
export function mergeMessages(before: readonly Message[], after: readonly Message[]): Message[] {
  const merged = new Map(before.map((message) => [message.id, message]));
  for (const message of after) merged.set(message.id, message);
  return [...merged.values()];
}

/** A turn's id where it leaves room for a hash; a hash of it otherwise. */
const turnPrefix = (turn: string): string => (turn.length <= 128 ? turn : contentHash(turn));

/** All text that a person or the model said in a message, joined by line breaks. */
export function messageText(message: { parts: readonly Part[] }): string {
  const first = message.parts[0];
  if (message.parts.length === 1) return first?.type === "text" ? first.text : "";
  return message.parts
    .filter((part) => part.type === "text")
    .map((part) => part.text)
    .join("\n");
}

/** What a tool answered in a message, as text. */
export function toolResultText(message: { parts: readonly Part[] }): string {
  const texts: string[] = [];
  for (const part of message.parts) {
    if (part.type === "tool-result") {
      texts.push(typeof part.output === "string" ? part.output : JSON.stringify(part.output));
    }
  }
  return texts.join("\n");
}

/** User and assistant messages, as `maxMessages` counts them. */
export const countMessages = (messages: readonly Pick<Message, "role">[]): number =>
  messages.reduce((count, { role }) => count + (role === "user" || role === "assistant" ? 1 : 0), 0);

/** Calls `visit` with every text of a message that a model would be shown. */
export function visitTexts(message: Pick<Message, "parts">, visit: (text: string) => void): void {
  for (const part of message.parts) {
    switch (part.type) {
      case "text":
      case "reasoning":
        visit(part.text);
        break;
      case "tool-call":
        visit(part.tool);
        visit(JSON.stringify(part.input));
        break;
      case "tool-result":
        visit(typeof part.output === "string" ? part.output : JSON.stringify(part.output));
        break;
      case "custom":
        visit(JSON.stringify(part.value));
        break;
      default:
        break;
    }
  }
}

/** Tokens that the framing of one message costs beside its text. */
const MESSAGE_OVERHEAD = 4;

/** Tokens of messages by a counter of texts, framing included. Files count by a flat estimate. */
export function messageTokens(messages: readonly Pick<Message, "parts">[], count: (text: string) => number): number {
  let total = 0;
  for (const message of messages) {
    total += MESSAGE_OVERHEAD;
    visitTexts(message, (value) => {
      total += count(value);
    });
    for (const part of message.parts) if (part.type === "file") total += 256;
  }
  return total;
}
