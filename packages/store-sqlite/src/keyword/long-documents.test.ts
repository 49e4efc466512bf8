import { join } from "node:path";
import { performance } from "node:perf_hooks";
import type { KeywordDocument } from "@throughline/core";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { AGENT, at, chat, temporaryDirectory, turnOf } from "../../test/support/fixtures.ts";
import { changeTurns } from "../change-turns.ts";
import { commitTurn } from "../commit-turn.ts";
import { findConversation } from "../conversation-rows.ts";
import { nodeDriver } from "../driver.ts";
import { erase } from "../erase.ts";
import { openSession } from "../open-session.ts";
import type { Session } from "../session.ts";
import type { Steps } from "../steps.ts";
import { indexDocuments } from "./index-documents.ts";
import { doomDocuments } from "./mark-documents.ts";
import { settleDocuments } from "./pending-documents.ts";
import { readPostings } from "./postings.ts";

const SETTINGS = { driver: nodeDriver, synchronous: "normal", readOnly: false, cacheBytes: 1_000_000 } as const;
const open = (): Promise<Session> => openSession({ ...SETTINGS, path: ":memory:" });

/** Every look at the clock finds a piece's time over. */
beforeEach(() => {
  let now = 0;
  vi.spyOn(performance, "now").mockImplementation(() => (now += 10));
});
afterEach(() => vi.restoreAllMocks());

const piece = <Result>(session: Session, work: Steps<Result>) => session.transaction(() => work.next());

function through<Result>(session: Session, work: Steps<Result>, between = () => {}): Result {
  for (let pieces = 0; pieces < 10_000; pieces++) {
    const step = piece(session, work);
    if (step.done === true) return step.value;
    between();
  }
  throw new Error("It comes to no end.");
}

/** Two messages of a turn: one short, and one with so many terms of its own. */
function documentsOf(turn: number, terms: number): KeywordDocument[] {
  return [2, terms].map((count, position) => ({
    turn: `t${turn}`,
    seq: turn,
    position,
    place: turn * 1024 + position,
    message: `t${turn}-${position === 0 ? "q" : "a"}`,
    role: position === 0 ? "user" : "assistant",
    createdAt: at(1),
    group: "said",
    length: count,
    terms: Array.from({ length: count }, (_, index) => [`w${index * 7 + turn}`, 1 + (index % 3)] as const),
  }));
}

const begin = (session: Session, turn: number): void => {
  session.transaction(() => commitTurn(session, chat("c"), turnOf(`t${turn}`, "text", { subject: "ann" })));
};
const index = (session: Session, after: number, documents: readonly KeywordDocument[], through = after + 1) =>
  indexDocuments(session, chat("c"), { after, through, documents });
const count = (session: Session, table: string): number =>
  session.row<[number]>(`SELECT count(*) FROM ${table}`)?.[0] ?? 0;
const indexedThrough = (session: Session): number =>
  session.row<[number]>("SELECT indexed_seq FROM conversation WHERE ref > 0 LIMIT 1")?.[0] ?? 0;

/** What a subject's words are found in: the place and frequency of each. */
function found(session: Session, subject: string, terms: readonly string[]) {
  const postings = through(
    session,
    readPostings(session, AGENT, { kind: "subject", subject }, { terms, groups: ["said"] }),
  );
  return {
    documents: postings.documents,
    length: postings.totalLength,
    terms: postings.terms.map(({ term, places, frequencies }) => [
      term,
      places.map((place, at) => [place, frequencies[at]]),
    ]),
  };
}

function expected(documents: readonly KeywordDocument[], terms: readonly string[]) {
  return {
    documents: documents.length,
    length: documents.reduce((sum, { length }) => sum + length, 0),
    terms: terms.map((term) => [
      term,
      documents.flatMap(({ place, terms: own }) =>
        own.flatMap(([text, often]) => (text === term ? [[place, often]] : [])),
      ),
    ]),
  };
}

const ASKED = ["w1", "w8", "w15", "w4194", "w2"];

