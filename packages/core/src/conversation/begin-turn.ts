import { checkId } from "../checks/ids.ts";
import type { BeginInput, OpenTurn } from "../contract/conversation.ts";
import type { ContextRows } from "../contract/memory-store.ts";
import type { Message, MessageInput } from "../contract/message.ts";
import type { TurnRow } from "../contract/store-rows.ts";
import { callOf } from "../memory/call-options.ts";
import { throwIfAborted } from "../memory/resilience.ts";
import { roughTokens } from "../text/tokens.ts";
import { exchangeId, splitExchanges } from "./exchanges.ts";
import { windowLimits } from "./limits.ts";
import { mergeMessages, toMessages } from "./message-input.ts";
import { messageText, messageTokens } from "./message-text.ts";
import { createOpenTurn } from "./open-turn.ts";
import { type PromptPlan, planPrompt } from "./prompt-plan.ts";
import { readContext, readFoldedContext } from "./read-context.ts";
import { recallTurns } from "./recall-turns.ts";
import { type Reconciliation, reconcileMessages } from "./reconcile.ts";
import { type ConversationScope, ownConversation } from "./scope.ts";

/** Text of the newest user message. */
function newestUserText(messages: readonly MessageInput[]): string {
  const newest = messages.findLast((message) => message.role === "user");
  return newest?.content ?? messageText({ parts: newest?.parts ?? [] });
}

/** True where what was read begins with the conversation's first visible turn. */
const isComplete = (rows: ContextRows): boolean =>
  rows.conversation === null ||
  (rows.summary === null && rows.conversation.clearedThrough === 0 && rows.turns.length >= rows.conversation.turns);

/** What of the host's copy is new. Ids that the window doesn't hold are looked up: the copy may be longer than it. */
export async function reconcileHost(
  scope: ConversationScope,
  rows: ContextRows,
  host: readonly MessageInput[],
  signal?: AbortSignal,
): Promise<Reconciliation> {
  const complete = isComplete(rows);
  const first = reconcileMessages(rows.turns, host, { complete });
  const ids = host.flatMap((message) => message.id ?? []);
  if (complete || first.known.length > 0 || ids.length < 2) return first;
  const store = await scope.engine.store();
  const found = await store.findMessages(scope.owner, ids, callOf(signal));
  const knownIds = new Set(found.map((location) => location.id));
  return knownIds.size === 0 ? first : reconcileMessages(rows.turns, host, { complete, knownIds });
}

/** A free id beside one that a completed turn holds: running it again is another turn, which replaces that one. */
function rerunId(id: string, turns: readonly TurnRow[]): string {
  let count = 2;
  while (turns.some((turn) => turn.id === `${id}~${count}`)) count++;
  return `${id}~${count}`;
}

/** Opens a turn: reads, reconciles, and builds what the model is shown. Writes nothing. */
export async function beginTurn(scope: ConversationScope, input: BeginInput): Promise<OpenTurn> {
  const { engine } = scope;
  throwIfAborted(input.signal, "begin");
  if (input.id !== undefined) checkId(input.id, "turn id");
  const host = input.messages ?? [];
  const startedAt = engine.now();
  const model = await engine.limits(input.model);
  const limits = windowLimits(engine, model);
  const query = input.query ?? newestUserText(host);
  const { rows, retrieved, degraded } = await readFoldedContext(scope, {
    query,
    limits,
    facts: true,
    signal: input.signal,
  });
  const reconciled = await reconcileHost(scope, rows, host, input.signal);
  const named = rows.turns.find((turn) => turn.id === input.id);
  const goesOn = reconciled.continues ?? (named && named.status !== "completed" ? named.id : undefined);
  const resumed = rows.turns.find((turn) => turn.id === goesOn);
  const reruns = resumed === undefined && named !== undefined;
  const replaces = resumed ? undefined : (input.replaces ?? reconciled.replaces ?? (reruns ? named.id : undefined));
  const id = resumed?.id ?? (reruns ? rerunId(named.id, rows.turns) : (input.id ?? engine.createId()));

  const exchanges = resumed ? [reconciled.fresh] : splitExchanges(reconciled.fresh);
  const own = toMessages(exchanges.at(-1) ?? [], { turn: id, now: startedAt, before: resumed?.messages ?? [] });
  const repeated = new Set(resumed?.messages.map((message) => message.id));
  // The same id says that a stored question comes again; it is in the turn already.
  const fresh = own.filter((message) => !repeated.has(message.id) || isGrown(message, resumed));
  const earlier = exchanges
    .slice(0, -1)
    .map((messages, index) => ({ id: exchangeId(messages, index), messages, now: startedAt }));

  const before = turnsBefore(rows.turns, resumed, replaces);
  const recalled = await recallTurns(scope, query, input.recall, before, input.signal);
  const plan = planPrompt(engine, {
    conversation: scope.owner.conversation,
    rows: { ...rows, turns: [...before] },
    retrieved,
    recalled,
    query,
    model,
    window: limits,
    ownTokens: messageTokens(mergeMessages(resumed?.messages ?? [], fresh), roughTokens),
  });
  const turn = createOpenTurn(scope, {
    id,
    startedAt: resumed?.startedAt ?? startedAt,
    agentName: input.agentName,
    replaces,
    resumed,
    degraded,
    // What the memory could not look up is not known to be new: only the newest exchange is this turn's.
    preceding: degraded ? [] : earlier,
    fresh,
    plan,
    model,
    earlier: earlier.flatMap((exchange) => toMessages(exchange.messages, { turn: exchange.id, now: startedAt })),
  });
  reportContext(scope, countsOf(id, plan), startedAt);
  return turn;
}

