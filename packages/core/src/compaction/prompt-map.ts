import type { Message } from "../contract/message.ts";

/** What may be taken out of a prompt, by positions in it. */
export interface PromptMap {
  /** Where the newest turn begins: its first user message. */
  turn: number;
  /** The first message behind the newest turn's user messages. */
  answer: number;
  /** Where the newest `keepSteps` steps begin; 0 where there are no more than that. */
  recent: number;
  /** Positions before which the prompt may be cut, ascending: no call is parted from its result there. */
  exchanges: number[];
  /** The same within the newest turn, at the beginnings of its steps. */
  steps: number[];
}

/** True for a message that somebody said: not one that the memory put there. */
const isUser = (message: Message | undefined): boolean => message?.role === "user" && message.origin !== "memory";

/**
 * For each position whether the prompt may be cut before it: every call before it has its result before it too. Ids of
 * calls may come again. A call of the newest turn without a result waits for one; an older one gets none any more.
 */
function closedPositions(messages: readonly Message[], turn: number): boolean[] {
  /** Where each call stands whose end isn't known yet. */
  const waiting = new Map<string, number>();
  const ends = new Map<number, number>();
  const reach = (call: number, end: number) => ends.set(call, Math.max(ends.get(call) ?? call, end));
  messages.forEach((message, index) => {
    for (const part of message.parts) {
      if (part.type === "tool-call") waiting.set(part.callId, index);
      if (part.type !== "tool-result" && part.type !== "approval") continue;
      const call = waiting.get(part.callId);
      if (call === undefined) continue;
      reach(call, index);
      if (part.type === "tool-result") waiting.delete(part.callId);
    }
  });
  for (const call of waiting.values()) if (call >= turn) reach(call, messages.length);
  let openThrough = -1;
  return messages.map((_, index) => {
    const closed = index > openThrough;
    openThrough = Math.max(openThrough, ends.get(index) ?? -1);
    return closed;
  });
}

/** Reads a prompt's turns and steps. A step is one answer of the model with its calls and their results. Pure. */
export function mapPrompt(messages: readonly Message[], keepSteps: number): PromptMap {
  let answer = messages.length;
  while (answer > 0 && !isUser(messages[answer - 1])) answer--;
  let turn = answer;
  while (turn > 0 && isUser(messages[turn - 1])) turn--;
  const closed = closedPositions(messages, turn);
  const stepStarts = messages.flatMap((message, index) =>
    message.role === "assistant" && messages[index - 1]?.role !== "assistant" ? [index] : [],
  );
  const recent = stepStarts.at(-keepSteps) ?? 0;
  return {
    turn,
    answer,
    recent,
    exchanges: messages.flatMap((message, index) =>
      index > 0 && index <= turn && isUser(message) && !isUser(messages[index - 1]) && closed[index] ? [index] : [],
    ),
    steps: stepStarts.filter((index) => index > answer && index <= recent && closed[index]),
  };
}
