import type { ConversationOwner } from "../contract/owner.ts";
import type { KeywordDocument } from "../contract/store-keyword.ts";
import type { ConversationRow, TurnRow } from "../contract/store-rows.ts";
import { callOf } from "../memory/call-options.ts";
import type { Engine } from "../memory/engine.ts";
import type { DueTurns } from "../work/begin-work.ts";
import type { HeldWork } from "../work/held-work.ts";
import { Breath } from "./breath.ts";
import { turnDocumentsToIndex } from "./turn-documents.ts";

/** Turns read and indexed in one step: bounded, so that no step holds the event loop for long. */
const BATCH_TURNS = 32;

/** Indexes a conversation's turns from the watermark on; the last of them are held where that is possible. Answers how many. */
export async function indexConversation(
  engine: Engine,
  owner: ConversationOwner,
  row: ConversationRow,
  { due, held, signal }: { due: DueTurns; held?: HeldWork | undefined; signal?: AbortSignal | undefined },
): Promise<number> {
  const store = await engine.store();
  if (!store.keyword) return 0;
  let after = row.watermarks.index ?? 0;
  let indexed = 0;
  let holds = 0;
  const breath = new Breath();
  while (after < row.lastSeq) {
    const turns = await due({ after, limit: BATCH_TURNS }, signal);
    const through = turns.length < BATCH_TURNS ? row.lastSeq : (turns.at(-1) as TurnRow).seq;
    // What is erased meanwhile doesn't come back: whoever rewrites a turn brings the index past it, and this is refused then.
    const documents: KeywordDocument[] = [];
    for (const turn of turns) {
      for (const document of await breath.through(turnDocumentsToIndex(engine, turn))) documents.push(document);
      await breath.take();
    }
    const batch = { createdAt: row.createdAt, after, through, documents };
    if (held !== undefined && through >= row.lastSeq) {
      held.index = { batch, turns: turns.length };
      holds = turns.length;
      break;
    }
    // Another process indexed these turns meanwhile: there is nothing left to do here.
    if (!(await store.keyword.index(owner, batch, callOf(signal)))) break;
    after = through;
    indexed += turns.length;
  }
  if (indexed > 0) engine.emit({ type: "memory.indexed", conversation: owner.conversation, turns: indexed });
  return indexed + holds;
}
