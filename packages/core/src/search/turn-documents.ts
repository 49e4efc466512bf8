import type { KeywordDocument } from "../contract/store-keyword.ts";
import type { TurnRow } from "../contract/store-rows.ts";
import type { Engine } from "../memory/engine.ts";
import { contentHash } from "../text/hash.ts";
import { keywordDocumentSlices, keywordDocuments } from "./keyword-documents.ts";
import type { Slices } from "./slices.ts";

/** Turns that are kept: more than wait to be indexed in one process, mostly. */
const MOST_TURNS = 128;
/** Longest turn that is kept, in characters of JSON. */
const LONGEST = 16_384;

/** What a turn was taken apart to, and a hash of what it said then. */
export interface TakenApart {
  said: string;
  documents: readonly KeywordDocument[];
}

/**
 * The searchable messages of a turn that no index holds yet. Each search reads all of those, and taking a turn apart takes
 * longer than all else about it: the last ones are kept until they are indexed, or a turn is changed or erased. One that was written
 * anew is taken apart anew.
 */
export function* turnDocuments(
  { takenApart }: Pick<Engine, "takenApart">,
  turn: TurnRow,
): Slices<readonly KeywordDocument[]> {
  const text = JSON.stringify([turn.status, turn.hidden ?? false, turn.messages]);
  if (text.length > LONGEST) return yield* keywordDocumentSlices(turn);
  const key = keyOf(turn);
  const said = contentHash(text);
  const kept = takenApart.get(key);
  const documents = kept?.said === said ? kept.documents : keywordDocuments(turn);
  // The one that was looked at last goes last.
  takenApart.delete(key);
  takenApart.set(key, { said, documents });
  const [oldest] = takenApart.keys();
  if (takenApart.size > MOST_TURNS && oldest !== undefined) takenApart.delete(oldest);
  return documents;
}

/** The same for the index, which has the turn from here on. */
export function* turnDocumentsToIndex(
  engine: Pick<Engine, "takenApart">,
  turn: TurnRow,
): Slices<readonly KeywordDocument[]> {
  const documents = yield* turnDocuments(engine, turn);
  engine.takenApart.delete(keyOf(turn));
  return documents;
}

const keyOf = ({ conversation, id, seq }: TurnRow): string => `${seq},${conversation.length}:${conversation}${id}`;
