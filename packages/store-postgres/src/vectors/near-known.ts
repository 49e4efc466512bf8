import { setImmediate } from "node:timers/promises";
import type { AgentOwner, NearMessage, VectorQuery } from "@throughline/core";
import {
  BestBounds,
  compareNear,
  dotProduct,
  passesFilter,
  quantiseQuery,
  scanArena,
} from "@throughline/core/store-kit";
import type { Session } from "../session.ts";
import { type KnownSet, nextSet } from "./known-set.ts";
import type { KnownVectors } from "./known-vectors.ts";
import { type KnownVector, readChanges } from "./near-changes.ts";

/** A subject's vectors are brought into memory with this search of it: to bring them takes as long as several searches. */
const KEPT_FROM = 3;

/**
 * A subject's nearest, its vectors compared in memory: the database says what was written since, and whether that is all that
 * became of them. `null` where it isn't, or where they aren't in memory: for the database to compare.
 */
export async function nearKnown(
  session: Session,
  { vectors, rowLevelSecurity }: { vectors: KnownVectors; rowLevelSecurity: boolean },
  owner: AgentOwner,
  subject: string,
  query: VectorQuery,
): Promise<NearMessage[] | null> {
  const { model } = query;
  const known = vectors.use(owner, subject, model);
  if (known.isLeft || known.searches < KEPT_FROM) return null;
  const before = known.set;
  const asked = { subject, model, after: before?.last ?? 0n, most: vectors.mostOf(model.dimensions) };
  const changes = await readChanges(session, rowLevelSecurity, owner, asked);
  known.isLeft = changes === null || changes.written === null;
  let after: KnownSet | null = null;
  if (changes !== null) {
    const making = nextSet(before ?? vectors.begin(model), changes);
    let step = making.next();
    for (; step.done !== true; step = making.next()) await setImmediate();
    after = step.value;
  }
  // From here on nobody comes between.
  const near = after === null ? null : nearestOf(after, query);
  vectors.replace(known, before, after ?? undefined);
  return near;
}

/** The nearest of a set, exactly: those that may be among them by their 8-bit numbers are compared by their own. */
export function nearestOf(set: KnownSet, query: VectorQuery): NearMessage[] {
  const limit = Math.max(0, Math.floor(query.limit));
  const near: NearMessage[] = [];
  for (const one of candidatesOf(set, query, limit)) {
    const score = dotProduct(one.vector, query.vector);
    if (!(score >= query.floor)) continue;
    const { conversation, turn, seq, position, message, role, subject, createdAt } = one;
    // Written out: a copy by spreading takes several times as long.
    near.push({ conversation, turn, seq, position, message, role, subject, createdAt, score });
  }
  return near.sort(compareNear).slice(0, limit);
}

function candidatesOf(set: KnownSet, query: VectorQuery, limit: number): KnownVector[] {
  const { known, count, arena, isInArena, numbers } = set;
  const { role, from, to, conversation, exclude } = query;
  const isNarrowed = [role, from, to, conversation].some((given) => given !== undefined);
  // Few are left of those that pass; and with what another search brought, the arena holds other vectors, or more of them.
  if (isNarrowed || !isInArena || arena.count !== count) {
    return known.slice(0, count).filter((one) => passesFilter(one.conversation, one, query));
  }
  const number = exclude === undefined ? undefined : numbers.get(exclude.conversation);
  const filter = exclude === undefined || number === undefined ? {} : { exclude: { ...exclude, conversation: number } };
  const best = new BestBounds(limit, query.floor);
  const codes = quantiseQuery(query.vector, arena.stride);
  for (let next: number | undefined = 0; next !== undefined; ) next = scanArena(arena, codes, filter, best, next);
  // Each number is a vector's place in the set.
  return best.take().map((candidate) => known[candidate.number] as KnownVector);
}