describe("a message of very many words", () => {
  it("J7/E3: is indexed in pieces that are as long however many words it has, and found once all are there", async () => {
    const session = await open();
    const documents = documentsOf(1, 1_500);
    begin(session, 1);
    let before = 0;
    let most = 0;
    let pieces = 0;
    const isIndexed = through(session, index(session, 0, documents), () => {
      const rows = count(session, "posting");
      most = Math.max(most, rows - before);
      before = rows;
      pieces++;
      // It is behind the watermark, where its turn is read as it is.
      expect(indexedThrough(session)).toBe(0);
      expect(found(session, "ann", ["w4194"]).terms).toEqual([["w4194", []]]);
    });
    expect(isIndexed).toBe(true);
    expect(indexedThrough(session)).toBe(1);
    expect(pieces).toBeGreaterThan(15);
    expect(most).toBeLessThanOrEqual(100);
    expect(found(session, "ann", ASKED)).toEqual(expected(documents, ASKED));
    session.close();
  });

  it.each(["hide", "erase"] as const)("J7/A3: leaves the index in pieces: %s", async (action) => {
    const session = await open();
    begin(session, 1);
    through(session, index(session, 0, documentsOf(1, 1_500)));
    session.transaction(() => changeTurns(session, chat("c"), [{ turn: "t1", action }], at(2)));
    let before = count(session, "posting");
    let most = 0;
    through(session, settleDocuments(session), () => {
      const rows = count(session, "posting");
      most = Math.max(most, before - rows);
      before = rows;
      expect(found(session, "ann", ASKED)).toEqual(expected([], ASKED));
    });
    expect(most).toBeLessThanOrEqual(100);
    expect(count(session, "posting")).toBe(0);
    expect(count(session, "document")).toBe(action === "hide" ? 2 : 0);
    session.close();
  });

  it("J7/A3: goes with its conversation, in pieces, while another's words stay", async () => {
    const session = await open();
    begin(session, 1);
    through(session, index(session, 0, documentsOf(1, 1_500)));
    session.transaction(() => commitTurn(session, chat("d"), turnOf("t1", "text", { subject: "ann" })));
    const other = documentsOf(1, 40);
    through(session, indexDocuments(session, chat("d"), { after: 0, through: 1, documents: other }));
    let before = count(session, "posting");
    let most = 0;
    through(session, erase(session, AGENT, { kind: "conversation", conversation: "c" }, at(3)), () => {
      const rows = count(session, "posting");
      most = Math.max(most, before - rows);
      before = rows;
    });
    expect(most).toBeLessThanOrEqual(100);
    expect(found(session, "ann", ASKED)).toEqual(expected(other, ASKED));
    session.close();
  });

  it("J7: a subject of many short turns goes in pieces, too", async () => {
    const session = await open();
    for (let turn = 1; turn <= 60; turn++) {
      begin(session, turn);
      through(session, index(session, turn - 1, documentsOf(turn, 5)));
    }
    // Time goes by more slowly: what is done within a piece is only ever little.
    let now = 0;
    vi.spyOn(performance, "now").mockImplementation(() => (now += 0.5));
    let pieces = 0;
    let before = count(session, "document");
    let most = 0;
    through(session, erase(session, AGENT, { kind: "subject", subject: "ann" }, at(3)), () => {
      const left = count(session, "document");
      most = Math.max(most, before - left);
      before = left;
      pieces++;
    });
    expect(pieces).toBeGreaterThan(5);
    expect(most).toBeLessThanOrEqual(60);
    expect(count(session, "document")).toBe(0);
    session.close();
  });

  it.each([1, 4, 9])(
    "A3/E3: goes with its subject where it has %d pieces of its postings, whoever settles meanwhile",
    async (pieces) => {
      const session = await open();
      begin(session, 1);
      const cut = index(session, 0, documentsOf(1, 900));
      for (let done = 0; done < pieces; done++) piece(session, cut);
      const erasing = erase(session, AGENT, { kind: "subject", subject: "ann" }, at(3));
      // The eraser ends before the rows are gone, in whose bucket nobody is at home any more.
      piece(session, erasing);
      through(session, settleDocuments(session));
      expect(through(session, cut)).toBe(false);
      through(session, erasing);
      for (const table of ["posting", "document", "recent_terms", "turn"]) expect(count(session, table), table).toBe(0);
      session.close();
    },
  );

  it.each(["begun anew", "erased"])(
    "E3/A3: is %s where another process marked it, and ended before it settled that",
    async (what) => {
      const path = join(temporaryDirectory(), "memory.db");
      const [session, other] = [await openSession({ ...SETTINGS, path }), await openSession({ ...SETTINGS, path })];
      const documents = documentsOf(1, 300);
      begin(session, 1);
      const cut = index(session, 0, documents);
      while (count(session, "document") === 0) piece(session, cut);
      // From here on it takes it that nothing is marked.
      through(session, settleDocuments(session));
      other.transaction(() => doomDocuments(other, findConversation(other, chat("c"))?.ref ?? 0, 1));
      expect(other.row("SELECT 1 FROM document WHERE bucket > 0 AND filed = 3")).toBeDefined();
      other.close();
      if (what === "erased") {
        through(session, erase(session, AGENT, { kind: "conversation", conversation: "c" }, at(3)));
        for (const table of ["posting", "document", "recent_terms", "turn"]) {
          expect(count(session, table), table).toBe(0);
        }
      } else {
        expect(through(session, index(session, 0, documents))).toBe(true);
        expect(found(session, "ann", ASKED)).toEqual(expected(documents, ASKED));
      }
      session.close();
    },
  );

  it("E3: is indexed whole where the process ended in the middle of it", async () => {
    for (const pieces of [1, 3, 7, 12]) {
      const session = await open();
      const documents = documentsOf(1, 900);
      begin(session, 1);
      const cut = index(session, 0, documents);
      for (let done = 0; done < pieces; done++) piece(session, cut);
      // Where somebody settles what it left, and where the turn is indexed anew at once.
      if (pieces % 2 === 1) through(session, settleDocuments(session));
      expect(through(session, index(session, 0, documents))).toBe(true);
      expect(found(session, "ann", ASKED)).toEqual(expected(documents, ASKED));
      expect(count(session, "document")).toBe(2);
      session.close();
    }
  });

  const step = fc.oneof(
    { weight: 6, arbitrary: fc.record({ do: fc.constant("piece" as const), which: fc.nat({ max: 20 }) }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constantFrom("settle" as const, "index" as const), which: fc.nat() }) },
    {
      weight: 2,
      arbitrary: fc.record({
        do: fc.constantFrom("hide" as const, "show" as const, "ann" as const, "bob" as const),
        which: fc.nat(),
      }),
    },
  );

  it("S1/A3: stands in the index as its turn does, whoever works on it at the same time", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 60 }), async (steps) => {
        const session = await open();
        const turns = [1, 2];
        const sizes = [0, 700, 300];
        const documents = turns.flatMap((turn) => documentsOf(turn, sizes[turn] ?? 0));
        for (const turn of turns) begin(session, turn);
        const states = new Map(turns.map((turn) => [turn, { subject: "ann", hidden: false }]));
        const works: Steps<unknown>[] = [];
        for (const { do: action, which } of steps) {
          if (action === "settle") works.push(settleDocuments(session));
          else if (action === "index") works.push(index(session, 0, documents, 2));
          else if (action === "piece") {
            const work = works[which % Math.max(1, works.length)];
            if (work !== undefined && piece(session, work).done === true) works.splice(works.indexOf(work), 1);
          } else {
            const turn = 1 + (which % 2);
            const state = states.get(turn);
            if (state === undefined) continue;
            if (action === "ann" || action === "bob") state.subject = action;
            else state.hidden = action === "hide";
            const change =
              action === "ann" || action === "bob"
                ? ({ turn: `t${turn}`, action: "restamp", subject: action } as const)
                : ({ turn: `t${turn}`, action } as const);
            session.transaction(() => changeTurns(session, chat("c"), [change], at(2)));
          }
        }
        // Each goes on by turns, until all are through.
        while (works.length > 0) {
          for (const work of [...works]) if (piece(session, work).done === true) works.splice(works.indexOf(work), 1);
        }
        if (indexedThrough(session) === 0) expect(through(session, index(session, 0, documents, 2))).toBe(true);
        through(session, settleDocuments(session));
        for (const subject of ["ann", "bob"]) {
          const own = documents.filter(({ seq }) => {
            const state = states.get(seq);
            return state?.subject === subject && !state.hidden;
          });
          const sorted = found(session, subject, ASKED);
          for (const [, places] of sorted.terms) (places as number[][]).sort(([left = 0], [right = 0]) => left - right);
          expect(sorted).toEqual(expected(own, ASKED));
        }
        const visible = [...states.values()].filter(({ hidden }) => !hidden).length;
        if (visible === 0) {
          expect(count(session, "posting")).toBe(0);
          expect(count(session, "recent_terms")).toBe(0);
        }
        expect(count(session, "document")).toBe(4);
        session.close();
      }),
      { numRuns: 60 },
    );
  });
});
