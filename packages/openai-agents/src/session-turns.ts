import type { AgentInputItem, SessionHistoryTransaction } from "@openai/agents";
import {
  type Conversation,
  isLost,
  MemoryError,
  type MessageInput,
  type Outcome,
  type Report,
  type TurnStatus,
  waitingCalls,
} from "@throughline/core";
import type { HostItem } from "./convert/from-items.ts";
import { exchangesOf, type ShownItem } from "./convert/session-items.ts";

/** How a turn that a session is handed has ended, as far as its items tell. */
function statusOf(messages: readonly MessageInput[]): TurnStatus {
  if (waitingCalls(messages).size > 0) return "paused";
  // The host keeps a question alone where the run broke or was stopped.
  return messages.every(({ role }) => role === "user") ? "failed" : "completed";
}

/** Keeps what a session is handed: each question with its answer as one turn, and what has no question with the last one. */
export async function appendItems(
  conversation: Conversation,
  items: readonly (AgentInputItem | HostItem)[],
  report: Report,
  operation?: string,
): Promise<void> {
  let count = 0;
  for (const messages of exchangesOf(items, report)) {
    const named =
      operation === undefined ? messages : messages.map((message) => ({ ...message, id: `${operation}:${count++}` }));
    checkOutcome(await appendTurn(conversation, named, operation && `${operation}:${count}`), report);
  }
}

async function appendTurn(
  conversation: Conversation,
  messages: MessageInput[],
  id: string | undefined,
): Promise<Outcome> {
  const newest = (await conversation.history({ maxMessages: 1 })).at(-1);
  const [first] = messages;
  // The same question again where the last one had no answer is that question, asked once more.
  const isRetry = newest?.role === "user" && first?.role === "user" && isSame(newest, first);
  if (newest?.turn !== undefined && (isRetry || first?.role !== "user")) {
    const rest = isRetry ? messages.slice(1) : messages;
    const turn = await conversation.begin({ id: newest.turn });
    if (turn.resumed)
      return waitingCalls([...turn.messages, ...rest]).size > 0 ? turn.pause(rest) : turn.complete(rest);
    const unique = rest.map((message) => ({ id: crypto.randomUUID(), ...message }));
    return conversation.record({ id: newest.turn, messages: unique });
  }
  return conversation.record({ messages, status: statusOf(messages), ...(id === undefined ? {} : { id }) });
}

const isSame = (stored: Pick<MessageInput, "parts">, given: Pick<MessageInput, "parts">): boolean =>
  JSON.stringify(stored.parts) === JSON.stringify(given.parts);

/** What comes from `from` on gives way to other items. The turns it stood in are replaced, and stay in the transcript. */
export async function replaceSuffix(
  conversation: Conversation,
  shown: readonly ShownItem[],
  from: number,
  replacement: readonly AgentInputItem[],
  report: Report,
  operation?: string,
): Promise<void> {
  const turn = shown[from]?.turn;
  const start = shown.findIndex((entry) => entry.turn === turn);
  const kept = shown.slice(start, from).map(({ item, agent }) => ({ item, ...(agent === undefined ? {} : { agent }) }));
  const messages = exchangesOf([...kept, ...replacement.map((item) => ({ item }))], report).flat();
  if (messages.length > 0) {
    const id = operation === undefined ? {} : { id: operation };
    const status = statusOf(messages);
    const replaces = turn === undefined ? {} : { replaces: turn };
    return checkOutcome(await conversation.record({ ...id, messages, status, ...replaces }), report);
  }
  const before = shown[start - 1]?.turn;
  await (before === undefined ? conversation.clear() : conversation.rewind({ to: before }));
}

function checkOutcome(outcome: Outcome, report: Report): void {
  if (isLost(outcome)) report(outcome);
}

const PAGE = 500;

/** The id under which a transaction is kept; whether it is kept already. The same id with other items is refused. */
export async function transactionId(
  conversation: Conversation,
  operationId: string,
  transaction: SessionHistoryTransaction,
): Promise<{ id: string; isApplied: boolean }> {
  if (typeof operationId !== "string" || operationId.trim() === "") {
    throw new MemoryError("INVALID_ARGUMENT", "A history transaction needs an operationId.");
  }
  const prefix = `op:${await digest(operationId)}:`;
  const id = `${prefix}${await digest(JSON.stringify(transaction))}`;
  let cursor: string | undefined;
  do {
    const page = await conversation.transcript({ limit: PAGE, ...(cursor === undefined ? {} : { cursor }) });
    const ids = page.turns.flatMap((turn) => [turn.id, ...turn.messages.map((message) => message.id)]);
    if (ids.some((known) => known.startsWith(id))) return { id, isApplied: true };
    if (ids.some((known) => known.startsWith(prefix))) {
      throw new MemoryError("VERSION_CONFLICT", "This operationId was used for another transaction.");
    }
    cursor = page.cursor;
  } while (cursor !== undefined);
  return { id, isApplied: false };
}

async function digest(text: string): Promise<string> {
  const bytes = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
  return [...bytes.subarray(0, 12)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
