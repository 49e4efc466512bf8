import {
  type Conversation,
  createMemory,
  inMemoryStore,
  type MemoryOptions,
  type MemoryStore,
  type Message,
  type Turn,
} from "@throughline/core";

/** A memory of one agent and a conversation of one person in it. */
export function testMemory(
  store: MemoryStore = inMemoryStore(),
  options: Pick<MemoryOptions, "strict" | "onEvent" | "embedder" | "summarizer" | "policy"> = {},
) {
  const memory = createMemory({ agent: "guide", store, env: {}, onEvent: () => {}, ...options });
  return { memory, store, conversation: memory.conversation({ id: "chat", subject: "ada" }) };
}

/** The turns, each message as one short line. */
export async function recorded(conversation: Conversation): Promise<{ status: Turn["status"]; lines: string[] }[]> {
  const { turns } = await conversation.transcript();
  return turns.map(({ status, messages }) => ({ status, lines: messages.map(line) }));
}

/** One message: who, which agent, what. */
export function line({ role, name, parts }: Pick<Message, "role" | "name" | "parts">): string {
  const shown = parts.map((part) => {
    switch (part.type) {
      case "text":
        return part.text;
      case "reasoning":
        return `(${part.text})`;
      case "tool-call":
        return `${part.tool}#${part.callId}`;
      case "tool-result":
        return `#${part.callId}${part.isError ? "!" : ""}=${JSON.stringify(part.output)}`;
      case "approval":
        return `${part.state}#${part.callId}`;
      default:
        return part.type;
    }
  });
  return `${role}${name === undefined ? "" : `(${name})`}: ${shown.join(" ")}`;
}
