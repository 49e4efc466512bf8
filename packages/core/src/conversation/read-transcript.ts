import type { Transcript, TranscriptOptions } from "../contract/conversation.ts";
import { MemoryError } from "../errors/memory-error.ts";
import { callOf } from "../memory/call-options.ts";
import { throwIfAborted } from "../memory/resilience.ts";
import { publicSummary } from "./public-summary.ts";
import { publicTurn } from "./public-turn.ts";
import { type ConversationScope, ownConversation } from "./scope.ts";

const PAGE_TURNS = 50;
const MAX_PAGE_TURNS = 500;

/** A page of all that was said, turns oldest first, whichever page comes first. */
export async function readTranscript(scope: ConversationScope, options: TranscriptOptions): Promise<Transcript> {
  const { engine, owner } = scope;
  throwIfAborted(options.signal, "transcript");
  const call = callOf(options.signal);
  const { order, seq } = placeOf(options);
  const limit = Math.min(MAX_PAGE_TURNS, options.limit ?? PAGE_TURNS);
  const store = await engine.store();
  const { row } = await ownConversation(scope, call);
  const border = seq === undefined ? {} : order === "newest" ? { before: seq } : { after: seq };
  const turns = await store.readTurns(owner, { ...border, order, limit: limit + 1, hidden: true }, call);
  const [newest] = await store.readSummaries(owner, { limit: 1 }, call);
  const live = newest && newest.deletedAt === undefined ? newest : null;
  const page = turns.slice(0, limit);
  const last = page.at(-1);
  return {
    conversation: owner.conversation,
    ...(row?.subject === undefined ? {} : { subject: row.subject }),
    turns: (order === "newest" ? page.toReversed() : page).map(publicTurn),
    summary: live ? publicSummary(live) : null,
    summarizedThrough: live?.throughTurn ?? null,
    ...(turns.length > limit && last ? { cursor: `${CURSORS[order]}-${last.seq}` } : {}),
  };
}

/** What a cursor of each order begins with. */
const CURSORS = { oldest: "seq", newest: "before" } as const;

/** Where a page begins, and which way the pages go: a cursor goes on in the order it was made in. */
function placeOf({ cursor, order }: TranscriptOptions): { order: "oldest" | "newest"; seq?: number } {
  if (order !== undefined && order !== "oldest" && order !== "newest") {
    throw new MemoryError("INVALID_ARGUMENT", 'transcript: order is "oldest" or "newest".');
  }
  if (cursor === undefined) return { order: order ?? "oldest" };
  const [, kind, number] = /^(seq|before)-(\d+)$/.exec(cursor) ?? [];
  const made = kind === CURSORS.newest ? "newest" : "oldest";
  const seq = Number(number);
  if (kind === undefined || !Number.isSafeInteger(seq) || (order ?? made) !== made) {
    throw new MemoryError(
      "INVALID_CURSOR",
      "The transcript's cursor was not made by transcript() in this order; give it without an order.",
    );
  }
  return { order: made, seq };
}
