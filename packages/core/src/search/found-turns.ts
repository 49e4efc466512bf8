import type { TurnPlace } from "../contract/memory-store.ts";
import type { IndexedDocument, TurnRow } from "../contract/store-rows.ts";
import { callOf } from "../memory/call-options.ts";
import type { Engine } from "../memory/engine.ts";
import { readTurnsAt, turnKey } from "./turns-at.ts";

/** Documents whose turns are read with them, at most: of more, few are shown. */
const TOGETHER = 128;

/** Names a turn under one number, as {@link turnKey} names it under any. */
const placeOf = (conversation: string, turn: string, seq: number | undefined): string =>
  `${seq ?? ""},${conversation.length}:${conversation}${turn}`;
const placeOfTurn = ({ conversation, turn, seq }: TurnPlace): string => placeOf(conversation, turn, seq);

/** The turns of what one search found. Where the store can, they are read along with the documents, in one trip. */
export interface FoundTurns {
  /** Where documents are; those that are gone are left out. The turns of `beside` are read with theirs. */
  documents(documents: readonly number[], beside: readonly TurnPlace[]): Promise<IndexedDocument[]>;
  /** As {@link readTurnsAt}. */
  at(places: readonly (TurnPlace & { seq: number })[]): Promise<Map<string, TurnRow>>;
}

export function foundTurns(engine: Engine, signal: AbortSignal | undefined): FoundTurns {
  /** What was asked for, by its number; `null` where it isn't there. */
  const known = new Map<string, TurnRow | null>();
  return {
    async documents(documents, beside) {
      if (documents.length === 0) return [];
      const store = await engine.store();
      if (store.readHits === undefined || documents.length + beside.length > TOGETHER) {
        return (await store.keyword?.documents(engine.owner, documents, callOf(signal))) ?? [];
      }
      const places = beside.map(({ conversation, turn, seq }) => ({
        conversation,
        turn,
        ...(seq === undefined ? {} : { seq }),
      }));
      const found = await store.readHits(engine.owner, { documents, places }, callOf(signal));
      for (const place of places) known.set(placeOfTurn(place), null);
      for (const place of found.documents) known.set(placeOfTurn(place), null);
      for (const row of found.turns) known.set(placeOf(row.conversation, row.id, row.seq), row);
      return found.documents;
    },
    async at(places) {
      const rows = places.map((place) => known.get(placeOfTurn(place)));
      const missing = places.filter((_, index) => rows[index] === undefined);
      const turns = await readTurnsAt(engine, missing, signal);
      for (const [index, place] of places.entries()) {
        const row = rows[index];
        if (row !== undefined && row !== null) turns.set(turnKey(place), row);
      }
      return turns;
    },
  };
}
