import type { AgentOwner, VectorModel } from "@throughline/core";
import { VectorArenas } from "@throughline/core/store-kit";
import { emptySet, type KnownSet } from "./known-set.ts";

/** What a vector takes in memory besides its numbers, in bytes: a few texts, and what holds them. */
const OVERHEAD_BYTES = 700;
/** What is kept of one subject at most: its vectors come as one text, which databases and processes hold so much of. */
const MOST_SUBJECT_BYTES = 64 * 1024 * 1024;
/** What is kept of a subject whose vectors aren't here. */
const SUBJECT_BYTES = 300;
/** Bytes of each number: as it is, and as 8 bits. */
const NUMBER_BYTES = 5;

const bytesOf = (dimensions: number): number => OVERHEAD_BYTES + NUMBER_BYTES * dimensions;

/** What is known of one subject's vectors of one model. */
export interface KnownSubject {
  /** Searches since there was no set. */
  searches: number;
  /** There are more vectors than are kept of one subject, or such as can't be told. */
  isLeft: boolean;
  set?: KnownSet | undefined;
  /** What all this takes. */
  bytes: number;
}

/** Vectors of many subjects in memory, those that were searched last, within a budget. */
export class KnownVectors {
  readonly #budget: number;
  // Only for the memory that its arenas share.
  readonly #arenas = new VectorArenas(0);
  /** Least recently used first. */
  readonly #subjects = new Map<string, KnownSubject>();
  #bytes = 0;

  /** `budgetBytes` is what is held at most. */
  constructor(budgetBytes: number) {
    this.#budget = budgetBytes;
  }

  /** How many vectors of so many dimensions are kept of one subject at most: no more than a quarter of the room is for them. */
  mostOf(dimensions: number): number {
    return Math.floor(Math.min(this.#budget / 4, MOST_SUBJECT_BYTES) / bytesOf(dimensions));
  }

  /** What is known of a subject that is searched now. */
  use({ tenant, agent }: AgentOwner, subject: string, { modelId, dimensions }: VectorModel): KnownSubject {
    const key = JSON.stringify([tenant, agent, subject, modelId, dimensions]);
    const known = this.#subjects.get(key) ?? { searches: 0, isLeft: false, bytes: 0 };
    known.searches += 1;
    this.#subjects.delete(key);
    this.#subjects.set(key, known);
    this.#measure(known);
    return known;
  }

  /** Where to begin. What becomes of it is given back by {@link replace}. */
  begin({ dimensions }: VectorModel): KnownSet {
    return emptySet(this.#arenas.apart(dimensions, 0));
  }

  /**
   * Keeps a set in the place of the one that it follows, unless that is there no more; `undefined` forgets that one. What isn't
   * kept gives its memory back.
   */
  replace(known: KnownSubject, before: KnownSet | undefined, after: KnownSet | undefined): void {
    if (known.bytes === 0 || known.set !== before) {
      if (after?.arena !== known.set?.arena) after?.arena.clear(0);
      return;
    }
    if (after === undefined) {
      before?.arena.clear(0);
      known.searches = 0;
    }
    known.set = after;
    this.#measure(known);
  }

  /** Forgets all of a tenant's. */
  forget(tenant: string): void {
    const prefix = `${JSON.stringify([tenant]).slice(0, -1)},`;
    for (const [key, known] of this.#subjects) if (key.startsWith(prefix)) this.#drop(key, known);
  }

  #measure(known: KnownSubject): void {
    const { set } = known;
    const bytes = SUBJECT_BYTES + (set === undefined ? 0 : set.count * bytesOf(set.arena.dimensions));
    this.#bytes += bytes - known.bytes;
    known.bytes = bytes;
    for (const [key, other] of this.#subjects) {
      if (this.#bytes <= this.#budget) break;
      this.#drop(key, other);
    }
  }

  #drop(key: string, known: KnownSubject): void {
    this.#subjects.delete(key);
    this.#bytes -= known.bytes;
    known.bytes = 0;
    known.set?.arena.clear(0);
    known.set = undefined;
  }
}
