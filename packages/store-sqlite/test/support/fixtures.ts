import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ConversationOwner, Fact, TurnWrite } from "@throughline/core";
import { onTestFinished } from "vitest";

export const AGENT = { tenant: "acme", agent: "helper" } as const;

export function chat(conversation: string): ConversationOwner {
  return { ...AGENT, conversation };
}

/** Minutes after a fixed moment. */
export function at(minute: number): string {
  return new Date(Date.UTC(2026, 0, 1) + minute * 60_000).toISOString();
}

export function turnOf(id: string, text = `text of ${id}`, more: Partial<TurnWrite> = {}): TurnWrite {
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

/** A directory that is gone after the test. */
export function temporaryDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), "throughline-sqlite-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

/** Every byte of every file in a directory, one character each. */
export function rawBytes(directory: string): string {
  return readdirSync(directory)
    .map((name) => readFileSync(join(directory, name), "latin1"))
    .join("");
}
