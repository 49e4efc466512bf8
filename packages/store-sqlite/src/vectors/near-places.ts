import type { NearMessage, VectorQuery } from "@throughline/core";
import { compareNear, dotProduct, passesFilter, type VectorArena } from "@throughline/core/store-kit";
import { ROLES } from "../keyword/posting-blocks.ts";
import { subjectOf } from "../names.ts";
import { placeholders, type Session } from "../session.ts";
import type { VectorBodies } from "./vector-bodies.ts";
import { numberOf, vectorKey } from "./vector-sets.ts";

/** The best so far, with their exact scores. */
export class Nearest {
  readonly #limit: number;
  readonly #floor: number;
  #found: NearMessage[] = [];

  constructor(limit: number, floor: number) {
    this.#limit = limit;
    this.#floor = floor;
  }

  /** The score that one must reach to be among them. */
  get border(): number {
    return this.#found[this.#limit - 1]?.score ?? this.#floor;
  }

  add(near: readonly NearMessage[]): void {
    const { border } = this;
    this.#found = [...this.#found, ...near.filter(({ score }) => score >= border)]
      .sort(compareNear)
      .slice(0, this.#limit);
  }

  take(): NearMessage[] {
    return this.#found;
  }
}

/** One owner's vectors of a model, and what is looked for among them. */
export interface Search {
  bucket: number;
  set: number;
  arena: VectorArena;
  bodies: VectorBodies;
  query: VectorQuery;
}

/**
 * The messages under some numbers that are there to be shown and pass the query, with their exact scores. What is there no
 * more leaves the arena.
 */
export function readNear(
  session: Session,
  { bucket, set, arena, bodies, query }: Search,
  numbers: readonly number[],
): NearMessage[] {
  const keys = numbers.map((number) => vectorKey(set, number));
  // One statement serves several lengths of the list.
  while (keys.length % 8 !== 0) keys.push(keys[0] ?? 0);
  const rows = session.rows<
    [
      key: number,
      conversation: string,
      seq: number,
      position: number,
      role: number,
      createdAt: string,
      hidden: number,
      body: number,
    ]
  >(
    `SELECT v.key, c.id, v.seq, v.position, v.role, v.created_at, v.hidden, v.body
      FROM vector v CROSS JOIN conversation c ON c.ref = v.conversation
      WHERE v.key IN (${placeholders(keys.length)})`,
    ...keys,
  );
  if (rows.length < numbers.length) {
    const there = new Set(rows.map(([key]) => numberOf(key)));
    for (const number of numbers) {
      if (there.has(number)) continue;
      arena.forget(number);
      bodies.forget(vectorKey(set, number));
    }
  }
  const subject = subjectOf(session, bucket);
  const places = rows.flatMap(([key, conversation, seq, position, role, createdAt, hidden, body]) => {
    const place = { conversation, seq, position, role: ROLES[role] ?? "user", createdAt };
    return hidden === 0 && passesFilter(conversation, place, query) ? [{ key, body, place }] : [];
  });
  const read = bodies.read(session, places, query.model.dimensions);
  return places.flatMap(({ key, place }) => {
    const body = read.get(key);
    if (body === undefined) return [];
    const { vector, turn, message } = body;
    const near: NearMessage = { ...place, turn, message, score: dotProduct(vector, query.vector) };
    if (subject !== undefined) near.subject = subject;
    return [near];
  });
}
