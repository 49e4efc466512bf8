import type { Fact } from "@throughline/core";
import { describe, expect, it } from "vitest";
import { readFact, writeFact } from "./fact-body.ts";

const now = "2026-01-01T00:00:00.000Z";
const plain: Fact = {
  id: "fact-1",
  value: "tea",
  type: "fact",
  tags: [],
  scope: "user",
  author: "agent",
  origin: "user",
  createdAt: now,
  updatedAt: now,
  validFrom: now,
  version: 1,
};

describe("a fact's text", () => {
  it("gives back the fact it was written from, whatever members it has", () => {
    const later = "2026-02-01T00:00:00.000Z";
    const facts: Fact[] = [
      plain,
      { ...plain, key: "", value: null },
      { ...plain, key: "0", value: 0, updatedAt: later },
      { ...plain, value: { nested: [1, "two", null, { three: true }] }, tags: ["a", "b"], validFrom: later },
      { ...plain, value: [], type: "instruction", scope: "global", author: "import", origin: "memory" },
      {
        ...plain,
        topic: "drinks",
        confidence: 0.5,
        source: { conversation: "c", turn: "t", quote: "I drink tea" },
        expiresAt: later,
        validTo: later,
        supersededBy: "fact-2",
        disputedWith: "fact-3",
        truncated: true,
      },
    ];
    for (const fact of facts) expect(readFact(writeFact(fact))).toEqual(fact);
  });

  it("keeps members and kinds that this version doesn't know", () => {
    // What a newer core might hand over.
    const fact = { ...plain, type: "habit", mood: "fond" } as unknown as Fact;
    expect(readFact(writeFact(fact))).toEqual(fact);
  });

  it("is half as long as plain JSON", () => {
    expect(writeFact({ ...plain, key: "drink" }).length).toBeLessThan(JSON.stringify(plain).length / 2);
  });

  it("says by its code that a value is no JSON", () => {
    // Typed callers can't, others might.
    const value = 1n as unknown as Fact["value"];
    expect(() => writeFact({ ...plain, value })).toThrow(expect.objectContaining({ code: "INVALID_JSON" }));
  });
});
