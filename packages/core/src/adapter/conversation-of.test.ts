import { describe, expect, it } from "vitest";
import { createMemory, inMemoryStore } from "../index.ts";
import { conversationOf } from "./conversation-of.ts";

const memory = createMemory({ agent: "a", store: inMemoryStore(), env: {} });
const own = memory.conversation({ id: "own" });

describe("B1: which conversation a run is about", () => {
  it("is the one given, else the scope's, else the context's", () => {
    const context = { conversation: { id: "context", subject: "ada" }, room: "room" };
    expect(conversationOf(own, { id: "scope" }, context)).toBe(own);
    expect(conversationOf(memory, { id: "scope" }, context).id).toBe("scope");
    expect(conversationOf(memory, ({ room }: typeof context) => ({ id: room }), context).id).toBe("room");
    expect(conversationOf(memory, undefined, context)).toMatchObject({ id: "context", subject: "ada" });
    expect(conversationOf(memory, () => own, context)).toBe(own);
    expect(conversationOf(memory, undefined, { conversation: own })).toBe(own);
  });

  it.each([
    ["nothing says it", undefined, undefined],
    ["the context has none", undefined, { user: "ada" }],
    ["the context's is no reference", undefined, { conversation: "chat-1" }],
    ["a function has nothing to look at", () => ({ id: "x" }), undefined],
  ])("is an error that says what to do where %s", (_, scope, context) => {
    expect(() => conversationOf<unknown>(memory, scope, context)).toThrow(
      expect.objectContaining({ code: "INVALID_ARGUMENT" }),
    );
  });
});
