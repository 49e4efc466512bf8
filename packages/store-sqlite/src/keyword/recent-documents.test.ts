import { performance } from "node:perf_hooks";
import type { KeywordDocument, Postings } from "@throughline/core";
import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { AGENT, at, chat, turnOf } from "../../test/support/fixtures.ts";
import { changeTurns } from "../change-turns.ts";
import { commitTurn } from "../commit-turn.ts";
import { nodeDriver } from "../driver.ts";
import { erase } from "../erase.ts";
import { openSession } from "../open-session.ts";
import type { Session } from "../session.ts";
import { finishWork } from "../work.ts";
import { fileRecent } from "./file-recent.ts";
import { fileLong, indexDocuments } from "./index-documents.ts";
import { settleDocuments } from "./pending-documents.ts";
import { readPostings } from "./postings.ts";
import { isLong } from "./recent-documents.ts";
import { RecentReader } from "./recent-terms.ts";

const SETTINGS = { driver: nodeDriver, synchronous: "normal", readOnly: false, cacheBytes: 1_000_000 } as const;
const TERMS = Array.from({ length: 90 }, (_, index) => `term${index}`);
const open = (): Promise<Session> => openSession({ ...SETTINGS, path: ":memory:" });

/** The terms of a turn's two messages: some in every document, some in a few. */
function documentsOf(turn: number): KeywordDocument[] {
  return ["q", "a"].map((end, position) => {
    const terms = TERMS.filter((_, index) => (turn * 2 + position) % (1 + (index % 7)) === 0);
    return {
      turn: `t${turn}`,
      seq: turn,
      position,
      place: turn * 1024 + position,
      message: `t${turn}-${end}`,
      role: position === 0 ? "user" : "assistant",
      createdAt: at(1),
      group: turn % 5 === 0 && position === 1 ? "tool" : "said",
      length: terms.length + turn,
      terms: terms.map((term) => [term, 1 + (turn % 3)]),
    };
  });
}

/** Runs pieces as transactions of their own; `between` is called behind each. */
function through<Result>(session: Session, work: Generator<void, Result, void>, between = () => {}): Result {
  for (;;) {
    const step = session.transaction(() => work.next());
    if (step.done === true) return step.value;
    between();
  }
}

function index(session: Session, turn: number): boolean {
  const batch = { after: turn - 1, through: turn, documents: documentsOf(turn) };
  return through(session, indexDocuments(session, chat("c"), batch));
}

/** Where terms stand, without the documents' numbers. */
function standings({ documents, totalLength, terms }: Postings) {
  return {
    documents,
    totalLength,
    terms: terms.map((entry) => ({
      term: entry.term,
      documentFrequency: entry.documentFrequency,
      at: entry.places.map((place, at) => [place, entry.frequencies[at], entry.lengths[at]]).sort(),
    })),
  };
}

/** The same of the turns that a subject has. */
function expected(turns: Iterable<number>, groups: readonly string[]) {
  const documents = [...turns].flatMap(documentsOf).filter(({ group }) => groups.includes(group));
  return {
    documents: documents.length,
    totalLength: documents.reduce((sum, { length }) => sum + length, 0),
    terms: TERMS.map((term) => {
      const at = documents.flatMap(({ place, length, terms }) => {
        const found = terms.find(([text]) => text === term);
        return found === undefined ? [] : [[place, found[1], length]];
      });
      return { term, documentFrequency: at.length, at: at.sort() };
    }),
  };
}

const postingsIn = (session: Session): number => session.row<[number]>("SELECT count(*) FROM posting")?.[0] ?? 0;

/** How many documents are recent. */
function recentIn(session: Session): number {
  let count = 0;
  for (const [data] of session.rows<[Uint8Array]>("SELECT data FROM recent_terms")) {
    const reader = new RecentReader(data);
    while (reader.next()) count++;
  }
  return count;
}

const read = (session: Session, subject: string, groups: readonly ("said" | "tool")[] = ["said"]): Postings =>
  through(session, readPostings(session, AGENT, { kind: "subject", subject }, { terms: TERMS, groups }));

const step = fc.oneof(
  { weight: 4, arbitrary: fc.constant({ action: "index" } as const) },
  fc.record({ action: fc.constantFrom("hide", "show", "erase", "ann", "bob"), turn: fc.nat() }),
);

