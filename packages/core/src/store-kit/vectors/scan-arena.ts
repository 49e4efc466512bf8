import type { BestBounds } from "./best-bounds.ts";
import { GONE } from "./code-run.ts";
import type { QuantisedQuery } from "./quantise.ts";
import type { VectorArena } from "./vector-arena.ts";

/** What of an arena is looked at. What is absent leaves nothing out; the store has the last word on each vector. */
export interface ScanFilter {
  /** Only those of this conversation. */
  conversation?: number;
  /** Only those of this role. */
  role?: number;
  /** Milliseconds, inclusive. */
  from?: number;
  /** Milliseconds, exclusive. */
  to?: number;
  /** Not turns of this conversation behind this one. */
  exclude?: { conversation: number; after: number };
  /** Not these numbers. */
  without?: ReadonlySet<number>;
}

/** What adding up in double precision may be off by, and more. */
const SLACK = 1e-9;

/** Vectors compared at once: some milliseconds, however long they are. */
const NUMBERS_AT_ONCE = 64 * 1024 * 384;

/**
 * Compares vectors of an arena with a query, from a place on that was answered before, and gathers those that may be among
 * the nearest. Answers where to go on, so that the event loop has its turn in between; `undefined` at the end.
 */
export function scanArena(
  arena: VectorArena,
  query: QuantisedQuery,
  filter: ScanFilter,
  best: BestBounds,
  start = 0,
): number | undefined {
  const chunks = Math.ceil(NUMBERS_AT_ONCE / arena.stride / arena.perChunk);
  const end = Math.min(arena.count, start + chunks * arena.perChunk);
  const products = arena.scan(query.codes, start, end - start);
  const { scales, lengths, errors, roles } = arena.places;
  const { from } = arena;
  const isNarrowed = Object.values(filter).some((value) => value !== undefined);
  let { border } = best;
  for (let index = start; index < end; index++) {
    // Every index is within all of the arrays.
    const score = (products[index - start] as number) * (scales[index] as number) * query.scale;
    const off = (errors[index] as number) * query.full + (lengths[index] as number) * query.error + SLACK;
    if (score + off < border || roles[index] === GONE) continue;
    if (isNarrowed && !passes(arena, index, filter)) continue;
    best.add(from + index, score - off, score + off);
    border = best.border;
  }
  return end < arena.count ? end : undefined;
}

/** False for what certainly doesn't pass. */
function passes(arena: VectorArena, index: number, filter: ScanFilter): boolean {
  const { conversations, seqs, roles, times } = arena.places;
  const { conversation, role, from, to, exclude, without } = filter;
  const own = conversations[index];
  // A time in no usual form is no number, and compares as false.
  const time = times[index] as number;
  if (conversation !== undefined && own !== conversation) return false;
  if (role !== undefined && roles[index] !== role) return false;
  if ((from !== undefined && time < from) || (to !== undefined && time >= to)) return false;
  if (exclude && own === exclude.conversation && (seqs[index] as number) > exclude.after) return false;
  return !without?.has(arena.from + index);
}
