import type { CheckpointRow, ElementRange } from "@throughline/core";
import type { ListKind } from "./channel-values.ts";
import { Lru } from "./lru.ts";

/** Checkpoints whose heads are remembered. */
const MOST_HEADS = 512;
/** Of a space. */
const MOST_RECENT = 16;

/** Where a value of a checkpoint stands in the store. */
export interface HeldValue {
  value: string | readonly ElementRange[];
  kind?: ListKind;
}

/** What later checkpoints take over of one: where its values are, under which versions of their channels. */
export interface Head {
  id: string;
  generation: string;
  versions: Readonly<Record<string, number | string>>;
  values: ReadonlyMap<string, HeldValue>;
}

/** A space of a conversation. */
export const spaceKey = (conversation: string, space: string): string => JSON.stringify([conversation, space]);

/** Heads of the checkpoints that were read or written last. */
export class Heads {
  readonly #heads = new Lru<Head>(MOST_HEADS);
  readonly #recent = new Lru<string[]>(MOST_HEADS);
  /** The newest generation seen of each conversation. */
  readonly #generations = new Lru<string>(MOST_HEADS);

  get(conversation: string, space: string, id: string): Head | undefined {
    const head = this.#heads.get(`${spaceKey(conversation, space)} ${id}`);
    return head !== undefined && head.generation === this.#generations.get(conversation) ? head : undefined;
  }

  set(conversation: string, space: string, head: Head): void {
    const key = spaceKey(conversation, space);
    this.#heads.set(`${key} ${head.id}`, head);
    this.#generations.set(conversation, head.generation);
    const recent = this.#recent.get(key) ?? [];
    this.#recent.set(key, [head.id, ...recent.filter((id) => id !== head.id)].slice(0, MOST_RECENT));
  }

  /** The newest generation that was seen; empty where none was. */
  generation(conversation: string): string {
    return this.#generations.get(conversation) ?? "";
  }

  /** What a checkpoint was last seen under, whatever has become of the conversation since; nothing where it wasn't. */
  seenUnder(conversation: string, space: string, id: string): string | undefined {
    return this.#heads.get(`${spaceKey(conversation, space)} ${id}`)?.generation;
  }

  /** Heads of the space, most recently used first. */
  *recent(conversation: string, space: string): Generator<Head> {
    for (const id of this.#recent.get(spaceKey(conversation, space)) ?? []) {
      const head = this.get(conversation, space, id);
      if (head !== undefined) yield head;
    }
  }

  /** Nothing of the conversation is known any more. */
  forget(conversation: string): void {
    this.#generations.delete(conversation);
  }
}

/** The head of a row, with the versions and kinds that its body told. */
export function headOf(
  row: CheckpointRow,
  body: { versions: Head["versions"]; kinds: Readonly<Record<string, ListKind>> },
): Head {
  const values = new Map<string, HeldValue>();
  for (const { name, value } of row.values) {
    const kind = Object.hasOwn(body.kinds, name) ? body.kinds[name] : undefined;
    values.set(name, { value, ...(kind === undefined ? {} : { kind }) });
  }
  return { id: row.id, generation: row.generation, versions: body.versions, values };
}
