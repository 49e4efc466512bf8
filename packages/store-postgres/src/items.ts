import type { ConversationOwner, ItemCommit, ItemQuery, ItemRow } from "@throughline/core";
import { endOfPrefix, sortKey, textOfSortKey } from "@throughline/core/store-kit";
import { toBytes } from "./bytes.ts";
import { keyOf } from "./conversation-rows.ts";
import { type ErasureMark, lockErasures } from "./erasure-marks.ts";
import { checkOwner } from "./obtain-conversation.ts";
import { Parameters, type Session } from "./session.ts";
import { toInteger, writeText } from "./text.ts";

type Put = Extract<ItemCommit, { action: "put" }>;

const OF_CONVERSATION = "tenant = $1 AND agent = $2 AND conversation = $3";

/** Byte items of a conversation, in code-unit order of their keys. */
export async function readItems(session: Session, owner: ConversationOwner, query: ItemQuery): Promise<ItemRow[]> {
  const parameters = new Parameters();
  for (const name of keyOf(owner)) parameters.add(name);
  const where = [OF_CONVERSATION];
  let rest = "ORDER BY key";
  if ("keys" in query) where.push(`key = ANY (${parameters.add(query.keys.map(sortKey))}::bytea[])`);
  else {
    const prefix = sortKey(query.prefix);
    where.push(`key >= ${parameters.add(prefix)} AND key < ${parameters.add(endOfPrefix(prefix))}`);
    if (query.after !== undefined) where.push(`key > ${parameters.add(sortKey(query.after))}`);
    if (query.before !== undefined) where.push(`key < ${parameters.add(sortKey(query.before))}`);
    const limit = parameters.add(Math.max(0, toInteger(query.limit)));
    rest = `ORDER BY key ${query.order === "descending" ? "DESC" : "ASC"} LIMIT ${limit}`;
  }
  const rows = await session.rows<{ key: unknown; data: unknown }>(
    `SELECT key, data FROM #item WHERE ${where.join(" AND ")} ${rest}`,
    ...parameters.values,
  );
  return rows.map(({ key, data }) => ({ key: textOfSortKey(toBytes(key)), bytes: toBytes(data) }));
}

/**
 * Applies all commits in order; false, with nothing written, where the conversation or the subject was erased at or
 * after `beganAt`.
 */
export async function commitItems(
  session: Session,
  owner: ConversationOwner,
  commits: readonly ItemCommit[],
  { beganAt, subject }: { beganAt?: string; subject?: string } = {},
): Promise<boolean> {
  checkOwner(owner);
  const key = keyOf(owner);
  if (beganAt !== undefined) {
    const marks: ErasureMark[] = [{ agent: key[1], kind: "conversation", id: key[2] }];
    if (subject !== undefined) marks.push({ agent: key[1], kind: "subject", id: writeText(subject) });
    const at = await lockErasures(session, key[0], marks);
    if (at !== null && at >= beganAt) return false;
  }
  let puts: Put[] = [];
  const flush = async () => {
    await putItems(session, key, puts);
    puts = [];
  };
  for (const commit of commits) {
    if (commit.action === "put") {
      // One statement writes a run of puts, of which no two are of one key or of another kind.
      const [first] = puts;
      const isOther = first !== undefined && (first.ifAbsent === true) !== (commit.ifAbsent === true);
      if (isOther || puts.some((put) => put.key === commit.key)) await flush();
      puts.push(commit);
      continue;
    }
    await flush();
    if (commit.action === "delete") {
      await session.run(`DELETE FROM #item WHERE ${OF_CONVERSATION} AND key = $4`, ...key, sortKey(commit.key));
    } else {
      const prefix = sortKey(commit.prefix);
      const range = `${OF_CONVERSATION} AND key >= $4 AND key < $5`;
      await session.run(`DELETE FROM #item WHERE ${range}`, ...key, prefix, endOfPrefix(prefix));
    }
  }
  await flush();
  return true;
}

async function putItems(session: Session, key: readonly string[], puts: readonly Put[]): Promise<void> {
  if (puts.length === 0) return;
  const then = puts[0]?.ifAbsent === true ? "NOTHING" : "UPDATE SET data = excluded.data";
  await session.run(
    `INSERT INTO #item (tenant, agent, conversation, key, data)
      SELECT $1, $2, $3, i.key, i.data FROM unnest($4::bytea[], $5::bytea[]) i (key, data) ORDER BY i.key
      ON CONFLICT (tenant, agent, conversation, key) DO ${then}`,
    ...key,
    puts.map((put) => sortKey(put.key)),
    puts.map((put) => put.bytes),
  );
}
