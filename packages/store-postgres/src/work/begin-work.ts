import type { ConversationOwner, Json, WorkBegin, WorkRows } from "@throughline/core";
import { namespaceKey, sortKey } from "@throughline/core/store-kit";
import { parse } from "../context.ts";
import { type ConversationColumns, keyOf, toConversation } from "../conversation-rows.ts";
import { type TurnList, turnOfList } from "../search/turn-list.ts";
import type { Session } from "../session.ts";
import { toInteger, writeText } from "../text.ts";
import { leaseEnd } from "./leases.ts";

/** What the function answers; `null` where the conversation isn't claimed. */
interface Answer {
  conversation: ConversationColumns;
  turns: TurnList[] | null;
  records: [place: number, value: Json][];
}

const BEGIN = `SELECT #begin_work(${Array.from({ length: 11 }, (_, index) => `$${index + 1}`).join(", ")}) AS answer`;

/** Leases a conversation, with what its work begins with, in one trip. */
export async function beginWork(
  session: Session,
  rowLevelSecurity: boolean,
  owner: ConversationOwner,
  begin: WorkBegin,
): Promise<WorkRows | null> {
  const { holder, now, turns, records = [] } = begin;
  const asked = records.flatMap(({ namespace, keys }, list) => keys.map((key) => ({ list, namespace, key })));
  const found = await session.prepared<{ answer: string | null }>(
    "work",
    BEGIN,
    rowLevelSecurity,
    ...keyOf(owner),
    writeText(holder),
    now,
    leaseEnd(begin),
    turns?.behind ?? [],
    turns === undefined ? null : Math.max(0, toInteger(turns.limit)),
    asked.map(({ namespace }) => namespaceKey(namespace)),
    asked.map(({ key }) => sortKey(key)),
  );
  if (found === undefined) throw new Error("A function answers with one row.");
  if (found.answer === null) return null;
  const answer = parse<Answer>(found.answer);
  const rows: WorkRows = { conversation: toConversation(answer.conversation), records: records.map(() => []) };
  if (turns !== undefined && answer.turns !== null) rows.turns = answer.turns.map(turnOfList);
  for (const [place, value] of answer.records) {
    const record = asked[place];
    if (record !== undefined) rows.records[record.list]?.push({ key: record.key, value });
  }
  return rows;
}
