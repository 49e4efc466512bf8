import type { Message, MessageInput } from "@throughline/core";
import type { ModelMessage } from "ai";
import { toModelMessages } from "./to-model-messages.ts";

/** The AI SDK's messages, which have no ids, as messages of one run with stable ids, and back. */
export interface PromptView {
  /** Each message in the neutral form, one for one. The same message in a later step has the same id. */
  read(messages: readonly ModelMessage[]): Message[];
  /** The host's messages again: those that were read last as they are, others built anew. */
  write(messages: readonly Message[]): ModelMessage[];
}

/**
 * Makes the view of one run. A message is known again as an object, else by what it holds, since a step may be given
 * copies. What can't be carried over stands as an empty message, so that its place is kept.
 */
export function createPromptView(
  convert: (message: ModelMessage) => MessageInput | undefined,
  createdAt: string,
): PromptView {
  const byObject = new WeakMap<ModelMessage, Message>();
  const byContent = new Map<string, Message>();
  let read = new Map<Message, ModelMessage>();
  let count = 0;

  const keep = (message: ModelMessage, neutral: Message): Message => {
    byObject.set(message, neutral);
    return neutral;
  };

  const readOne = (message: ModelMessage, taken: ReadonlySet<Message>): Message => {
    const known = byObject.get(message);
    if (known !== undefined && !taken.has(known)) return known;
    const content = JSON.stringify(message, shortenBytes);
    for (let place = 0; ; place++) {
      const key = `${place} ${content}`;
      const same = byContent.get(key);
      if (same !== undefined && taken.has(same)) continue;
      if (same !== undefined) return keep(message, same);
      const { role, parts = [], native } = convert(message) ?? { role: message.role };
      const neutral: Message = { id: `prompt.${count++}`, role, parts: [...parts], createdAt };
      if (native !== undefined) neutral.native = native;
      byContent.set(key, neutral);
      return keep(message, neutral);
    }
  };

  return {
    read(messages) {
      read = new Map();
      const taken = new Set<Message>();
      return messages.map((message) => {
        const neutral = readOne(message, taken);
        taken.add(neutral);
        read.set(neutral, message);
        return neutral;
      });
    },
    write(messages) {
      return messages.flatMap((neutral) => {
        const known = read.get(neutral);
        if (known !== undefined) return [known];
        const built = toModelMessages([neutral], { exact: true });
        for (const message of built) {
          keep(message, neutral);
          byContent.set(`0 ${JSON.stringify(message, shortenBytes)}`, neutral);
        }
        return built;
      });
    },
  };
}

/** Bytes are told apart by their number only: written out they would be many times as long. */
const shortenBytes = (_key: string, value: unknown): unknown =>
  value instanceof Uint8Array ? `${value.length} bytes` : value;
