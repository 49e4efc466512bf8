import type { CallOptions } from "../contract/memory-store.ts";
import type { Turn } from "../contract/message.ts";
import type { Summarizer } from "../contract/models.ts";
import type { ConversationOwner } from "../contract/owner.ts";
import type { SummaryRow, TurnRow } from "../contract/store-rows.ts";
import { MemoryError } from "../errors/memory-error.ts";
import { callOf } from "../memory/call-options.ts";
import type { Engine } from "../memory/engine.ts";
import { withDeadline } from "../memory/resilience.ts";
import { cutAtSentence } from "../text/sentences.ts";
import { allTurns } from "./all-turns.ts";
import { isFoldDue } from "./is-fold-due.ts";
import { isUnchanged } from "./is-unchanged.ts";
import { countMessages, messageText, messageTokens } from "./message-text.ts";
import { publicTurn } from "./public-turn.ts";
import { dropStaleSummary } from "./stale-summary.ts";
import { shownMessages } from "./window.ts";

/** Turns given to the summarizer at a time: enough to see their sense, few enough for any model's context. */
const MAX_FOLD_TURNS = 40;
const MAX_FOLD_TOKENS = 12_000;
/** How long a summarizer may take, in milliseconds. */
const SUMMARIZER_TIMEOUT_MS = 60_000;
/** Summary of turns that held no word: tool calls and files only. */
const NOTHING_SAID = "…";

/**
 * Folds the older turns into the summary until `keepMessages` are left, where that is due. The summarizer runs outside
 * any transaction; the commit compares the version, so of two folds at once one counts. Answers how many turns were
 * folded. Throws `SUMMARIZER_FAILED` where the summarizer threw, took too long or returned nothing: all stays as it was.
 */
export async function foldConversation(
  engine: Engine,
  owner: ConversationOwner,
  options: { signal?: AbortSignal | undefined } = {},
): Promise<number> {
  const { summarizer } = engine;
  const { conversation } = engine.policy;
  if (summarizer === undefined || !conversation.enabled) return 0;
  const store = await engine.store();
  const call = callOf(options.signal);
  const read = () => store.readContext(owner, { now: engine.now(), window: null, facts: null }, call);
  let rows = await read();
  if (rows.summary !== null) {
    // A change that was cut short may have left one that tells of turns which no longer count.
    await dropStaleSummary(engine, owner, {}, call);
    rows = await read();
  }
  if (rows.conversation === null) return 0;
  let summary = rows.summary;
  const after = Math.max(rows.conversation.clearedThrough, summary?.through ?? 0);
  const turns: TurnRow[] = [];
  for await (const turn of allTurns(engine, owner, { after }, call)) turns.push(turn);
  if (!isFoldDue(engine, turns)) return 0;
  const border = foldBorder(engine, turns);
  let folded = 0;
  for (const batch of foldBatches(turns.filter((turn) => turn.seq < border))) {
    const next = await summarize(engine, summarizer, owner, summary, batch, options.signal);
    const result = await store.commitSummary(
      owner,
      { expectedVersion: summary?.version ?? 0, summary: next, now: next.createdAt },
      call,
    );
    // Another process folded these turns, or the conversation changed under the fold: its word counts.
    if (result.status === "conflict") break;
    // Changers change first and drop the summary then, so one of the two sees the other.
    if (!(await standsAsFolded(engine, owner, batch, call))) {
      await dropStaleSummary(engine, owner, { from: batch[0]?.seq }, call);
      break;
    }
    summary = { ...next, version: result.version };
    folded += batch.length;
  }
  if (folded > 0) {
    engine.emit({
      type: "memory.folded",
      conversation: owner.conversation,
      turns: folded,
      tokens: summary?.tokens ?? 0,
    });
  }
  return folded;
}

