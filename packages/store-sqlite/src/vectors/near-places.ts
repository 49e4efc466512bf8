import type { NearMessage, VectorQuery } from "@throughline/core";
import { compareNear, dotProduct, passesFilter, type VectorArena } from "@throughline/core/store-kit";
import { ROLES } from "../keyword/posting-blocks.ts";
import { subjectOf } from "../names.ts";
import { placeholders, type Session } from "../session.ts";
import { readVector } from "./vector-body.ts";
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
  query: VectorQuery;
}

/**
 * The messages under some numbers that are there to be shown and pass the query, with their exact scores. What is there no
 * more leaves the arena.
 */
export function readNear(
  session: Session,
  { bucket, set, arena, query }: Search,
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
      data: Uint8Array,
    ]
  >(
    `SELECT v.key, c.id, v.seq, v.position, v.role, v.created_at, v.hidden, h.data
      FROM vector v CROSS JOIN conversation c ON c.ref = v.conversation CROSS JOIN heap h ON h.ref = v.body
      WHERE v.key IN (${placeholders(keys.length)})`,
    ...keys,
  );
  if (rows.length < numbers.length) {
    const there = new Set(rows.map(([key]) => numberOf(key)));
    for (const number of numbers) if (!there.has(number)) arena.forget(number);
  }
  const subject = subjectOf(session, bucket);
  const found: NearMessage[] = [];
  for (const [, conversation, seq, position, role, createdAt, hidden, data] of rows) {
    const place = { role: ROLES[role] ?? "user", createdAt, seq };
    if (hidden !== 0 || !passesFilter(conversation, place, query)) continue;
    const { vector, turn, message } = readVector(data, query.model.dimensions);
    const near: NearMessage = {
      conversation,
      turn,
      message,
      position,
      ...place,
      score: dotProduct(vector, query.vector),
    };
    if (subject !== undefined) near.subject = subject;
    found.push(near);
  }
  return found;
}
