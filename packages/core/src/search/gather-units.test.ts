import { describe, expect, it } from "vitest";
import type { Message } from "../contract/message.ts";
import { gatherUnits } from "./gather-units.ts";
import { keywordDocuments } from "./keyword-documents.ts";
import { atOnce, Slicer } from "./slices.ts";

/** Messages of one turn that all hold "tea", an assistant's now and then. */
const said = (count: number): Message[] =>
  Array.from({ length: count }, (_, index) => ({
    id: `m${index}`,
    turn: "t1",
    seq: 1,
    role: index % 4 === 3 ? "assistant" : "user",
    parts: [{ type: "text", text: index % 5 === 0 ? `More tea, number ${index}?` : `Tea, number ${index}` }],
    createdAt: "2026-03-01T10:00:00.000Z",
  }));

/** In which order the messages of one long turn and one of the next are gathered. */
function orderOf(count: number): number[] {
  const turn = { id: "t1", conversation: "chat", counted: 1, tokens: 1, startedAt: "2026-03-01T10:00:00.000Z" };
  const long = keywordDocuments({ ...turn, seq: 1, status: "completed", messages: said(count) });
  const next = keywordDocuments({ ...turn, id: "t2", seq: 2, status: "completed", messages: said(1) });
  const documents = [...long, ...next];
  const term = {
    term: "tea",
    documentFrequency: documents.length,
    documents: documents.map((_, index) => index),
    frequencies: documents.map(() => 1),
    lengths: documents.map(({ length }) => length),
    conversations: documents.map(() => 0),
    places: documents.map(({ place }) => place),
  };
  return [...atOnce(gatherUnits([term], new Slicer())).documents];
}

describe("gatherUnits", () => {
  it.each([3, 32, 33, 40, 150])("S1: pieces stand in the order in which they were said, %d in one turn", (count) => {
    expect(orderOf(count)).toEqual(Array.from({ length: count + 1 }, (_, index) => index));
  });
});
