import type { CheckpointWrite, ElementRange, PendingWriteRow } from "../../contract/store-checkpoints.ts";

/** The elements of one name. */
export interface StreamState {
  texts: Map<number, string>;
  numbers: Map<string, number>;
  /** The newest number given. */
  last: number;
}

/** A checkpoint as it is kept: lists by their ranges. */
export interface CheckpointState extends Pick<CheckpointWrite, "space" | "id" | "parent" | "tags" | "body"> {
  at: string;
  values: { name: string; value: string | readonly ElementRange[] }[];
}

/** The checkpoints of one conversation. */
export interface ThreadState {
  /** Never given twice. */
  life: number;
  /** One more with every removal of elements. */
  edition: number;
  subject?: string;
  login?: string;
  /** Everybody who ever wrote one. */
  subjects: Set<string>;
  createdAt: string;
  updatedAt: string;
  streams: Map<string, StreamState>;
  /** By {@link placeOf}. */
  checkpoints: Map<string, CheckpointState>;
  /** By the place of the checkpoint, then by task and index. */
  writes: Map<string, Map<string, PendingWriteRow>>;
}

/** A key that no id can imitate a border in. */
export const placeOf = (space: string, id: string): string => JSON.stringify([space, id]);

/** What is known to the caller, as it names it. */
export const generationOf = ({ life, edition }: ThreadState): string => `${life}.${edition}`;

/** True where a generation is of another life of the conversation's checkpoints. */
export const isOtherLife = (thread: ThreadState, generation: string | undefined): boolean =>
  generation !== undefined && generation.split(".")[0] !== String(thread.life);

export const newThread = (life: number, now: string): ThreadState => ({
  life,
  edition: 0,
  subjects: new Set(),
  createdAt: now,
  updatedAt: now,
  streams: new Map(),
  checkpoints: new Map(),
  writes: new Map(),
});

/** Keeps an element, or finds the one of the same text. Its number. */
export function keepElement(stream: StreamState, text: string): number {
  const known = stream.numbers.get(text);
  if (known !== undefined) return known;
  stream.last += 1;
  stream.numbers.set(text, stream.last);
  stream.texts.set(stream.last, text);
  return stream.last;
}

/** Adds a run to a list, to its last run where it goes on from there. */
export function addRange(ranges: [first: number, count: number][], first: number, count: number): void {
  const last = ranges.at(-1);
  if (last !== undefined && last[0] + last[1] === first) last[1] += count;
  else if (count > 0) ranges.push([first, count]);
}

/** The elements of a list as one JSON array. */
export function joinElements(stream: StreamState | undefined, ranges: readonly ElementRange[]): string {
  const texts: string[] = [];
  for (const [first, count] of ranges) {
    for (let number = first; number < first + count; number++) {
      const text = stream?.texts.get(number);
      if (text !== undefined) texts.push(text);
    }
  }
  return `[${texts.join(",")}]`;
}

/** Removes elements that no checkpoint holds any more. */
export function dropLooseElements(thread: ThreadState): void {
  const held = new Map<string, Set<number>>();
  for (const { values } of thread.checkpoints.values()) {
    for (const { name, value } of values) {
      if (typeof value === "string") continue;
      const numbers = held.get(name) ?? new Set();
      held.set(name, numbers);
      for (const [first, count] of value) for (let at = first; at < first + count; at++) numbers.add(at);
    }
  }
  for (const [name, stream] of thread.streams) {
    for (const [number, text] of stream.texts) {
      if (held.get(name)?.has(number) === true) continue;
      stream.texts.delete(number);
      stream.numbers.delete(text);
    }
  }
  thread.edition += 1;
}
