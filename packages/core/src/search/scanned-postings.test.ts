import { expect, it } from "vitest";
import { testEngine } from "../../test/test-engine.ts";
import type { KeywordDocument } from "../contract/store-keyword.ts";
import { foundTurns } from "./found-turns.ts";
import { keywordCandidates } from "./keyword-candidates.ts";
import { ScannedPostings } from "./scanned-postings.ts";

const FROM = 1_000;

const document = (message: string, more: Partial<KeywordDocument> = {}): KeywordDocument => ({
  turn: "t",
  seq: 1,
  position: 0,
  message,
  group: "said",
  role: "user",
  createdAt: "2026-03-01T09:00:00.000Z",
  length: message.length,
  place: message.length * 10,
  terms: [["word", 2]],
  ...more,
});

it("S1: what was scanned is numbered as it came, and says where it is and what stands behind it", () => {
  const scanned = new ScannedPostings({ terms: ["word"], groups: ["said"], role: "user" }, FROM);
  const [one, other] = [
    { conversation: "one", turn: "t", seq: 1, subject: "ann" },
    { conversation: "other", turn: "t", seq: 1, subject: undefined },
  ];
  scanned.add(one, document("a"), 7);
  // Another role: counted, and passed over.
  scanned.add(one, document("bb", { role: "assistant" }), 7);
  scanned.add(one, document("ccc", { terms: [] }), 7);
  scanned.add(other, document("dddd"), 8);

  expect([scanned.documents, scanned.totalLength]).toEqual([4, 10]);
  const [postings] = scanned.mergedWith([]);
  expect(postings).toMatchObject({
    documentFrequency: 3,
    documents: [FROM, FROM + 2],
    frequencies: [2, 2],
    lengths: [1, 4],
    conversations: [7, 8],
    places: [10, 40],
  });
  expect(scanned.place(FROM)).toEqual({ ...one, message: "a" });
  expect(scanned.place(FROM + 2)).toEqual({ ...other, message: "dddd" });
  for (const none of [FROM - 1, FROM + 3, 3]) expect(scanned.place(none)).toBeUndefined();

  const behind = { document: FROM + 1, length: 3, place: 30 };
  expect(scanned.following(FROM, 7)).toEqual([{ behind: FROM, ...behind }]);
  // The last of its conversation.
  expect(scanned.following(FROM + 1, 7)).toEqual([]);
  expect(scanned.following(FROM + 2, 8)).toEqual([]);
  // Behind what an index holds the first of the conversation stands.
  expect(scanned.following(3, 8)).toEqual([{ behind: 3, document: FROM + 2, length: 4, place: 40 }]);
  expect(scanned.following(3, 9)).toEqual([]);
});

it("J7: a search of a store without an index keeps nothing taken apart: the next one reads it all again", async () => {
  const { engine, store } = testEngine();
  const at = "2026-03-01T09:00:00.000Z";
  const parts = [{ type: "text" as const, text: "word" }];
  const said = { id: "m", role: "user" as const, parts, createdAt: at, origin: "user" as const };
  const turn = { id: "t", status: "completed", startedAt: at, counted: 1, tokens: 1 } as const;
  await store.commitTurn(
    { ...engine.owner, conversation: "c" },
    { turn: { ...turn, messages: [said] }, subject: "ann", now: at },
  );
  const scope = { kind: "subject", subject: "ann" } as const;
  const query = { terms: ["word"], groups: ["said" as const] };
  const { units } = await keywordCandidates(engine, scope, query, { turns: foundTurns(engine, undefined) });
  expect(units).toHaveLength(1);
  expect(engine.takenApart.size).toBe(0);
});
