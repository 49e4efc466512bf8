import { expect, it } from "vitest";
import { inMemoryStore } from "../src/index.ts";
import { readTurnsAt, turnKey } from "../src/search/turns-at.ts";
import { user } from "./support.ts";
import { testEngine } from "./test-engine.ts";

it.each(["with findTurns", "conversation by conversation"])(
  "S1: a turn asked for under its old and its new number is read, %s",
  async (way) => {
    const { findTurns, ...rest } = inMemoryStore();
    const store = way === "with findTurns" ? { ...rest, findTurns } : rest;
    const { engine } = testEngine({ store });
    const at = "2026-03-01T09:00:00.000Z";
    const message = { ...user("said"), id: "m", parts: [{ type: "text" as const, text: "said" }], createdAt: at };
    const { content: _content, ...said } = message;
    const turn = { id: "t", status: "completed" as const, startedAt: at, messages: [said], counted: 1, tokens: 1 };
    await store.commitTurn({ ...engine.owner, conversation: "c" }, { now: at, turn });
    const place = { conversation: "c", turn: "t" };
    for (const numbers of [
      [1, 2],
      [2, 1],
    ]) {
      const found = await readTurnsAt(
        engine,
        numbers.map((seq) => ({ ...place, seq })),
        undefined,
      );
      expect(found.get(turnKey(place))?.seq).toBe(1);
    }
  },
);
