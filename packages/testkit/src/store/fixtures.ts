import {
  type AgentOwner,
  type ConversationOwner,
  type Fact,
  type FactOwner,
  type FactQuery,
  MemoryError,
  type MemoryErrorCode,
  type MemoryStore,
  type Message,
  type TurnRow,
  type TurnWrite,
} from "@throughline/core";
import { expect } from "vitest";

/** The agent that most cases work for. */
export const AGENT: AgentOwner = { tenant: "acme", agent: "helper" };
/** The conversation that most cases work in. */
export const CHAT: ConversationOwner = { ...AGENT, conversation: "chat-1" };

/** A window that everything fits in. */
export const WIDE = { afterSummary: false, maxMessages: 1_000_000, maxTokens: 1_000_000_000 };

/** Another conversation of the same agent. */
export function chat(conversation: string, agent: AgentOwner = AGENT): ConversationOwner {
  return { tenant: agent.tenant, agent: agent.agent, conversation };
}

/** The moment so many minutes after the kit's beginning of time. */
export function at(minutes: number): string {
  return new Date(Date.UTC(2025, 0, 1) + Math.round(minutes * 60_000)).toISOString();
}

/** What may differ from a plain completed turn. */
export interface TurnOptions extends Partial<Omit<TurnWrite, "turn">> {
  minute?: number;
  said?: string;
  answered?: string;
  turn?: Partial<TurnWrite["turn"]>;
}

/** A turn to write: one question and its answer, `counted` 2 and `tokens` 20. */
export function turnOf(id: string, options: TurnOptions = {}): TurnWrite {
  const { minute = 0, said = `question of ${id}`, answered = `answer of ${id}`, turn, ...write } = options;
  return {
    now: at(minute),
    ...write,
    turn: {
      id,
      status: "completed",
      startedAt: at(minute),
      endedAt: at(minute),
      messages: [messageOf(`${id}-q`, "user", said, minute), messageOf(`${id}-a`, "assistant", answered, minute)],
      counted: 2,
      tokens: 20,
      ...turn,
    },
  };
}

/** A message of one text. */
export function messageOf(id: string, role: Message["role"], text: string, minute = 0): Message {
  const origin = role === "user" ? "user" : "assistant";
  return { id, role, parts: [{ type: "text", text }], createdAt: at(minute), origin };
}

/** Writes turns one after the other; each must be stored. */
export async function record(store: MemoryStore, owner: ConversationOwner, ...writes: TurnWrite[]): Promise<number[]> {
  const sequence: number[] = [];
  for (const write of writes) {
    const commit = await store.commitTurn(owner, write);
    expect(commit.status, `turn ${write.turn.id}`).toBe("stored");
    if (commit.status === "stored") sequence.push(commit.seq);
  }
  return sequence;
}

/** All turns of a conversation, hidden ones too, oldest first. */
export function allTurns(store: MemoryStore, owner: ConversationOwner): Promise<TurnRow[]> {
  return store.readTurns(owner, { hidden: true, limit: 10_000 });
}

/** Ids, in order. */
export function idsOf(rows: readonly { id: string }[]): string[] {
  return rows.map((row) => row.id);
}

/** The messages without what core fills in. */
export function bare(messages: readonly Message[]): Message[] {
  return messages.map(({ seq: _seq, turn: _turn, ...message }) => message);
}

/** A fact's owner. */
export function factsOf(scope: FactOwner["scope"], id: string, agent: AgentOwner = AGENT): FactOwner {
  return { tenant: agent.tenant, agent: scope === "global" ? null : agent.agent, scope, id };
}

/** A live fact of the user scope. */
export function factOf(id: string, options: Partial<Fact> & { minute?: number } = {}): Fact {
  const { minute = 0, ...members } = options;
  return {
    id,
    key: id,
    value: `value of ${id}`,
    type: "fact",
    tags: [],
    scope: "user",
    author: "agent",
    origin: "user",
    createdAt: at(minute),
    updatedAt: at(minute),
    validFrom: at(minute),
    version: 1,
    ...members,
  };
}

/** Puts facts at whatever version the owner's facts have. */
export async function putFacts(store: MemoryStore, owner: FactOwner, ...put: Fact[]): Promise<void> {
  const [set] = await store.readFacts([owner], { now: at(0), limit: 1 });
  const commit = await store.commitFacts(owner, { expectedVersion: set?.version ?? 0, now: at(0), put });
  expect(commit.status).toBe("committed");
}

/** The ids of an owner's facts that answer a query, in order. */
export async function factIds(store: MemoryStore, owner: FactOwner, query: Partial<FactQuery> = {}): Promise<string[]> {
  const [set] = await store.readFacts([owner], { now: at(0), limit: 1_000, ...query });
  return idsOf(set?.facts ?? []);
}

/** The code of the `MemoryError` that a call throws; fails where it throws none. */
export async function codeOf(call: Promise<unknown>): Promise<MemoryErrorCode> {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!MemoryError.isInstance(error)) expect.fail(`A MemoryError was expected, not ${String(error)}.`);
  return error.code;
}

/** Bytes of a text. */
export function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

/** Ids that a careless store mixes up, cuts, folds or takes for something else. All differ. */
export const HOSTILE_IDS: readonly string[] = [
  "u",
  "U",
  "u ",
  " u",
  "ü",
  "u\u0308",
  '["u","1"]',
  '["u","12"]',
  "u:1",
  "u:12",
  "u/1",
  "1",
  "01",
  "1.0",
  "1e0",
  "null",
  "undefined",
  "__proto__",
  "constructor",
  "%",
  "_",
  "u%",
  "*",
  "o'brien\"; DROP TABLE turns; --",
  "\\",
  "a\nb",
  "a\u001fb",
  "\u202eabc",
  "\u200b",
  "👩‍👩‍👧",
  "👩",
  "中文",
  "\uffff",
  "x".repeat(511),
  "x".repeat(512),
];
