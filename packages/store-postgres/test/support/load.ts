import { MemoryError, type MemoryStore } from "@throughline/core";
import { expect } from "vitest";
import { chat, turnOf } from "./fixtures.ts";

/** What a load did so far. */
export interface Load {
  /** Ids of turns that were acknowledged. */
  acknowledged: Set<string>;
  /** The error of each turn that wasn't. */
  refused: Map<string, MemoryError>;
  /** The conversations it writes to. */
  names: readonly string[];
  stop(): Promise<void>;
}

/** The conversation of a turn of a load. */
export function conversationOf(turn: string): string {
  return turn.slice(0, turn.lastIndexOf("-"));
}

/**
 * Writes turns with four calls at once until it is stopped. Every third takes the place of the one before it: that is a
 * transaction of several statements.
 */
export function writeOn(store: MemoryStore, prefix: string, text?: string): Load {
  const acknowledged = new Set<string>();
  const refused = new Map<string, MemoryError>();
  let isOn = true;
  const loop = async (conversation: string) => {
    for (let index = 0; isOn; index++) {
      const id = `${conversation}-${index}`;
      const more = index % 3 === 2 ? { hides: [`${conversation}-${index - 1}`] } : {};
      try {
        const { status } = await store.commitTurn(chat(conversation), turnOf(id, more, text));
        if (status === "stored") acknowledged.add(id);
      } catch (error) {
        if (!MemoryError.isInstance(error)) throw error;
        refused.set(id, error);
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    }
  };
  const names = [0, 1, 2, 3].map((index) => `${prefix}${index}`);
  const loops = names.map(loop);
  return {
    acknowledged,
    refused,
    names,
    stop: async () => {
      isOn = false;
      await Promise.all(loops);
    },
  };
}

/** Ids of the turns that are there; each is whole, and the conversations count them right. */
export async function storedIn(store: MemoryStore, names: readonly string[]): Promise<Set<string>> {
  const stored = new Set<string>();
  for (const name of names) {
    const turns = await store.readTurns(chat(name), { limit: 100_000, hidden: true });
    for (const turn of turns) {
      expect(turn.messages.map((message) => message.id)).toEqual([`${turn.id}-q`, `${turn.id}-a`]);
      stored.add(turn.id);
    }
    const row = await store.readConversation(chat(name));
    expect([row?.turns ?? 0, row?.lastSeq ?? 0]).toEqual([
      (await store.readTurns(chat(name), { limit: 100_000 })).length,
      turns.length,
    ]);
  }
  return stored;
}

/** Shows that nothing acknowledged is lost and that what wasn't is stored once by another try. */
export async function expectNothingLost(store: MemoryStore, load: Load): Promise<void> {
  const stored = await storedIn(store, load.names);
  expect([...load.acknowledged].filter((id) => !stored.has(id))).toEqual([]);
  for (const id of load.refused.keys()) {
    const again = await store.commitTurn(chat(conversationOf(id)), turnOf(id));
    expect(again.status, id).toBe(stored.has(id) ? "exists" : "stored");
  }
  await storedIn(store, load.names);
}

/** The codes of a load's errors, with whether to retry. */
export function codesOf(load: Load): string[] {
  return [...new Set([...load.refused.values()].map(({ code, retryable }) => `${code} ${retryable}`))].sort();
}

/** Waits until there are forty. */
export async function untilSome(count: () => number): Promise<void> {
  while (count() < 40) await new Promise((resolve) => setTimeout(resolve, 5));
}
