import type { ConversationRow, TurnRow } from "../contract/store-rows.ts";
import { allTurns } from "../conversation/all-turns.ts";
import { isUnchanged } from "../conversation/is-unchanged.ts";
import { messageText } from "../conversation/message-text.ts";
import { publicTurn } from "../conversation/public-turn.ts";
import { shownMessages } from "../conversation/window.ts";
import { MemoryError } from "../errors/memory-error.ts";
import type { Engine } from "../memory/engine.ts";
import { runWithin } from "../memory/resilience.ts";
import { cutAtSentence } from "../text/sentences.ts";
import { moveMarks } from "../work/move-marks.ts";
import { isCarried } from "./is-carried.ts";
import { dropSegments, readSegments, type SegmentVersion, segmentNamespace } from "./segments.ts";

/** How long a summarizer may take, in milliseconds. */
const SUMMARIZER_TIMEOUT_MS = 60_000;
/** Part of a summary that one conversation may fill. */
const SEGMENT_SHARE = 0.25;
const MIN_SEGMENT_TOKENS = 64;
/** Versions of a segment are kept this long whoever may have been shown them: a turn that began with one may not have ended. */
const KEPT_MS = 3_600_000;
const MAX_VERSIONS = 200;
const TRIES = 4;
const PAGE = 50;

/**
 * Merges exchanges of a conversation into its segment of the login's carry-over: the first completed one, or each, by
 * policy. The summarizer runs outside any write, which compares versions. Answers how many were merged. Throws
 * `SUMMARIZER_FAILED`: then the segment is as it was.
 */
export async function carryTurns(
  engine: Engine,
  row: ConversationRow,
  { renew, signal }: { renew: () => Promise<boolean>; signal?: AbortSignal | undefined },
): Promise<number> {
  if (!isCarried(engine, row)) return 0;
  const isFirstOnly = engine.policy.carryOver.every === "first";
  const done = row.watermarks.carry ?? 0;
  if (isFirstOnly && done > 0) return 0;
  const owner = { ...engine.owner, conversation: row.id };
  let merged = 0;
  for await (const turn of allTurns(engine, owner, { after: done })) {
    if (turn.seq > row.lastSeq || !(await renew())) break;
    signal?.throwIfAborted();
    const isMeant = turn.status === "completed" && turn.subject === row.subject;
    if (isMeant && (await merge(engine, row, turn, signal))) merged++;
    // Until there was a completed one, the first is still to come.
    if (isMeant || !isFirstOnly) {
      await moveMarks(engine, row, { carry: turn.seq });
    }
    if (isMeant && isFirstOnly) break;
  }
  return merged;
}

async function merge(
  engine: Engine,
  row: ConversationRow & { subject: string; login: string },
  given: TurnRow,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const store = await engine.store();
  const where = { login: row.login, conversation: row.id };
  let turn = given;
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const [segment] = await readSegments(engine, row.subject, where);
    const versions = segment?.versions ?? [];
    const last = versions.at(-1);
    if (last !== undefined && last.through >= turn.seq) return false;
    const text = await summarize(engine, last?.text ?? null, turn, signal);
    if (text === null) return false;
    const now = engine.now();
    const next: SegmentVersion = { text, through: turn.seq, at: now };
    const result = await store.commitRecords(
      engine.owner,
      [
        {
          namespace: segmentNamespace(row.subject, row.login),
          key: row.id,
          value: {
            versions: (await thinned(engine, row, versions, now)).concat(next).map((version) => ({ ...version })),
          },
          ifVersion: segment?.version ?? 0,
          subject: row.subject,
        },
      ],
      { now },
    );
    if (result.status === "conflict") continue;
    // What was erased while the summarizer ran must not be told by it.
    const stored = await store.readConversation({ ...engine.owner, conversation: row.id });
    const [still] = stored
      ? await store.readTurns({ ...engine.owner, conversation: row.id }, { ids: [turn.id], limit: 1 })
      : [];
    const isThere = still !== undefined && stored?.subject === row.subject && stored.createdAt === row.createdAt;
    if (!isThere || !isUnchanged(turn, still)) {
      await dropSegments(engine, row.subject, where);
      if (!isThere) return false;
      turn = still;
      continue;
    }
    const tokens = engine.countTokens(text);
    engine.emit({ type: "memory.carried_over", conversation: row.id, subject: row.subject, turns: 1, tokens });
    return true;
  }
  throw new MemoryError("STORE_BUSY", "The carry-over of this login changes too fast; it is tried again.");
}

/** `null` where nothing was said in words. */
async function summarize(
  engine: Engine,
  previous: string | null,
  turn: TurnRow,
  signal: AbortSignal | undefined,
): Promise<string | null> {
  const { summarizer } = engine;
  const messages = shownMessages(turn);
  if (summarizer === undefined || !messages.some((message) => messageText(message).trim() !== "")) return null;
  const maxTokens = Math.max(MIN_SEGMENT_TOKENS, Math.floor(engine.policy.summarize.maxTokens * SEGMENT_SHARE));
  let text: unknown;
  try {
    const turns = [{ ...publicTurn(turn), messages }];
    const ask = (ends: AbortSignal) => summarizer({ previous, turns, maxTokens, signal: ends });
    text = await runWithin<unknown>(ask, { ms: SUMMARIZER_TIMEOUT_MS, what: "the summarizer", signal });
  } catch (cause) {
    if (MemoryError.isInstance(cause) && cause.code === "ABORTED") throw cause;
    throw new MemoryError("SUMMARIZER_FAILED", "The summarizer failed for a carry-over; it stays as it was.", {
      cause,
    });
  }
  if (typeof text !== "string" || text.trim() === "") {
    throw new MemoryError("SUMMARIZER_FAILED", "The summarizer returned nothing for a carry-over; it stays as it was.");
  }
  return cutAtSentence(text.trim(), maxTokens, engine.countTokens);
}

/**
 * The versions that a conversation of the subject may still be shown: the newest one where another has begun since, those
 * before it where they were kept, and all of the last hour.
 */
async function thinned(
  engine: Engine,
  row: ConversationRow & { subject: string },
  versions: readonly SegmentVersion[],
  now: string,
): Promise<SegmentVersion[]> {
  const last = versions.at(-1);
  if (last === undefined) return [];
  const isFresh = Date.parse(now) - Date.parse(last.at) < KEPT_MS;
  const kept = isFresh || (await hasBegunSince(engine, row, last.at)) ? versions : versions.slice(0, -1);
  return kept.slice(-MAX_VERSIONS + 1);
}

async function hasBegunSince(engine: Engine, row: ConversationRow & { subject: string }, at: string): Promise<boolean> {
  const store = await engine.store();
  for (let after: { updatedAt: string; id: string } | undefined; ; ) {
    const query = { subject: row.subject, limit: PAGE, ...(after === undefined ? {} : { after }) };
    const rows: ConversationRow[] = await store.listConversations(engine.owner, query);
    for (const other of rows) {
      if (other.updatedAt < at) return false;
      if (other.id !== row.id && other.createdAt >= at) return true;
    }
    const last = rows.at(-1);
    if (rows.length < PAGE || last === undefined) return false;
    after = { updatedAt: last.updatedAt, id: last.id };
  }
}
