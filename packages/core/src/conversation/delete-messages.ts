import { dropArtifacts } from "../artifacts/drop-artifacts.ts";
import { dropSegments } from "../carry-over/segments.ts";
import { checkId } from "../checks/ids.ts";
import type { TurnChange } from "../contract/memory-store.ts";
import type { Message, Part } from "../contract/message.ts";
import type { Outcome } from "../contract/outcome.ts";
import type { ConversationRow, TurnRow } from "../contract/store-rows.ts";
import { MemoryError } from "../errors/memory-error.ts";
import { dropQuarantined } from "../extract/quarantine.ts";
import { dropQuotes, type ErasedWords, factsAround } from "../facts/drop-quotes.ts";
import { dropVectors } from "../search/drop-vectors.ts";
import { indexAgain } from "../search/index-again.ts";
import { allTurns } from "./all-turns.ts";
import { asRead, inRuns } from "./change-runs.ts";
import { wordsIn } from "./message-text.ts";
import { withFormer } from "./people-of.ts";
import { valueText } from "./quote.ts";
import { rewriteTurn } from "./rewrite-turn.ts";
import { type ConversationScope, eventScope, ownConversation } from "./scope.ts";
import { dropStaleSummary } from "./stale-summary.ts";

/** Checkpoints that are counted. */
const MAX_CHECKPOINTS = 1_000;

/** How often turns are read again that changed while their messages were deleted. */
const TRIES = 6;

/** Calls and results of a message, by call id. */
const callIds = (message: Message): string[] =>
  message.parts.flatMap((part) =>
    part.type === "tool-call" || part.type === "tool-result" || part.type === "approval" ? [part.callId] : [],
  );

/** Calls that go with the messages. */
const goneCalls = (turn: TurnRow, ids: ReadonlySet<string>): Set<string> =>
  new Set(turn.messages.filter((message) => ids.has(message.id)).flatMap(callIds));

/**
 * Erases single messages, and with a call its result and the other way round, so that no pair is broken; what was kept
 * of a result beside the turn goes too, and what facts quote of all that. A turn that is left with nothing goes as a whole.
 * Turns that others write meanwhile are read again, so that nothing they add is lost.
 */
export async function deleteMessages(scope: ConversationScope, ids: readonly string[]): Promise<Outcome> {
  for (const id of ids) checkId(id, "message id");
  const { engine, owner } = scope;
  const { row } = await ownConversation(scope);
  const notFound = { status: "unchanged", code: "NOT_FOUND", reason: "No stored message has such an id." } as const;
  if (row === null) return notFound;
  const wanted = new Set(ids);
  const found = new Set<string>();
  let from: number | undefined;
  const kept = new Set<string>();
  const named = new Set([row.subject]);
  const erased = new Map<string, ErasedWords>();
  /** What repeats the words: carry-over goes, facts stay without their quotes, candidates in quarantine go with their turns. */
  const dropCopies = async (): Promise<void> => {
    if (row.subject !== undefined) await dropSegments(engine, row.subject, { conversation: row.id });
    for (const person of named) {
      await dropQuarantined(engine, row.id, person, ({ turn }) => turn !== undefined && erased.has(turn));
    }
    const holders = factsAround(engine, owner, await withFormer(engine, owner, named));
    for (const id of await dropQuotes(engine, holders, { conversation: row.id, turns: erased })) kept.add(id);
  };
  for (let attempt = 0; ; attempt++) {
    const touched: TurnRow[] = [];
    for await (const turn of allTurns(engine, owner, { hidden: true })) {
      named.add(turn.subject);
      if (turn.messages.some((message) => wanted.has(message.id))) touched.push(turn);
    }
    const [first] = touched;
    if (first === undefined) break;
    if (attempt === TRIES) {
      throw new MemoryError("STORE_BUSY", "These messages' turns are written by others at the same time; try again.");
    }
    from = Math.min(from ?? first.seq, first.seq);
    for (const turn of touched) {
      for (const message of turn.messages) if (wanted.has(message.id)) found.add(`${turn.id}\n${message.id}`);
      erased.set(turn.id, erasedWords(turn, wanted, erased.get(turn.id)));
    }
    // Before the messages themselves, so that a deletion that breaks off finds the rest again.
    await dropStaleSummary(engine, owner, { from });
    await dropCopies();
    await dropArtifactsOf(scope, touched, wanted);
    await changeAll(scope, row, touched, wanted);
  }
  await dropVectors(engine, owner, { messages: ids });
  // And after them: a fold, a carry-over, a fact or a distillation that was under way may have brought them back.
  await dropStaleSummary(engine, owner, { from });
  if (found.size === 0) return notFound;
  await dropCopies();
  engine.emit({ type: "memory.changed", ...eventScope(scope), operation: "delete_messages", items: found.size });
  return { status: "stored", id: owner.conversation, ...(await whatStays(scope, kept.size)) };
}

