import type { Turn } from "../contract/message.ts";
import type { ConversationRow, TurnRow } from "../contract/store-rows.ts";
import { publicTurn } from "../conversation/public-turn.ts";
import type { Engine } from "../memory/engine.ts";
import { isChosen } from "./is-chosen.ts";

/** Turns given to a distiller at a time: enough to see their sense, few enough for any model's context. */
const MAX_TURNS = 40;
const MAX_TOKENS = 12_000;
/** Earlier turns that explain a short answer. */
const RECENT_TURNS = 3;

/** Turns of one conversation that belong to one person. */
export interface TurnBatch {
  turns: Turn[];
  recent: Turn[];
  subject: string | undefined;
  /** The sequence number that is done with them. */
  through: number;
}

/** The next turns behind a watermark: a run of the same person's, of a size that a distiller can take. */
export async function nextBatch(engine: Engine, row: ConversationRow, after: number): Promise<TurnBatch> {
  const store = await engine.store();
  const owner = { ...engine.owner, conversation: row.id };
  const rows = await store.readTurns(owner, { after, before: row.lastSeq + 1, limit: MAX_TURNS });
  const run: TurnRow[] = [];
  let tokens = 0;
  let through = after;
  let isCut = false;
  for (const turn of rows) {
    const isAnothers = run[0] !== undefined && run[0].subject !== turn.subject;
    if (isAnothers || (run.length > 0 && tokens + turn.tokens > MAX_TOKENS)) {
      isCut = true;
      break;
    }
    through = turn.seq;
    if (!isChosen(engine, turn)) continue;
    run.push(turn);
    tokens += turn.tokens;
  }
  if (!isCut && rows.length < MAX_TURNS) through = row.lastSeq;
  const [first] = run;
  const before =
    first === undefined
      ? []
      : await store.readTurns(owner, { before: first.seq, order: "newest", limit: RECENT_TURNS });
  return {
    turns: run.map(publicTurn),
    recent: before.toReversed().map(publicTurn),
    subject: first?.subject,
    through,
  };
}
