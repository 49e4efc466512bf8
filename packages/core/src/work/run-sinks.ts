import type { ConversationRow, TurnRow } from "../contract/store-rows.ts";
import { createConversation } from "../conversation/create-conversation.ts";
import { publicTurn } from "../conversation/public-turn.ts";
import type { Engine } from "../memory/engine.ts";
import { runWithin } from "../memory/resilience.ts";
import { noteFailure, noteSuccess } from "./failures.ts";
import { moveMarks } from "./move-marks.ts";

/** How long a sink may take with one turn, in milliseconds. */
const SINK_TIMEOUT_MS = 30_000;
const PAGE = 32;

/**
 * Gives one turn to every sink, or to the one that `only` names. What one throws is noted for itself and can be redriven,
 * so that no sink gets a turn again because of another; the other sinks and turns go on. Answers whether all took it.
 */
export async function feedSinks(
  engine: Engine,
  row: ConversationRow,
  turn: TurnRow,
  { only, signal }: { only?: number | undefined; signal?: AbortSignal | undefined } = {},
): Promise<boolean> {
  const conversation = createConversation(engine, {
    id: row.id,
    ...(turn.subject === undefined ? {} : { subject: turn.subject }),
  });
  const given = (engine.options.sinks ?? []).map(async (sink, index) => {
    if (only !== undefined && only !== index) return true;
    const ref = { work: "sink", conversation: row.id, turn: turn.id, sink: index };
    try {
      const give = (ends: AbortSignal) => sink({ turn: publicTurn(turn), conversation, signal: ends });
      await runWithin(give, { ms: SINK_TIMEOUT_MS, what: `sinks[${index}]`, signal });
    } catch (error) {
      // Also where the sweep was ended meanwhile: nobody knows whether the sink took the turn, and the watermark moves.
      await noteFailure(engine, ref, error);
      return false;
    }
    await noteSuccess(engine, ref);
    return true;
  });
  return (await Promise.all(given)).every((taken) => taken);
}

/**
 * Gives each completed exchange to the sinks once, in order; answers how many turns all sinks took. The watermark moves
 * turn by turn, so that a crash repeats one at most. Sinks that are new to a conversation begin with what isn't settled
 * yet, not with its whole past. `renew` answers false where the conversation is another worker's meanwhile.
 */
export async function runSinks(
  engine: Engine,
  row: ConversationRow,
  { renew, signal }: { renew: () => Promise<boolean>; signal?: AbortSignal | undefined },
): Promise<number> {
  if ((engine.options.sinks ?? []).length === 0) return 0;
  const store = await engine.store();
  const owner = { ...engine.owner, conversation: row.id };
  let given = 0;
  for (let after = sinksBegin(row); after < row.lastSeq; ) {
    const turns = await store.readTurns(owner, { after, before: row.lastSeq + 1, limit: PAGE });
    for (const turn of turns) {
      if (!(await renew())) return given;
      signal?.throwIfAborted();
      const isOver = turn.status === "completed" || turn.status === "aborted";
      if (isOver && (await feedSinks(engine, row, turn, { signal }))) given++;
      await moveMarks(engine, row, { sinks: turn.seq });
    }
    after = turns.length < PAGE ? row.lastSeq : (turns.at(-1) as TurnRow).seq;
  }
  if (given > 0) engine.emit({ type: "memory.delivered", conversation: row.id, turns: given });
  return given;
}

/** Behind which turn the sinks of a conversation begin: what was settled before there were any is none of theirs. */
export const sinksBegin = (row: ConversationRow): number => row.watermarks.sinks ?? row.settledSeq;
