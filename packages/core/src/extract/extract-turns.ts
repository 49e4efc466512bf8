import type { ConversationRow, TurnRow } from "../contract/store-rows.ts";
import { publicTurn } from "../conversation/public-turn.ts";
import { MemoryError } from "../errors/memory-error.ts";
import type { Engine } from "../memory/engine.ts";
import { failureOf, noteFailure, noteSuccess } from "../work/failures.ts";
import { moveMarks } from "../work/move-marks.ts";
import { drawFacts } from "./draw-facts.ts";
import { isChosen } from "./is-chosen.ts";
import { zoneOf } from "./zone-of.ts";

/** Earlier turns that explain a short answer. */
const RECENT_TURNS = 3;
const PAGE = 32;
/** Tries of one turn before it is put aside, so that the turns behind it are not kept waiting for ever. */
const MAX_TRIES = 5;

/**
 * Draws facts from each exchange that is new, once, in order; answers how many. The watermark moves turn by turn. A turn
 * that fails is tried again by later sweeps; after some tries, or where trying again can't help, it is put aside among the
 * failures, and `redrive` tries it. `renew` answers false where the conversation is another worker's meanwhile.
 */
export async function extractTurns(
  engine: Engine,
  row: ConversationRow,
  { renew, signal }: { renew: () => Promise<boolean>; signal?: AbortSignal | undefined },
): Promise<number> {
  if (engine.distiller === undefined || engine.policy.extract.when !== "after-reply") return 0;
  const store = await engine.store();
  const owner = { ...engine.owner, conversation: row.id };
  let done = 0;
  // What was said while extraction was off is not drawn from because it is switched on.
  const begin = Math.max(row.watermarks.extract ?? 0, row.watermarks.unextracted ?? 0);
  for (let after = begin; after < row.lastSeq; ) {
    const turns = await store.readTurns(owner, { after, before: row.lastSeq + 1, limit: PAGE });
    for (const turn of turns) {
      if (!(await renew())) return done;
      signal?.throwIfAborted();
      if (isChosen(engine, turn)) {
        await extractOrPutAside(engine, row, turn, signal);
        done++;
      }
      await moveMarks(engine, row, { extract: turn.seq });
    }
    after = turns.length < PAGE ? row.lastSeq : (turns.at(-1) as TurnRow).seq;
  }
  return done;
}

async function extractOrPutAside(
  engine: Engine,
  row: ConversationRow,
  turn: TurnRow,
  signal: AbortSignal | undefined,
): Promise<void> {
  try {
    await extractTurn(engine, row, turn, signal);
  } catch (error) {
    if (signal?.aborted || !MemoryError.isInstance(error) || error.code !== "DISTILLER_FAILED") throw error;
    const before = await failureOf(engine, { work: "extract", conversation: row.id });
    if (error.retryable && (before?.attempts ?? 0) + 1 < MAX_TRIES) throw error;
    await noteFailure(engine, { work: "extract", conversation: row.id, turn: turn.id }, error);
    await noteSuccess(engine, { work: "extract", conversation: row.id });
  }
}

/** Draws facts from one turn. Rejects where the distiller or the store failed; then nothing is written. */
export async function extractTurn(
  engine: Engine,
  row: ConversationRow,
  turn: TurnRow,
  signal?: AbortSignal,
): Promise<void> {
  const { distiller } = engine;
  if (distiller === undefined) return;
  const store = await engine.store();
  const owner = { ...engine.owner, conversation: row.id };
  const before = await store.readTurns(owner, { before: turn.seq, order: "newest", limit: RECENT_TURNS });
  const { counts } = await drawFacts(engine, distiller, {
    turns: [publicTurn(turn)],
    events: [],
    recent: before.toReversed().map(publicTurn),
    conversation: row.id,
    subject: turn.subject,
    timeZone: zoneOf(engine, row.metadata),
    whole: false,
    operation: { key: `extract:${row.id}:${turn.id}:${turn.seq}`, through: String(turn.seq) },
    beganAt: turn.startedAt,
    signal,
  });
  engine.emit({
    type: "memory.extracted",
    conversation: row.id,
    ...(turn.subject === undefined ? {} : { subject: turn.subject }),
    turns: 1,
    ...counts,
  });
}
