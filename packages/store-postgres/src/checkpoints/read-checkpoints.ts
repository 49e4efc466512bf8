import type {
  AgentOwner,
  CheckpointHistory,
  CheckpointQuery,
  CheckpointRow,
  CheckpointThreadRow,
  CheckpointValueRow,
  ConversationOwner,
  PendingWriteRow,
} from "@throughline/core";
import { parse } from "../context.ts";
import { agentKey, keyOf } from "../conversation-rows.ts";
import { Parameters, type Session } from "../session.ts";
import { readText, toInteger, writeText } from "../text.ts";
import { optionalText, rangesAt, tagText } from "./write-checkpoints.ts";

/** What the functions answer: parts of checkpoints, one after the other. */
interface Part {
  part: "checkpoint" | "elements" | "write" | "seed";
  key: string;
  data: string;
}

interface Head {
  conversation: string;
  subject: string | null;
  space: string;
  id: string;
  parent: string | null;
  at: string;
  names: string[];
  inlines: (string | null)[];
  runs: number[];
  tags: string[];
  generation: string;
}

function toRow(head: Head, body: string): CheckpointRow {
  return {
    conversation: readText(head.conversation),
    ...(head.subject === null ? {} : { subject: readText(head.subject) }),
    space: readText(head.space),
    id: readText(head.id),
    ...(head.parent === null ? {} : { parent: readText(head.parent) }),
    at: head.at,
    values: head.names.map((name, index) => ({
      name: readText(name),
      value: head.inlines[index] ?? rangesAt(head.runs, index + 1),
    })),
    tags: head.tags.map((tag) => parse<[string, string]>(readText(tag))),
    body,
    writes: [],
    generation: head.generation,
  };
}

function toRows(parts: readonly Part[]): CheckpointRow[] {
  const rows: CheckpointRow[] = [];
  for (const { part, key, data } of parts) {
    const row = rows.at(-1);
    if (part === "checkpoint") rows.push(toRow(parse<Head>(key), data));
    else if (part === "write") row?.writes.push(toWrite(parse(key), data));
    else {
      const value = row?.values[Number(key) - 1];
      if (value !== undefined) value.elements = data;
    }
  }
  return rows;
}

type WriteKey = [task: string, path: string, index: number, name: string];

const toWrite = ([task, path, index, name]: WriteKey, text: string): PendingWriteRow => ({
  task: readText(task),
  path: readText(path),
  index,
  name: readText(name),
  text,
});

/** A checkpoint by its id, or the newest of its space; one trip. */
export async function readCheckpoint(
  session: Session,
  rowLevelSecurity: boolean,
  owner: ConversationOwner,
  { space, id, heads = false }: { space: string; id?: string; heads?: boolean },
): Promise<CheckpointRow | null> {
  const parts = await session.rows<Part>(
    "SELECT * FROM #read_checkpoint($1, $2, $3, $4, $5, $6, $7)",
    rowLevelSecurity,
    ...keyOf(owner),
    writeText(space),
    optionalText(id),
    heads,
  );
  return toRows(parts)[0] ?? null;
}

/** Checkpoints, greatest id first; one trip. */
export async function listCheckpoints(
  session: Session,
  rowLevelSecurity: boolean,
  owner: AgentOwner,
  query: CheckpointQuery,
): Promise<CheckpointRow[]> {
  const parts = await session.rows<Part>(
    "SELECT * FROM #list_checkpoints($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)",
    rowLevelSecurity,
    ...agentKey(owner),
    optionalText(query.conversation),
    optionalText(query.subject),
    optionalText(query.space),
    optionalText(query.id),
    optionalText(query.before),
    optionalText(query.after?.id),
    optionalText(query.after?.conversation),
    optionalText(query.after?.space),
    (query.tags ?? []).map(tagText),
    Math.max(0, toInteger(query.limit)),
    query.heads === true,
  );
  return toRows(parts);
}

/** What the ancestors of a checkpoint have for each name; one trip. */
export async function readHistory(
  session: Session,
  rowLevelSecurity: boolean,
  owner: ConversationOwner,
  { space, id, names }: { space: string; id?: string; names: readonly string[] },
): Promise<CheckpointHistory[]> {
  const parts = await session.rows<Part>(
    "SELECT * FROM #checkpoint_history($1, $2, $3, $4, $5, $6, $7)",
    rowLevelSecurity,
    ...keyOf(owner),
    writeText(space),
    optionalText(id),
    [...new Set(names.map(writeText))],
  );
  const seeds = new Map<string, { body: string; value: CheckpointValueRow }>();
  const steps = new Map<string, Map<number, PendingWriteRow[]>>();
  for (const { part, key, data } of parts) {
    if (part === "write") {
      const [step, ...rest] = parse<[step: number, ...WriteKey]>(key);
      const write = toWrite(rest, data);
      const own = steps.get(write.name) ?? new Map<number, PendingWriteRow[]>();
      steps.set(write.name, own);
      own.set(step, [...(own.get(step) ?? []), write]);
    } else if (part === "seed") {
      const seed = parse<{ name: string; inline: string | null; place: number; runs: number[] }>(key);
      const name = readText(seed.name);
      seeds.set(name, { body: data, value: { name, value: seed.inline ?? rangesAt(seed.runs, seed.place) } });
    } else {
      const seed = seeds.get(readText(key));
      if (seed !== undefined) seed.value.elements = data;
    }
  }
  return names.map((name) => {
    const seed = seeds.get(name);
    return {
      name,
      steps: [...(steps.get(name)?.values() ?? [])].reverse(),
      ...(seed === undefined ? {} : { seed }),
    };
  });
}

/** Conversations that have checkpoints, sorted by id. */
export async function listThreads(
  session: Session,
  owner: AgentOwner,
  { subject, after, limit }: { subject?: string; after?: string; limit: number },
): Promise<CheckpointThreadRow[]> {
  const parameters = new Parameters();
  const where = ["t.tenant = $1", "t.agent = $2"];
  for (const name of agentKey(owner)) parameters.add(name);
  if (subject !== undefined) where.push(`coalesce(o.subject, t.subject) = ${parameters.add(writeText(subject))}`);
  if (after !== undefined) where.push(`t.conversation > ${parameters.add(writeText(after))}`);
  const rows = await session.rows<{
    conversation: string;
    subject: string | null;
    login: string | null;
    created_at: string;
    updated_at: string;
    checkpoints: number;
  }>(
    `SELECT t.conversation, coalesce(o.subject, t.subject) AS subject, t.login, t.created_at, t.updated_at,
        (SELECT count(*)::integer FROM #checkpoint c WHERE c.tenant = t.tenant AND c.thread = t.thread) AS checkpoints
      FROM #checkpoint_thread t
        LEFT JOIN #conversation o ON o.tenant = t.tenant AND o.agent = t.agent AND o.id = t.conversation
      WHERE ${where.join(" AND ")} ORDER BY t.conversation LIMIT ${parameters.add(Math.max(0, toInteger(limit)))}`,
    ...parameters.values,
  );
  return rows.map((row) => ({
    conversation: readText(row.conversation),
    ...(row.subject === null ? {} : { subject: readText(row.subject) }),
    ...(row.login === null ? {} : { login: readText(row.login) }),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    checkpoints: row.checkpoints,
  }));
}
