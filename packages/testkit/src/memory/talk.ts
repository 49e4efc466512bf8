import {
  type Conversation,
  type Embedder,
  MemoryError,
  type MessageInput,
  type Part,
  type Summarizer,
} from "@throughline/core";

export const DAY_MS = 86_400_000;

export const user = (content: string, id?: string): MessageInput =>
  id === undefined ? { role: "user", content } : { role: "user", content, id };
export const assistant = (content: string, id?: string): MessageInput =>
  id === undefined ? { role: "assistant", content } : { role: "assistant", content, id };
export const calling = (callId: string, id = `call ${callId}`): MessageInput => ({
  id,
  role: "assistant",
  parts: [{ type: "tool-call", callId, tool: "look", input: {} }],
});
export const resultOf = (callId: string, output: string, id = `result ${callId}`): MessageInput => ({
  id,
  role: "tool",
  parts: [{ type: "tool-result", callId, tool: "look", output }],
});

/** The text of messages; of other parts the type. */
export const texts = (messages: readonly { parts: readonly Part[] }[]): string[] =>
  messages.map(({ parts }) => parts.map((part) => (part.type === "text" ? part.text : `<${part.type}>`)).join(""));

/** The code that a call fails with; `undefined` where it succeeds. */
export async function codeOf(call: () => unknown): Promise<string | undefined> {
  try {
    await call();
  } catch (error) {
    if (MemoryError.isInstance(error)) return error.code;
    throw error;
  }
  return undefined;
}

/** Turns `t<from>` to `t<to>`, each a question `q<n>` and an answer `a<n>`. */
export async function say(chat: Conversation, from: number, to: number): Promise<void> {
  for (let n = from; n <= to; n++) {
    await chat.record({ id: `t${n}`, messages: [user(`q${n}`, `u${n}`), assistant(`a${n}`, `a${n}`)] });
  }
}

/** Folds eight messages down to four. */
export const FOLDING = { enabled: true, conversation: { maxMessages: 8, keepMessages: 4 } } as const;

/** Names the question of every turn it was given, so that nothing is lost or folded twice unseen. */
export const listing: Summarizer = ({ previous, turns }) =>
  [...(previous === null ? [] : [previous]), ...turns.map((turn) => texts(turn.messages)[0] ?? "")].join(" ");

const TOPICS = [
  ["dog", "beagle", "puppy"],
  ["car", "vehicle", "drive"],
];

const ELSEWHERE = 61;

/** Places texts in a space of two topics, so that texts without a common word can be near; others lie elsewhere. */
export function topicEmbedder(options: { modelId?: string; before?: () => unknown } = {}): Embedder {
  return {
    modelId: options.modelId ?? "topics@1",
    dimensions: TOPICS.length + ELSEWHERE,
    async embed(given) {
      await options.before?.();
      return given.map((text) => {
        const vector = new Float32Array(TOPICS.length + ELSEWHERE);
        for (const [place, words] of TOPICS.entries())
          vector[place] = words.filter((word) => text.includes(word)).length;
        // What is of no topic lies in a direction of its own, by its length.
        vector[TOPICS.length + (text.length % ELSEWHERE)] = 0.1;
        return vector;
      });
    },
  };
}
