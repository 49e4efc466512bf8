import { isoTime } from "../checks/duration.ts";
import type { Message, MessageInput, Part, Role } from "../contract/message.ts";
import type { Origin } from "../contract/origin.ts";
import { contentHash } from "../text/hash.ts";
import { isMemoryTool } from "../tools/tool-names.ts";
import { checkMessage, invalidMessage } from "./check-message.ts";
import { messageHash } from "./message-hash.ts";

const DEFAULT_ORIGIN: Record<Role, Origin> = {
  user: "user",
  assistant: "assistant",
  tool: "tool",
  system: "operator",
};

/** Who a message comes from. What a memory tool answered was in the memory already. */
function originOf(role: Role, parts: readonly Part[]): Origin {
  const fromMemory = parts.length > 0 && parts.every((part) => part.type === "tool-result" && isMemoryTool(part.tool));
  return fromMemory ? "memory" : DEFAULT_ORIGIN[role];
}

/**
 * Checked messages of one turn. A message without an id gets one from the turn's id, its content and how often that
 * content came before, so that the same turn given twice has the same ids. Of an id given twice the later one counts.
 */
export function toMessages(
  inputs: readonly MessageInput[],
  context: { turn: string; now: string; before?: readonly Message[] },
): Message[] {
  if (!Array.isArray(inputs)) throw invalidMessage("messages must be an array", "messages");
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
      origin: input.origin ?? originOf(input.role, parts),
    };
    if (input.name !== undefined) message.name = input.name;
    if (input.native !== undefined) message.native = input.native;
    messages.set(message.id, message);
  });
  return [...messages.values()];
}

/** Messages of both lists, each id once: the later version in the earlier place, and at the time it was first told. */
export function mergeMessages(before: readonly Message[], after: readonly Message[]): Message[] {
  const merged = new Map(before.map((message) => [message.id, message]));
  for (const message of after) {
    const first = merged.get(message.id);
    const { createdAt } = first ?? message;
    merged.set(message.id, createdAt === message.createdAt ? message : { ...message, createdAt });
  }
  return [...merged.values()];
}

/** A turn's id where it leaves room for a hash; a hash of it otherwise. */
const turnPrefix = (turn: string): string => (turn.length <= 128 ? turn : contentHash(turn));
