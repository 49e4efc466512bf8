import { checkId } from "../checks/ids.ts";
import type { BeginInput, OpenTurn } from "../contract/conversation.ts";
import type { CallOptions } from "../contract/memory-store.ts";
import type { Message, MessageInput } from "../contract/message.ts";
import type { TurnRow } from "../contract/store-rows.ts";
import { callOf } from "../memory/call-options.ts";
import { guard } from "../memory/guard.ts";
import { degradingRead, throwIfAborted } from "../memory/resilience.ts";
import { roughTokens } from "../text/tokens.ts";
import { exchangeId, splitExchanges } from "./exchanges.ts";
import { windowLimits } from "./limits.ts";
import { mergeMessages, toMessages } from "./message-input.ts";
import { messageText, messageTokens } from "./message-text.ts";
import { createOpenTurn, type TurnStart } from "./open-turn.ts";
import { type PromptPlan, planPrompt } from "./prompt-plan.ts";
import { readContext, readFoldedContext } from "./read-context.ts";
import { recallTurns } from "./recall-turns.ts";
import { reconcileHost, rowsBefore } from "./reconcile-host.ts";
import { type ConversationScope, ownConversation } from "./scope.ts";

/** Text of the newest user message. */
function newestUserText(messages: readonly MessageInput[]): string {
  const newest = messages.findLast((message) => message.role === "user");
  return newest?.content ?? messageText({ parts: newest?.parts ?? [] });
}

/** A free id beside one that a completed turn holds: running it again is another turn, which replaces that one. */
function rerunId(id: string, turns: readonly TurnRow[]): string {
  let count = 2;
  while (turns.some((turn) => turn.id === `${id}~${count}`)) count++;
  return `${id}~${count}`;
}

/** Opens a turn: reads, reconciles, and builds what the model is shown. Writes nothing. */
export function beginTurn(scope: ConversationScope, input: BeginInput): Promise<OpenTurn> {
  return noted(scope, openTurn(scope, input));
}

/** A memory that is closed waits for it. */
function noted<Turn>({ engine }: ConversationScope, opening: Promise<Turn>): Promise<Turn> {
  engine.openTurns.opening(opening);
  return opening;
}

async function openTurn(scope: ConversationScope, input: BeginInput): Promise<OpenTurn> {
  const { engine } = scope;
  throwIfAborted(input.signal, "begin");
  if (input.id !== undefined) checkId(input.id, "turn id");
  const host = input.messages ?? [];
  const startedAt = engine.moments.begin();
  const model = await engine.limits(input.model);
  const limits = windowLimits(engine, model);
  const query = input.query ?? newestUserText(host);
  const context = await readFoldedContext(scope, { query, limits, facts: true, signal: input.signal });
  const { rows, retrieved, carried } = context;
  const reconciled = await reconcileHost(scope, rows, host, input);
  const degraded = context.degraded || reconciled.degraded === true;
  const { turns } = reconciled;
  const named = turns.find((turn) => turn.id === input.id);
  const goesOn = reconciled.continues ?? (named && named.status !== "completed" ? named.id : undefined);
  const resumed = turns.find((turn) => turn.id === goesOn);
  const reruns = resumed === undefined && named !== undefined;
  const { diverges } = reconciled;
  const asked = input.replaces ?? reconciled.replaces ?? (reruns ? named.id : undefined);
  const replaces = resumed ? undefined : (asked ?? (diverges?.certain ? diverges.turn : undefined));
  const id = resumed?.id ?? (reruns ? rerunId(named.id, turns) : (input.id ?? engine.createId()));

  const exchanges = resumed ? [reconciled.fresh] : splitExchanges(reconciled.fresh);
  const own = toMessages(exchanges.at(-1) ?? [], { turn: id, now: startedAt, before: resumed?.messages ?? [] });
  const repeated = new Set(resumed?.messages.map((message) => message.id));
  // The same id says that a stored question comes again; it is in the turn already.
  const fresh = own.filter((message) => !repeated.has(message.id) || isGrown(message, resumed));
  const earlier = exchanges
    .slice(0, -1)
    .map((messages, index) => ({ id: exchangeId(messages, index), messages, now: startedAt }));

  // The host's copy wins in the prompt, also where nothing is hidden in the store.
  const past = resumed
    ? { ...rows, turns: rows.turns.filter((turn) => turn.id !== resumed.id) }
    : await rowsBefore(scope, rows, turns, replaces ?? diverges?.turn, input.signal);
  const recalled = await recallTurns(scope, query, input.recall, past, input.signal);
  const plan = await planPrompt(engine, {
    conversation: scope.owner.conversation,
    rows: past,
    retrieved,
    carried,
    recalled,
    query,
    signal: input.signal,
    model,
    window: limits,
    ownTokens: messageTokens(mergeMessages(resumed?.messages ?? [], fresh), roughTokens),
  });
  const turn = guardedTurn(scope, {
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

const guardedTurn = (scope: ConversationScope, start: TurnStart): OpenTurn =>
  guard(createOpenTurn(scope, start), "turn");

/** Opens a paused turn again; `null` when there is none, or the store could not be read. */
export function resumeTurn(
  scope: ConversationScope,
  turn: string | undefined,
  options?: CallOptions,
): Promise<OpenTurn | null> {
  return noted(scope, openAgain(scope, turn, options));
}

async function openAgain(
  scope: ConversationScope,
  turn: string | undefined,
  { signal }: CallOptions = {},
): Promise<OpenTurn | null> {
  const { engine, owner } = scope;
  throwIfAborted(signal, "resume");
  if (turn !== undefined) checkId(turn, "turn id");
  const startedAt = engine.now();
  const read = async (): Promise<TurnRow[]> => {
    const store = await engine.store();
    await ownConversation(scope, callOf(signal));
    const query = turn === undefined ? ({ order: "newest", limit: 50 } as const) : { ids: [turn], limit: 1 };
    return store.readTurns(owner, query, callOf(signal));
  };
  const newest = await degradingRead(engine, "resume", read, []);
  const paused = newest.find((row) => row.status === "paused");
  if (paused === undefined) return null;
  const model = await engine.limits(undefined);
  const limits = windowLimits(engine, model);
  const { rows, retrieved, carried, degraded } = await readContext(scope, {
    query: newestUserText(paused.messages),
    limits,
    facts: true,
    signal,
  });
  const plan = await planPrompt(engine, {
    conversation: owner.conversation,
    rows: { ...rows, turns: rows.turns.filter((row) => row.id !== paused.id) },
    retrieved,
    carried,
    recalled: [],
    query: newestUserText(paused.messages),
    signal,
    model,
    window: limits,
    ownTokens: messageTokens(paused.messages, roughTokens),
  });
  reportContext(scope, countsOf(paused.id, plan), startedAt);
  return guardedTurn(scope, {
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