/** Names what may hold the words by its own right: facts in their values, a host's states of the conversation. */
async function whatStays({ engine, owner }: ConversationScope, facts: number): Promise<Pick<Outcome, "kept">> {
  const { checkpoints } = await engine.store();
  const query = { conversation: owner.conversation, limit: MAX_CHECKPOINTS, heads: true };
  const states = (await checkpoints?.list(owner, query))?.length ?? 0;
  if (facts === 0 && states === 0) return {};
  return { kept: { ...(facts === 0 ? {} : { facts }), ...(states === 0 ? {} : { checkpoints: states }) } };
}

/** What goes of a turn and what is left; with what went before of it, where others wrote it since. */
function erasedWords(turn: TurnRow, ids: ReadonlySet<string>, before?: ErasedWords): ErasedWords {
  const messages = remaining(turn, ids);
  const still = new Set(messages);
  const gone = turn.messages.filter((message) => !still.has(message));
  const more = gone.flatMap(({ parts }) => parts.map(unspoken));
  return { gone: [before?.gone ?? "", wordsIn(gone), ...more].join("\n"), left: wordsIn(messages) };
}

/** Words of a part that nobody was told. */
function unspoken(part: Part): string {
  if (part.type === "tool-call") return valueText(part.input);
  if (part.type === "custom") return valueText(part.value);
  return part.type === "reasoning" ? part.text : "";
}

async function dropArtifactsOf(
  { engine, owner }: ConversationScope,
  turns: readonly TurnRow[],
  ids: ReadonlySet<string>,
): Promise<void> {
  const calls = new Map(turns.map((turn) => [turn.id, goneCalls(turn, ids)]));
  const whole = new Set(turns.filter((turn) => withoutMessages(turn, ids).action === "erase").map((turn) => turn.id));
  if (whole.size === 0 && [...calls.values()].every((gone) => gone.size === 0)) return;
  await dropArtifacts(engine, owner, ({ turn, callId }) => whole.has(turn) || (calls.get(turn)?.has(callId) ?? false));
}

async function changeAll(
  { engine, owner }: ConversationScope,
  row: ConversationRow,
  turns: readonly TurnRow[],
  ids: ReadonlySet<string>,
): Promise<void> {
  const store = await engine.store();
  await inRuns(turns, async (run) => {
    const changes = run.map((turn) => withoutMessages(turn, ids));
    await store.changeTurns(owner, changes, { now: engine.now() });
    const rewritten = run.filter((_, place) => changes[place]?.action === "rewrite");
    await indexAgain(engine, owner, row, rewritten);
  });
}

/** What is left of a turn's messages; those that nothing goes of are the same objects. */
function remaining(turn: TurnRow, ids: ReadonlySet<string>): Message[] {
  const gone = goneCalls(turn, ids);
  return turn.messages.flatMap((message) => {
    if (ids.has(message.id)) return [];
    const parts = message.parts.filter((part) => !("callId" in part) || !gone.has(part.callId));
    if (parts.length === 0) return [];
    if (parts.length === message.parts.length) return [message];
    const { native: _native, ...rest } = message;
    return [{ ...rest, parts }];
  });
}

function withoutMessages(turn: TurnRow, ids: ReadonlySet<string>): TurnChange {
  const messages = remaining(turn, ids);
  if (messages.length === 0) return { turn: turn.id, action: "erase", ifStill: asRead(turn) };
  return rewriteTurn(turn, messages);
}
