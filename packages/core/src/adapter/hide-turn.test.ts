import { describe, expect, it } from "vitest";
import { createMemory, inMemoryStore } from "../index.ts";
import { hideTurn } from "./hide-turn.ts";

const said = (content: string) => ({ id: content, messages: [{ role: "user" as const, content }] });

function setUp() {
  return createMemory({ agent: "a", store: inMemoryStore(), env: {}, onEvent: () => {} }).conversation({ id: "c" });
}

describe("B2: a turn that no model is shown again", () => {
  it("is hidden alone, and the transcript has it", async () => {
    const conversation = setUp();
    for (const words of ["one", "two", "three"]) await conversation.record(said(words));
    await hideTurn(conversation, "three");
    expect((await conversation.history()).map(({ turn }) => turn)).toEqual(["one", "two"]);
    const { turns } = await conversation.transcript();
    expect(turns.map(({ id, hidden = false }) => [id, hidden])).toEqual([
      ["one", false],
      ["two", false],
      ["three", true],
    ]);
  });

  it("may be the conversation's first", async () => {
    const conversation = setUp();
    await conversation.record(said("one"));
    await hideTurn(conversation, "one");
    expect(await conversation.history()).toEqual([]);
    expect((await conversation.transcript()).turns).toHaveLength(1);
  });

  it("brings nothing back that was cleared before it", async () => {
    const conversation = setUp();
    await conversation.record(said("one"));
    await conversation.clear();
    await conversation.record(said("two"));
    await hideTurn(conversation, "two");
    expect(await conversation.history()).toEqual([]);
  });
});
