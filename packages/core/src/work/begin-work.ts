import type { ConversationOwner } from "../contract/owner.ts";
import type { ConversationRow, TurnRow } from "../contract/store-rows.ts";
import type { WorkRows } from "../contract/store-work.ts";
import { callOf } from "../memory/call-options.ts";
import type { Engine } from "../memory/engine.ts";
import { type EmbeddingState, embeddingRecords, embeddingStateOf } from "../search/embedding-model.ts";
import { vectorWatermark } from "../search/vector-segments.ts";
import { recordsOfNotes } from "./failures.ts";

/** How long a worker has a conversation to itself, in milliseconds. */
export const LEASE_MS = 120_000;
/** Turns that are read along as a conversation is claimed, at most. */
const MOST_TURNS = 64;

/** A conversation that was claimed, and what was read along with it. */
export interface BegunWork {
  row: ConversationRow;
  /** The visible turns that are to be indexed or embedded; absent where they weren't read. */
  turns?: readonly TurnRow[];
  /** How the stored vectors relate to the embedder; absent where it wasn't read. */
  state?: EmbeddingState;
  /** Whether work on it is noted as failed; absent where that isn't known. */
  isNoted?: boolean;
}

/** Leases up to `limit` conversations with work due, or one, with what the work on that begins with. */
export async function claimWork(
  engine: Engine,
  limit: number,
  conversation?: string,
  signal?: AbortSignal,
): Promise<BegunWork[]> {
  const store = await engine.store();
  const { holder } = engine;
  const claim = { holder, now: engine.now(), leaseMs: LEASE_MS };
  if (conversation === undefined || store.beginWork === undefined) {
    const one = conversation === undefined ? {} : { conversation };
    const rows = await store.claimWork(engine.owner, { ...claim, limit, ...one }, callOf(signal));
    return rows.map((row) => ({ row }));
  }
  const embedder = engine.policy.search.enabled ? engine.options.embedder : undefined;
  const notes = recordsOfNotes(conversation);
  const rows = await store.beginWork(
    { ...engine.owner, conversation },
    {
      ...claim,
      turns: {
        behind: [
          ...(store.keyword === undefined ? [] : ["index"]),
          ...(embedder === undefined ? [] : [vectorWatermark(embedder)]),
        ],
        limit: MOST_TURNS,
      },
      records: embedder === undefined ? [notes] : [notes, embeddingRecords(embedder)],
    },
    callOf(signal),
  );
  return rows === null ? [] : [toBegun(rows, embedder)];
}

function toBegun({ conversation, turns, records }: WorkRows, embedder: Engine["options"]["embedder"]): BegunWork {
  const [notes = [], model = []] = records;
  return {
    row: conversation,
    isNoted: notes.length > 0,
    ...(turns === undefined ? {} : { turns }),
    ...(embedder === undefined ? {} : { state: embeddingStateOf(embedder, model) }),
  };
}

/** Pages of a conversation's visible turns, from behind a watermark up to where it was claimed. */
export type DueTurns = (page: { after: number; limit: number }, signal?: AbortSignal) => Promise<readonly TurnRow[]>;

/** Those that were read as it was claimed, where there are such; the store's else. */
export function dueTurns(
  engine: Engine,
  owner: ConversationOwner,
  { row, turns }: Pick<BegunWork, "row" | "turns">,
): DueTurns {
  const before = row.lastSeq + 1;
  return async ({ after, limit }, signal) => {
    if (turns !== undefined) return turns.filter(({ seq }) => seq > after && seq < before).slice(0, limit);
    const store = await engine.store();
    return store.readTurns(owner, { after, before, limit }, callOf(signal));
  };
}
