import type { AgentOwner, KeywordScope, NearMessage, VectorQuery } from "@throughline/core";
import {
  BestBounds,
  type Candidate,
  checkVectors,
  type QuantisedQuery,
  quantiseQuery,
  type ScanFilter,
  scanArena,
  type VectorArena,
  type VectorArenas,
} from "@throughline/core/store-kit";
import type { Session } from "../session.ts";
import { Pace, type Steps } from "../steps.ts";
import type { KnownVectors } from "./known-vectors.ts";
import { Nearest, readNear, type Search } from "./near-places.ts";
import { resolveNear } from "./near-scope.ts";
import { readRunsAt } from "./vector-runs.ts";
import { findSet, modelNumber, RUN_SIZE, type VectorSet } from "./vector-sets.ts";

/** Vectors whose exact scores are read at once, where no more are asked for. */
const EXACT_AT_ONCE = 16;
const MOST_EXACT_AT_ONCE = 64;
/** Vectors that a search moves to where they are compared fastest: a millisecond's worth. */
const SETTLED_AT_ONCE = 16 * RUN_SIZE;

/** What is kept in memory between searches. */
export interface VectorCache {
  /** To be compared as 8-bit numbers. */
  arenas: VectorArenas;
  /** For their exact scores: as many as find room beside those. */
  known: KnownVectors;
  /** Of both at most. */
  bytes: number;
}

/**
 * The nearest, exactly: all of an owner's vectors are compared as 8-bit numbers, with a bound on what that may be off by,
 * and the exact scores of those that may be among the nearest decide.
 */
export function* nearestVectors(
  session: Session,
  { arenas, known, bytes }: VectorCache,
  owner: AgentOwner,
  scope: KeywordScope,
  query: VectorQuery,
): Steps<NearMessage[]> {
  checkVectors(query.model.dimensions, [query.vector]);
  const limit = Math.max(0, Math.floor(query.limit));
  if (limit === 0) return [];
  const pace = new Pace();
  const near = yield* resolveNear(session, owner, scope, query, pace);
  const nearest = new Nearest(limit, query.floor);
  const model = modelNumber(session, query.model);
  const room = (): number => bytes - arenas.bytes;
  for (const bucket of near?.buckets ?? []) {
    const set = findSet(session, bucket, model);
    if (set === undefined) continue;
    const arena = arenas.use(String(set.ref), set.dimensions);
    try {
      const search = { bucket, set: set.ref, arena, known, query, room };
      yield* searchSet(session, arenas, { search, set, filter: near?.filter ?? {}, limit }, nearest, pace);
    } finally {
      arenas.release(arena);
      known.trim(room());
    }
    if (pace.isOver) yield* pace.pause();
  }
  return nearest.take();
}

interface SetSearch {
  search: Search;
  set: VectorSet;
  filter: ScanFilter;
  limit: number;
}

function* searchSet(
  session: Session,
  arenas: VectorArenas,
  { search, set, filter, limit }: SetSearch,
  nearest: Nearest,
  pace: Pace,
): Steps<void> {
  const query = quantiseQuery(search.query.vector, search.arena.stride);
  /** Numbers whose exact scores were read. */
  const seen: number[] = [];
  for (;;) {
    const best = new BestBounds(limit, nearest.border);
    yield* scanSet(
      session,
      arenas,
      search.arena,
      set,
      { query, filter: seen.length > 0 ? { ...filter, without: new Set(seen) } : filter, best },
      pace,
    );
    const candidates = best.take();
    const shown = yield* readExact(session, search, candidates, nearest, { seen, limit, pace });
    // One that can't be shown was counted among the nearest: others may be nearer than was thought.
    if (shown) return;
  }
}

/** Reads exact scores, the most promising first, until no other can reach them. True where all could be shown. */
function* readExact(
  session: Session,
  search: Search,
  candidates: readonly Candidate[],
  nearest: Nearest,
  { seen, limit, pace }: { seen: number[]; limit: number; pace: Pace },
): Steps<boolean> {
  let shown = true;
  const most = Math.min(MOST_EXACT_AT_ONCE, Math.max(EXACT_AT_ONCE, Math.ceil(limit / 8) * 8));
  for (let start = 0; start < candidates.length; start += most) {
    const some = candidates.slice(start, start + most).filter((candidate) => candidate.most >= nearest.border);
    if (some.length === 0) break;
    const numbers = some.map(({ number }) => number);
    const found = readNear(session, search, numbers);
    seen.push(...numbers);
    if (found.length < some.length) shown = false;
    nearest.add(found);
    if (pace.isOver) yield* pace.pause();
  }
  return shown;
}

interface Scan {
  query: QuantisedQuery;
  filter: ScanFilter;
  best: BestBounds;
}

/** Brings a set's vectors into memory and compares them all; what doesn't fit is read in passing. */
function* scanSet(
  session: Session,
  arenas: VectorArenas,
  arena: VectorArena,
  set: VectorSet,
  scan: Scan,
  pace: Pace,
): Steps<void> {
  yield* load(session, arenas, arena, set, pace);
  yield* scanAll(arena, scan, pace);
  for (let next = arena.through; next < set.next; ) {
    const passing = arenas.apart(set.dimensions, next);
    try {
      const { runs, start } = readRunsAt(session, set, next);
      for (const [index, run] of runs.entries()) passing.append(run, index === 0 ? start : 0);
      yield* scanAll(passing, scan, pace);
      next = passing.through;
    } finally {
      passing.clear(0);
    }
    if (pace.isOver) yield* pace.pause();
  }
}

function* scanAll(arena: VectorArena, { query, filter, best }: Scan, pace: Pace): Steps<void> {
  for (let next: number | undefined = 0; next !== undefined; ) {
    next = scanArena(arena, query, filter, best, next);
    if (next !== undefined && pace.isOver) yield* pace.pause();
  }
}

/** Others may be at the same arena in between: each step goes on from what is there. */
function* load(session: Session, arenas: VectorArenas, arena: VectorArena, set: VectorSet, pace: Pace): Steps<void> {
  const missing = set.next - arena.through;
  if (missing > 0 && arenas.reserve(arena, missing)) arena.expect(missing);
  // Nothing is read that there is no room for, but for some runs where the room ends.
  while (arena.through < set.next && arenas.reserve(arena, Math.min(RUN_SIZE, set.next - arena.through))) {
    const { runs, start } = readRunsAt(session, set, arena.through);
    for (const [index, run] of runs.entries()) {
      if (index > 0 && !arenas.reserve(arena, run.count)) break;
      arena.append(run, index === 0 ? start : 0);
    }
    if (pace.isOver) yield* pace.pause();
  }
  arena.settle(SETTLED_AT_ONCE);
}