describe("documents that were indexed lately", () => {
  it("S1/A3: are found as their postings would be, whatever happens to their turns", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 60 }), async (steps) => {
        const session = await open();
        const turns = new Map<number, { subject: string; hidden: boolean }>();
        let last = 0;
        for (const taken of steps) {
          if (taken.action === "index") {
            last++;
            const write = turnOf(`t${last}`, `text ${last}`, { subject: "ann" });
            session.transaction(() => commitTurn(session, chat("c"), write));
            expect(index(session, last)).toBe(true);
            turns.set(last, { subject: "ann", hidden: false });
            continue;
          }
          const number = last === 0 ? 0 : 1 + (taken.turn % last);
          const turn = turns.get(number);
          if (turn === undefined) continue;
          const name = `t${number}`;
          const { action } = taken;
          const isMove = action === "ann" || action === "bob";
          const change = isMove
            ? ({ turn: name, action: "restamp", subject: action } as const)
            : { turn: name, action };
          session.transaction(() => changeTurns(session, chat("c"), [change], at(2)));
          through(session, settleDocuments(session));
          if (isMove) turn.subject = action;
          else if (action === "erase") turns.delete(number);
          else turn.hidden = action === "hide";
        }
        for (const subject of ["ann", "bob"]) {
          const own = [...turns].flatMap(([number, turn]) =>
            turn.subject === subject && !turn.hidden ? [number] : [],
          );
          for (const groups of [["said"], ["tool"], ["said", "tool"]] as const) {
            expect(standings(read(session, subject, groups))).toEqual(expected(own, groups));
          }
        }
        session.close();
      }),
      { numRuns: 40 },
    );
  });

  it("S1: become postings many at once, in the order that they were indexed in", async () => {
    const session = await open();
    const seen = { both: 0, filings: 0 };
    let before = 0;
    for (let turn = 1; turn <= 60; turn++) {
      const write = turnOf(`t${turn}`, `text ${turn}`, { subject: "ann" });
      session.transaction(() => commitTurn(session, chat("c"), write));
      index(session, turn);
      const recent = recentIn(session);
      if (recent < before) seen.filings++;
      if (recent > 0 && postingsIn(session) > 0) seen.both++;
      before = recent;
      const turns = Array.from({ length: turn }, (_, at) => at + 1);
      const postings = read(session, "ann");
      expect(standings(postings)).toEqual(expected(turns, ["said"]));
      for (const { documents } of postings.terms) expect(documents).toEqual(documents.toSorted((a, b) => a - b));
    }
    expect(seen.filings).toBeGreaterThan(2);
    expect(seen.filings).toBeLessThan(20);
    expect(seen.both).toBeGreaterThan(20);
    session.close();
  });

  it("S1/E3: are found, and become postings later, where the process ended before they did", async () => {
    const session = await open();
    for (let turn = 1; turn <= 40; turn++) {
      const write = turnOf(`t${turn}`, `text ${turn}`, { subject: "ann" });
      session.transaction(() => commitTurn(session, chat("c"), write));
      // The first piece, and no other.
      const batch = { after: turn - 1, through: turn, documents: documentsOf(turn) };
      session.transaction(() => indexDocuments(session, chat("c"), batch).next());
    }
    expect([postingsIn(session), recentIn(session)]).toEqual([0, 80]);
    const turns = Array.from({ length: 41 }, (_, at) => at + 1);
    expect(standings(read(session, "ann"))).toEqual(expected(turns.slice(0, 40), ["said"]));
    session.transaction(() => commitTurn(session, chat("c"), turnOf("t41", "text 41", { subject: "ann" })));
    index(session, 41);
    expect(recentIn(session)).toBeLessThan(20);
    expect(standings(read(session, "ann"))).toEqual(expected(turns, ["said"]));
    session.close();
  });

  it("S1: count once where they become postings between two pieces of a search", async () => {
    const session = await open();
    for (let turn = 1; turn <= 8; turn++) {
      session.transaction(() => commitTurn(session, chat("c"), turnOf(`t${turn}`, `text ${turn}`, { subject: "ann" })));
      index(session, turn);
    }
    const recent = recentIn(session);
    expect(recent).toBeGreaterThan(0);
    // Every look at the clock finds a piece's time over.
    let now = 0;
    const clock = vi.spyOn(performance, "now").mockImplementation(() => (now += 10));
    let pauses = 0;
    const search = readPostings(
      session,
      AGENT,
      { kind: "subject", subject: "ann" },
      { terms: TERMS, groups: ["said"] },
    );
    const postings = through(session, search, () => {
      pauses++;
      session.transaction(() => fileRecent(session, 1));
    });
    clock.mockRestore();
    expect(pauses).toBeGreaterThan(1);
    expect(recentIn(session)).toBe(0);
    expect(standings(postings)).toEqual(expected([1, 2, 3, 4, 5, 6, 7, 8], ["said"]));
    session.close();
  });

  it("S1/A3: are none of a turn that was hidden since its words were read, until it is shown", async () => {
    const session = await open();
    session.transaction(() => commitTurn(session, chat("c"), turnOf("t1", "text 1", { subject: "ann" })));
    const change = (action: "hide" | "show") =>
      session.transaction(() => changeTurns(session, chat("c"), [{ turn: "t1", action }], at(2)));
    change("hide");
    expect(index(session, 1)).toBe(true);
    expect(session.rows("SELECT bucket FROM recent_terms")).toEqual([]);
    expect(standings(read(session, "ann"))).toEqual(expected([], ["said"]));
    change("show");
    through(session, settleDocuments(session));
    expect(standings(read(session, "ann"))).toEqual(expected([1], ["said"]));
    session.close();
  });

  it("A3: are left alone where their subject is being erased, however many they are", async () => {
    const session = await open();
    for (let turn = 1; turn <= 20; turn++) {
      session.transaction(() => commitTurn(session, chat("c"), turnOf(`t${turn}`, `text ${turn}`, { subject: "ann" })));
      const batch = { after: turn - 1, through: turn, documents: documentsOf(turn) };
      session.transaction(() => indexDocuments(session, chat("c"), batch).next());
    }
    expect(isLong(session, 1)).toBe(true);
    // The first piece of an erasure; its other pieces remove the rows.
    session.transaction(() => erase(session, AGENT, { kind: "subject", subject: "ann" }, at(3)).next());
    let pieces = 0;
    for (const filing = fileLong(session, [1]); session.transaction(() => filing.next()).done !== true; ) {
      expect(pieces++).toBeLessThan(3);
    }
    expect(postingsIn(session)).toBe(0);
    session.close();
  });

  it("J7/E3: are added in pieces where they are many, and their work is settled with the last of them", async () => {
    const session = await open();
    const turns = Array.from({ length: 60 }, (_, at) => at + 1);
    for (const turn of turns) {
      session.transaction(() => commitTurn(session, chat("c"), turnOf(`t${turn}`, `text ${turn}`, { subject: "ann" })));
    }
    const marks = () =>
      session.row<[number, number]>("SELECT indexed_seq, settled_seq FROM conversation WHERE ref > 0 LIMIT 1");
    const seen: unknown[] = [];
    const index = { after: 0, through: 60, documents: turns.flatMap(documentsOf) };
    const result = { index, settlement: { holder: "w", settledSeq: 60 } };
    const finished = through(session, finishWork(session, chat("c"), result), () => seen.push(marks()));
    expect(finished).toEqual({ indexed: true, vectors: 0 });
    const isSettled = seen.map((mark) => JSON.stringify(mark) === "[60,60]");
    expect(isSettled.filter((settled) => !settled).length).toBeGreaterThan(3);
    expect(seen.filter((_, piece) => !isSettled[piece])).toEqual(
      isSettled.flatMap((settled) => (settled ? [] : [[0, 0]])),
    );
    expect(marks()).toEqual([60, 60]);
    expect(standings(read(session, "ann"))).toEqual(expected(turns, ["said"]));
    session.close();
  });

  it("A3: go with their subject, and none becomes postings any more", async () => {
    const session = await open();
    for (let turn = 1; turn <= 5; turn++) {
      session.transaction(() => commitTurn(session, chat("c"), turnOf(`t${turn}`, `text ${turn}`, { subject: "ann" })));
      index(session, turn);
    }
    expect(recentIn(session)).toBeGreaterThan(0);
    // Whoever was about to file them comes too late, at any piece of the erasure.
    const erasing = erase(session, AGENT, { kind: "subject", subject: "ann" }, at(3));
    const late = () => session.transaction(() => fileRecent(session, 1));
    through(session, erasing, late);
    late();
    expect([postingsIn(session), recentIn(session)]).toEqual([0, 0]);
    session.close();
  });
});
