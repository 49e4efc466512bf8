import type { Fact, TurnWrite } from "@throughline/core";

/** Minutes after a fixed moment. */
export function at(minute: number): string {
  return new Date(Date.UTC(2026, 0, 1) + minute * 60_000).toISOString();
}

export function turnOf(id: string, more: Partial<TurnWrite> = {}, text = `text of ${id}`): TurnWrite {
  return {
    turn: {
      id,
      status: "completed",
      startedAt: at(1),
      counted: 2,
      tokens: 10,
      messages: [
        { id: `${id}-q`, role: "user", parts: [{ type: "text", text }], createdAt: at(1), origin: "user" },
        { id: `${id}-a`, role: "assistant", parts: [{ type: "text", text: `answer to ${text}` }], createdAt: at(1) },
      ],
    },
    now: at(1),
    ...more,
  };
}

export function factOf(id: string, value: string): Fact {
  return {
    id,
    value,
    type: "fact",
    tags: [],
    scope: "user",
    author: "user",
    origin: "user",
    createdAt: at(1),
    updatedAt: at(1),
    validFrom: at(1),
    version: 1,
  };
}