/** True where the turns are still as they were folded: visible, unchanged, not cleared, and not the newest ones. */
async function standsAsFolded(
  engine: Engine,
  owner: ConversationOwner,
  folded: readonly TurnRow[],
  call: CallOptions,
): Promise<boolean> {
  const store = await engine.store();
  const ids = folded.map((turn) => turn.id);
  const [row, stored, [newest]] = await Promise.all([
    store.readConversation(owner, call),
    store.readTurns(owner, { ids, limit: ids.length }, call),
    store.readTurns(owner, { order: "newest", limit: 1 }, call),
  ]);
  const last = folded.at(-1) as TurnRow;
  if (row === null || row.clearedThrough >= (folded[0] as TurnRow).seq) return false;
  if (newest === undefined || newest.seq <= last.seq) return false;
  const now = new Map(stored.map((turn) => [turn.id, turn]));
  return folded.every((turn) => isUnchanged(turn, now.get(turn.id)));
}

/** Sequence number of the oldest turn that stays: the newest whole turns within `keepMessages`, one at least. */
function foldBorder(engine: Engine, turns: readonly TurnRow[]): number {
  const { keepMessages, maxTokens } = engine.policy.conversation;
  let messages = 0;
  let tokens = 0;
  let border = Number.POSITIVE_INFINITY;
  for (const turn of turns.toReversed()) {
    const shown = shownMessages(turn);
    if (shown.length === 0) continue;
    messages += countMessages(shown);
    tokens += messageTokens(shown, engine.countTokens);
    if (border !== Number.POSITIVE_INFINITY && (messages > keepMessages || tokens > maxTokens)) break;
    border = turn.seq;
  }
  return border;
}

/** Turns that are folded, in runs of a size that a summarizer can take. Completed and aborted ones count. */
function foldBatches(turns: readonly TurnRow[]): TurnRow[][] {
  const batches: TurnRow[][] = [];
  let tokens = 0;
  for (const turn of turns) {
    if (turn.status !== "completed" && turn.status !== "aborted") continue;
    const last = batches.at(-1);
    if (last === undefined || last.length >= MAX_FOLD_TURNS || tokens + turn.tokens > MAX_FOLD_TOKENS) {
      batches.push([turn]);
      tokens = turn.tokens;
    } else {
      last.push(turn);
      tokens += turn.tokens;
    }
  }
  return batches;
}

async function summarize(
  engine: Engine,
  summarizer: Summarizer,
  owner: ConversationOwner,
  previous: SummaryRow | null,
  turns: readonly TurnRow[],
  signal: AbortSignal | undefined,
): Promise<Omit<SummaryRow, "version">> {
  const { maxTokens } = engine.policy.summarize;
  let text: string;
  try {
    const given: Turn[] = turns.map((turn) => ({ ...publicTurn(turn), messages: shownMessages(turn) }));
    // Nothing was said in words: there is nothing to add, and nothing that a summarizer could fail at.
    if (!given.some((turn) => turn.messages.some((message) => messageText(message).trim() !== ""))) {
      return fold(engine, previous, previous?.text ?? NOTHING_SAID, turns);
    }
    const timeout = AbortSignal.timeout(SUMMARIZER_TIMEOUT_MS);
    const ends = signal === undefined ? timeout : AbortSignal.any([signal, timeout]);
    const input = { previous: previous?.text ?? null, turns: given, maxTokens, signal: ends };
    text = await withDeadline(Promise.resolve(summarizer(input)), SUMMARIZER_TIMEOUT_MS, "the summarizer");
  } catch (cause) {
    if (MemoryError.isInstance(cause) && cause.code === "ABORTED") throw cause;
    throw new MemoryError(
      "SUMMARIZER_FAILED",
      `The summarizer failed for the conversation "${owner.conversation}"; its history stays as it was and the next turn tries again.`,
      { cause },
    );
  }
  if (typeof text !== "string" || text.trim() === "") {
    throw new MemoryError(
      "SUMMARIZER_FAILED",
      `The summarizer returned nothing for the conversation "${owner.conversation}"; its history stays as it was.`,
    );
  }
  return fold(engine, previous, cutAtSentence(text.trim(), maxTokens, engine.countTokens), turns);
}

/** The next version of a summary. */
function fold(
  engine: Engine,
  previous: SummaryRow | null,
  text: string,
  turns: readonly TurnRow[],
): Omit<SummaryRow, "version"> {
  const last = turns.at(-1) as TurnRow;
  return {
    text,
    through: last.seq,
    throughTurn: last.id,
    turns: (previous?.turns ?? 0) + turns.length,
    tokens: engine.countTokens(text),
    createdAt: engine.now(),
  };
}