const countsOf = (turn: string, { facts, window }: PromptPlan) => ({
  turn,
  facts: facts.length,
  turns: window.turns.length,
  tokens: window.tokens,
});

/** Reports that a prompt's part of the memory was made, and how long it took. */
export function reportContext(
  { engine, owner }: ConversationScope,
  counts: { turn?: string; facts: number; turns: number; tokens: number },
  startedAt: string,
): void {
  if (engine.options.onEvent === undefined) return;
  const ms = Math.max(0, Date.parse(engine.now()) - Date.parse(startedAt));
  engine.emit({ type: "memory.context", conversation: owner.conversation, ...counts, ms });
}

const isGrown = (message: Message, resumed: TurnRow | undefined): boolean =>
  resumed?.messages.find((stored) => stored.id === message.id)?.parts.length !== message.parts.length;

/** Turns that come before this one in its prompt. */
function turnsBefore(
  turns: readonly TurnRow[],
  resumed: TurnRow | undefined,
  replaces: string | undefined,
): readonly TurnRow[] {
  if (resumed) return turns.filter((turn) => turn.id !== resumed.id);
  const replaced = turns.find((turn) => turn.id === replaces);
  return replaced ? turns.filter((turn) => turn.seq < replaced.seq) : turns;
}

/** Opens a paused turn again; `null` when there is none. */
export async function resumeTurn(scope: ConversationScope, turn: string | undefined): Promise<OpenTurn | null> {
  const { engine, owner } = scope;
  if (turn !== undefined) checkId(turn, "turn id");
  const startedAt = engine.now();
  const store = await engine.store();
  await ownConversation(scope);
  const newest = await store.readTurns(
    owner,
    turn === undefined ? { order: "newest", limit: 50 } : { ids: [turn], limit: 1 },
  );
  const paused = newest.find((row) => row.status === "paused");
  if (paused === undefined) return null;
  const model = await engine.limits(undefined);
  const limits = windowLimits(engine, model);
  const { rows, retrieved, degraded } = await readContext(scope, {
    query: newestUserText(paused.messages),
    limits,
    facts: true,
  });
  const plan = planPrompt(engine, {
    conversation: owner.conversation,
    rows: { ...rows, turns: [...turnsBefore(rows.turns, paused, undefined)] },
    retrieved,
    recalled: [],
    query: newestUserText(paused.messages),
    model,
    window: limits,
    ownTokens: messageTokens(paused.messages, roughTokens),
  });
  reportContext(scope, countsOf(paused.id, plan), startedAt);
  return createOpenTurn(scope, {
    id: paused.id,
    startedAt: paused.startedAt,
    agentName: paused.agentName,
    replaces: undefined,
    resumed: paused,
    degraded,
    preceding: [],
    fresh: [],
    plan,
    model,
    earlier: [],
  });
}
