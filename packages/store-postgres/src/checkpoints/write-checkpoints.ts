import type {
  CheckpointCommit,
  CheckpointWrite,
  ConversationOwner,
  ElementRange,
  PendingWrites,
} from "@throughline/core";
import { parse } from "../context.ts";
import { keyOf } from "../conversation-rows.ts";
import { checkOwner } from "../obtain-conversation.ts";
import type { Session } from "../session.ts";
import { checkId, writeText } from "../text.ts";

/** A text that need not be there. */
export const optionalText = (text: string | undefined): string | null => (text === undefined ? null : writeText(text));

/** A tag as one text, so that an array of them can be looked for. */
export const tagText = ([key, text]: readonly [string, string]): string => writeText(JSON.stringify([key, text]));

const parametersOf = (count: number): string => Array.from({ length: count }, (_, index) => `$${index + 1}`).join(", ");

const PUT = `SELECT #put_checkpoint(${parametersOf(21)}) AS answer`;

type Answer =
  | { status: "stored"; generation: string; runs: number[] }
  | Exclude<CheckpointCommit, { status: "stored" }>;

/** Writes a checkpoint, or says why not; one trip. */
export async function putCheckpoint(
  session: Session,
  rowLevelSecurity: boolean,
  owner: ConversationOwner,
  write: CheckpointWrite,
): Promise<CheckpointCommit> {
  checkOwner(owner);
  checkId(write.id);
  if (write.subject !== undefined) checkId(write.subject);
  const of: number[] = [];
  const first: (number | null)[] = [];
  const count: number[] = [];
  const texts: (string | null)[] = [];
  for (const [index, { value }] of write.values.entries()) {
    if (typeof value === "string") continue;
    for (const segment of value) {
      of.push(index + 1);
      first.push(typeof segment === "string" ? null : segment[0]);
      count.push(typeof segment === "string" ? 1 : segment[1]);
      texts.push(typeof segment === "string" ? segment : null);
    }
  }
  const holdsRanges = first.some((number) => number !== null);
  const found = await session.prepared<{ answer: string }>(
    "put checkpoint",
    PUT,
    rowLevelSecurity,
    ...keyOf(owner),
    optionalText(write.subject),
    optionalText(write.login),
    write.now,
    writeText(write.space),
    writeText(write.id),
    optionalText(write.parent),
    write.detached === true,
    write.ifNewest === true,
    holdsRanges ? (write.generation ?? "") : null,
    write.tags.map(tagText),
    write.body,
    write.values.map(({ name }) => writeText(name)),
    write.values.map(({ value }) => (typeof value === "string" ? value : null)),
    of,
    first,
    count,
    texts,
  );
  const answer = parse<Answer>(found?.answer ?? "null");
  if (answer.status !== "stored") return answer;
  const lists = write.values.flatMap(({ name, value }, index) =>
    typeof value === "string" ? [] : [{ name, ranges: rangesAt(answer.runs, index + 1) }],
  );
  return { status: "stored", generation: answer.generation, lists };
}

/** The runs of the list at a place, from 1. */
export function rangesAt(runs: readonly number[], place: number): ElementRange[] {
  const ranges: ElementRange[] = [];
  for (let at = 0; at < runs.length; at += 3) {
    if (runs[at] === place) ranges.push([runs[at + 1] ?? 0, runs[at + 2] ?? 0]);
  }
  return ranges;
}

const PUT_WRITES = `SELECT #put_checkpoint_writes(${parametersOf(14)}) AS answer`;

/** Keeps writes of one task; one trip. */
export async function putWrites(
  session: Session,
  rowLevelSecurity: boolean,
  owner: ConversationOwner,
  given: PendingWrites,
): Promise<"stored" | "late" | "owner-mismatch"> {
  // One statement takes an index once: of several, the first ordinary and the last replacing one count.
  const writes = new Map<string, PendingWrites["writes"][number]>();
  for (const write of given.writes) {
    const key = `${write.index} ${write.replaces === true}`;
    if (write.replaces === true || !writes.has(key)) writes.set(key, write);
  }
  const rows = [...writes.values()];
  const found = await session.prepared<{ answer: "stored" | "late" | "owner-mismatch" }>(
    "put writes",
    PUT_WRITES,
    rowLevelSecurity,
    ...keyOf(owner),
    optionalText(given.subject),
    writeText(given.space),
    writeText(given.checkpoint),
    writeText(given.task),
    writeText(given.path),
    given.generation?.split(".")[0] ?? null,
    rows.map(({ index }) => index),
    rows.map(({ name }) => writeText(name)),
    rows.map(({ text }) => text),
    rows.map(({ replaces }) => replaces === true),
  );
  return found?.answer ?? "late";
}
