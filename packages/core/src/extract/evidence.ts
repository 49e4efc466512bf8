import type { Message, Turn } from "../contract/message.ts";
import type { Origin } from "../contract/origin.ts";
import { messageText, toolResultText } from "../conversation/message-text.ts";

/** Origins whose words can be facts about the person: the person's own, and what an operator or an import vouches for. */
const PERSONS: readonly Origin[] = ["user", "user-confirmed", "operator", "import"];

/** True for what the person said; not for a document, a tool or the memory that speaks in the person's place. */
export const isPersons = ({ role, origin }: Pick<Message, "role" | "origin">): boolean =>
  role === "user" && PERSONS.includes(origin ?? "user");

/** One thing that was said, and what was said just before. */
export interface Said {
  text: string;
  origin: Origin;
  /** The assistant's words right before; empty where there were none. */
  answers: string;
}

/** What a fact may rest on. */
export interface Evidence {
  /** Id of the turn or event. */
  id: string;
  /** ISO 8601. */
  at: string;
  /** The person's words, or the event's. */
  said: Said[];
  /** What others said in it: the assistant, tools, the memory. */
  others: string;
}

/** What of a turn can be evidence. `before` is what was said last before it. */
export function turnEvidence(turn: Turn, before: Turn | undefined): Evidence {
  let answers = before === undefined ? "" : lastWords(before);
  const said: Said[] = [];
  const others: string[] = [];
  for (const message of turn.messages) {
    const text = messageText(message);
    if (isPersons(message)) {
      if (text.trim() !== "") said.push({ text, origin: message.origin ?? "user", answers });
    } else {
      others.push(text, toolResultText(message));
      if (message.role === "assistant" && text.trim() !== "") answers = text;
    }
  }
  return { id: turn.id, at: turn.startedAt, said, others: others.filter((text) => text !== "").join("\n") };
}

const lastWords = ({ messages }: Turn): string => {
  const last = messages.findLast((message) => message.role === "assistant" && messageText(message).trim() !== "");
  return last === undefined ? "" : messageText(last);
};
