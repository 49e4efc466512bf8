import type { TurnRow } from "../contract/store-rows.ts";
import { publicTurn } from "../conversation/public-turn.ts";
import type { Engine } from "../memory/engine.ts";
import { warn } from "../memory/warn.ts";

/** Whether facts are drawn from a turn: it is over, and the app's predicate, where there is one, chooses it. */
export function isChosen(engine: Engine, turn: TurnRow): boolean {
  if (turn.status !== "completed" && turn.status !== "aborted") return false;
  const { shouldExtract } = engine.options;
  if (shouldExtract === undefined) return true;
  try {
    return shouldExtract(publicTurn(turn)) === true;
  } catch (error) {
    // What nobody chose is not extracted; the app's mistake is the app's to see.
    warn("shouldExtract threw; the turn is not extracted", error);
    return false;
  }
}
