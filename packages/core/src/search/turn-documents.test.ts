import { describe, expect, it } from "vitest";
import { turnRow } from "../../test/support.ts";
import type { TurnRow } from "../contract/store-rows.ts";
import { keywordDocuments } from "./keyword-documents.ts";
import { atOnce } from "./slices.ts";
import * as slices from "./turn-documents.ts";

type Kept = Parameters<typeof slices.turnDocuments>[0];
const turnDocuments = (engine: Kept, turn: TurnRow) => atOnce(slices.turnDocuments(engine, turn));
const turnDocumentsToIndex = (engine: Kept, turn: TurnRow) => atOnce(slices.turnDocumentsToIndex(engine, turn));

const said = (seq: number, text: string): TurnRow => turnRow(seq, [{ role: "user", parts: [{ type: "text", text }] }]);

describe("turns that no index holds yet", () => {
  it("S1: are taken apart once until they are indexed, and anew once they say something else", () => {
    const engine = { takenApart: new Map<string, slices.TakenApart>() };
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
    const engine = { takenApart: new Map<string, slices.TakenApart>() };
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

  it("J7: are taken apart a piece at a time where they are long", () => {
    const engine = { takenApart: new Map<string, slices.TakenApart>() };
    const long = said(1, "Green tea is best in spring. ".repeat(2_000));
    const steps = slices.turnDocuments(engine, long);
    let pauses = 0;
    let step = steps.next();
    for (; step.done !== true; step = steps.next()) pauses++;
    expect(step.value).toEqual(keywordDocuments(long));
    expect(pauses).toBeGreaterThanOrEqual(step.value.length);
    expect(step.value.length).toBeGreaterThan(20);
  });
});
