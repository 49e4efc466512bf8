import type { ConversationOwner, VectorSelection } from "@throughline/core";
import { findConversation } from "../conversation-rows.ts";
import type { SqlValue } from "../driver.ts";
import { findTurnById, messageHash } from "../identities.ts";
import type { Session } from "../session.ts";
import { Pace, type Steps } from "../steps.ts";
import { removeVectors } from "./turn-vectors.ts";
import { modelNumber, vectorKey } from "./vector-sets.ts";

/** Vectors removed before it is looked at how long it took. */
const AT_ONCE = 64;

/** Removes vectors of a conversation, or counts those that would go; how many. */
export function* dropVectors(
  session: Session,
  owner: ConversationOwner,
  selection: VectorSelection,
  isDryRun: boolean,
): Steps<number> {
  const conversation = findConversation(session, owner);
  if (conversation === undefined) return 0;
  const { sql, parameters } = selected(session, conversation.ref, selection);
  if (sql === "") return 0;
  const pace = new Pace();
  let count = 0;
  for (let after: readonly [seq: number, key: number] = [-1, -1]; ; ) {
    const rows: [seq: number, key: number][] = session.rows(
      `SELECT v.seq, v.key FROM vector v CROSS JOIN vector_set s ON s.ref = v.key / ${vectorKey(1, 0)}
        WHERE v.conversation = ? AND (v.seq, v.key) > (?, ?) AND (${sql}) ORDER BY v.seq, v.key LIMIT ${AT_ONCE}`,
      conversation.ref,
      ...after,
      ...parameters,
    );
    if (!isDryRun && rows.length > 0) {
      session.needsScrub = true;
      removeVectors(
        session,
        rows.map(([, key]) => key),
      );
    }
    count += rows.length;
    const last = rows.at(-1);
    if (rows.length < AT_ONCE || last === undefined) return count;
    after = last;
    if (pace.isOver) yield* pace.pause();
  }
}

/** What isn't named names nothing. */
function selected(
  session: Session,
  conversation: number,
  { turns = [], messages = [], createdBefore, otherThan }: VectorSelection,
): { sql: string; parameters: SqlValue[] } {
  const conditions: string[] = [];
  const parameters: SqlValue[] = [];
  const add = (condition: string, value: SqlValue): void => {
    conditions.push(condition);
    parameters.push(value);
  };
  if (turns.length > 0) {
    const seqs = turns.flatMap((id) => findTurnById(session, conversation, id)?.seq ?? []);
    add("v.seq IN (SELECT value FROM json_each(?))", JSON.stringify(seqs));
  }
  if (messages.length > 0) {
    const hashes = messages.map((id) => messageHash(session, id));
    add("v.message IN (SELECT value FROM json_each(?))", JSON.stringify(hashes));
  }
  if (createdBefore !== undefined) add("v.created_at < ?", createdBefore);
  if (otherThan !== undefined) add("s.model <> ?", modelNumber(session, otherThan));
  return { sql: conditions.join(" OR "), parameters };
}
