import type { MemoryStore, WorkBegin, WorkResult, WorkRows } from "@throughline/core";
import { beginParts, finishParts } from "../../src/store/suites/work-parts.ts";
import { type BrokenStore, broken } from "./broken-store.ts";
import { withWorkTrips } from "./work-trips.ts";

const beginning =
  (ask: (begin: WorkBegin) => WorkBegin, tell: (rows: WorkRows) => WorkRows = (rows) => rows) =>
  (store: MemoryStore): MemoryStore => ({
    ...withWorkTrips(store),
    beginWork: async (owner, begin) => {
      const rows = await beginParts(store, owner, ask(begin));
      return rows === null ? null : tell(rows);
    },
  });
const finishing =
  (change: (result: WorkResult) => WorkResult) =>
  (store: MemoryStore): MemoryStore => ({
    ...withWorkTrips(store),
    finishWork: (owner, result) => finishParts(store, owner, change(result)),
  });

/** Stores that break what is said of work in one trip. */
export const BROKEN_WORK_TRIPS: readonly BrokenStore[] = [
  broken("work trips", "claims what another has leased", "leases as claimWork does", (store) => ({
    ...withWorkTrips(store),
    beginWork: async (owner) => {
      const conversation = await store.readConversation(owner);
      return conversation === null ? null : { conversation, records: [] };
    },
  })),
  broken(
    "work trips",
    "reads turns behind the first watermark only",
    "the lowest watermark",
    beginning(({ turns, ...begin }) =>
      turns === undefined ? begin : { ...begin, turns: { ...turns, behind: turns.behind.slice(0, 1) } },
    ),
  ),
  broken(
    "work trips",
    "answers more turns than were asked for",
    "the lowest watermark",
    beginning(({ turns, ...begin }) => (turns === undefined ? begin : { ...begin, turns: { ...turns, limit: 1_000 } })),
  ),
  broken(
    "work trips",
    "answers records in one list",
    "and records",
    beginning(
      (begin) => begin,
      (rows) => ({ ...rows, records: [rows.records.flat()] }),
    ),
  ),
  broken("work trips", "reads hidden turns", "visible turns", (store) => ({
    ...withWorkTrips(store),
    beginWork: async (owner, begin) => {
      const rows = await beginParts(store, owner, begin);
      if (rows?.turns === undefined) return rows;
      const first = rows.turns[0]?.seq ?? 1;
      return { ...rows, turns: await store.readTurns(owner, { after: first - 1, hidden: true, limit: 1_000 }) };
    },
  })),
  broken(
    "work trips",
    "forgets the vectors",
    ["as the three calls do", "the index has moved"],
    finishing(({ vectors: _vectors, ...result }) => result),
  ),
  broken(
    "work trips",
    "keeps the lease",
    "as the three calls do",
    finishing(({ settlement, ...result }) => ({ ...result, settlement: { ...settlement, release: false } })),
  ),
  broken("work trips", "does nothing where the index has moved", "does the rest", (store) => ({
    ...withWorkTrips(store),
    finishWork: async (owner, result) => {
      const row = await store.readConversation(owner);
      const isMoved = result.index !== undefined && (row?.watermarks.index ?? 0) !== result.index.after;
      return isMoved ? { indexed: false, vectors: 0 } : finishParts(store, owner, result);
    },
  })),
  broken("work trips", "records again what was erased", "leaves an erased conversation erased", (store) => ({
    ...withWorkTrips(store),
    finishWork: async (owner, result) => {
      await store.changeConversation(owner, { now: "2025-01-01T00:00:00.000Z", create: true });
      return finishParts(store, owner, result);
    },
  })),
  broken(
    "work trips",
    "takes a conversation for the one before it",
    "begun anew under its id",
    finishing(({ settlement: { createdAt: _createdAt, ...settlement }, ...result }) => ({ ...result, settlement })),
  ),
  broken("work trips", "shows what was hidden meanwhile", "brings back nothing", (store) => ({
    ...withWorkTrips(store),
    finishWork: async (owner, result) => {
      const turns = result.index?.documents.map(({ turn }) => ({ turn, action: "show" }) as const) ?? [];
      await store.changeTurns(owner, turns);
      return finishParts(store, owner, result);
    },
  })),
  broken("work trips", "indexes before it looks at the vectors", "where a vector is refused", (store) => ({
    ...withWorkTrips(store),
    finishWork: async (owner, { vectors, ...result }) => {
      const { indexed } = await finishParts(store, owner, result);
      const { settlement } = result;
      return { ...(await finishParts(store, owner, { ...(vectors ? { vectors } : {}), settlement })), indexed };
    },
  })),
  broken("work trips", "works for the tenant alone, whatever the agent", "stay within tenant and agent", (store) => ({
    ...withWorkTrips(store),
    finishWork: (owner, result) => finishParts(store, { ...owner, agent: "helper" }, result),
  })),
];
