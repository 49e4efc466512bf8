import type { NearMessage, VectorQuery } from "@throughline/core";
import { compareNear, dotProduct, passesFilter, type VectorArena } from "@throughline/core/store-kit";
import { subjectOf } from "../names.ts";
import type { Session } from "../session.ts";
import type { KnownVectors } from "./known-vectors.ts";

/** The best so far, with their exact scores. */
export class Nearest {
  readonly #limit: number;
  readonly #floor: number;
  #found: NearMessage[] = [];
  #border: number;

  constructor(limit: number, floor: number) {
    this.#limit = limit;
    this.#floor = floor;
    this.#border = floor;
  }

  /** The score that one must reach to be among them. */
  get border(): number {
    return this.#border;
  }

  add(near: readonly NearMessage[]): void {
    for (const one of near) if (one.score >= this.#border) this.#found.push(one);
    if (this.#found.length < this.#limit) return;
    this.#found = this.#found.sort(compareNear).slice(0, this.#limit);
    this.#border = this.#found[this.#limit - 1]?.score ?? this.#floor;
  }

  take(): NearMessage[] {
    return this.#found.sort(compareNear);
  }
}

/** One owner's vectors of a model, and what is looked for among them. */
export interface Search {
  bucket: number;
  set: number;
  arena: VectorArena;
  known: KnownVectors;
  query: VectorQuery;
  /** What exact vectors may take in memory now, in bytes. */
  room(): number;
}

/**
 * The messages under some numbers that are there to be shown and pass the query, with their exact scores. What is there no
 * more leaves the arena.
 */
export function readNear(
  session: Session,
  { bucket, set, arena, known, query, room }: Search,
  numbers: readonly number[],
): NearMessage[] {
  const found = known.read(session, set, numbers, query.model.dimensions);
  // Of a great many that are alike all are read: no more of them than there is room for is kept.
  known.trim(room());
  const subject = subjectOf(session, bucket);
  const near: NearMessage[] = [];
  for (const [index, one] of found.entries()) {
    if (one === undefined) {
      // There are as many as were asked for.
      arena.forget(numbers[index] as number);
      continue;
    }
    const { place, vector, isHidden } = one;
    if (isHidden || !passesFilter(place.conversation, place, query)) continue;
    const { conversation, turn, seq, position, message, role, createdAt } = place;
    const score = dotProduct(vector, query.vector);
    // Written out: a copy by spreading takes several times as long.
    near.push(
      subject === undefined
        ? { conversation, turn, seq, position, message, role, createdAt, score }
        : { conversation, turn, seq, position, message, role, createdAt, score, subject },
    );
  }
  return near;
}
