import type { ConversationRow, TurnRow } from "../contract/store-rows.ts";
import { createConversation } from "../conversation/create-conversation.ts";
import { publicTurn } from "../conversation/public-turn.ts";
import type { Engine } from "../memory/engine.ts";
import { withDeadline } from "../memory/resilience.ts";
import { noteFailure, noteSuccess } from "./failures.ts";

/** How long a sink may take with one turn, in milliseconds. */
const SINK_TIMEOUT_MS = 30_000;
const PAGE = 32;

/** Gives one turn to every sink. A throw is noted and can be redriven; the other sinks and turns go on. */
export async function feedSinks(engine: Engine, row: ConversationRow, turn: TurnRow): Promise<boolean> {
  const conversation = createConversation(engine, {
    id: row.id,
    ...(turn.subject === undefined ? {} : { subject: turn.subject }),
  });
  const ref = { work: "sink", conversation: row.id, turn: turn.id };
  try {
    const given = (engine.options.sinks ?? []).map(async (sink) => {
      const taken = Promise.resolve(sink({ turn: publicTurn(turn), conversation }));
      await withDeadline(taken, SINK_TIMEOUT_MS, "a sink");
    });
    // All of them, whichever throws: what fails later must not be a rejection that nobody handles.
    const failed = (await Promise.allSettled(given)).find((result) => result.status === "rejected");
    if (failed) throw failed.reason;
    await noteSuccess(engine, ref);
    return true;
  } catch (error) {
    await noteFailure(engine, ref, error);
    return false;
  }
}

/**
 * Gives each completed exchange to the sinks once, in order; answers how many turns all sinks took. The watermark moves
 * turn by turn, so that a crash repeats one at most. Sinks that are new to a conversation begin with what isn't settled
 * yet, not with its whole past.
 */
export async function runSinks(engine: Engine, row: ConversationRow): Promise<number> {
  if ((engine.options.sinks ?? []).length === 0) return 0;
  const store = await engine.store();
  const owner = { ...engine.owner, conversation: row.id };
  let given = 0;
  for (let after = row.watermarks.sinks ?? row.settledSeq; after < row.lastSeq; ) {
    const turns = await store.readTurns(owner, { after, before: row.lastSeq + 1, limit: PAGE });
    for (const turn of turns) {
      const isOver = turn.status === "completed" || turn.status === "aborted";
      if (isOver && (await feedSinks(engine, row, turn))) given++;
      await store.settleWork(owner, { holder: engine.holder, watermarks: { sinks: turn.seq }, release: false });
    }
    after = turns.length < PAGE ? row.lastSeq : (turns.at(-1) as TurnRow).seq;
  }
  if (given > 0) engine.emit({ type: "memory.delivered", conversation: row.id, turns: given });
  return given;
}
