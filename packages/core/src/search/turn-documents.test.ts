import { describe, expect, it } from "vitest";
import { turnRow } from "../../test/support.ts";
import type { TurnRow } from "../contract/store-rows.ts";
import { keywordDocuments } from "./keyword-documents.ts";
import { type TakenApart, turnDocuments, turnDocumentsToIndex } from "./turn-documents.ts";

const said = (seq: number, text: string): TurnRow => turnRow(seq, [{ role: "user", parts: [{ type: "text", text }] }]);

describe("turns that no index holds yet", () => {
  it("S1: are taken apart once until they are indexed, and anew once they say something else", () => {
    const engine = { takenApart: new Map<string, TakenApart>() };
    const first = turnDocuments(engine, said(1, "green tea"));
    expect(first).toEqual(keywordDocuments(said(1, "green tea")));
    expect(turnDocuments(engine, said(1, "green tea"))).toBe(first);
    const other = turnDocuments(engine, said(1, "black tea"));
    expect(other).toEqual(keywordDocuments(said(1, "black tea")));
    expect(turnDocuments(engine, { ...said(1, "black tea"), hidden: true })).toEqual([]);
    expect(turnDocuments(engine, { ...said(1, "green tea"), conversation: "d" })).not.toBe(first);
    expect(turnDocumentsToIndex(engine, { ...said(1, "green tea"), conversation: "d" })).toEqual(first);
    expect([...engine.takenApart.keys()]).toHaveLength(1);
  });

  it("S1: are kept up to a number and a length, those looked at last", () => {
    const engine = { takenApart: new Map<string, TakenApart>() };
    const long = said(1, "tea ".repeat(5_000));
    expect(turnDocuments(engine, long)).toEqual(keywordDocuments(long));
    expect(engine.takenApart.size).toBe(0);
    const first = turnDocuments(engine, said(1, "tea 1"));
    for (let seq = 2; seq <= 300; seq++) {
      turnDocuments(engine, said(seq, `tea ${seq}`));
      expect(turnDocuments(engine, said(1, "tea 1"))).toBe(first);
    }
    expect(engine.takenApart.size).toBeLessThan(300);
  });
});
