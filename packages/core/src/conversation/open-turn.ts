import { checkId } from "../checks/ids.ts";
import type { BeginInput, Conversation, Explanation, OpenTurn } from "../contract/conversation.ts";
import type { Message, MessageInput, TurnStatus } from "../contract/message.ts";
import type { Outcome } from "../contract/outcome.ts";
import type { TurnRow } from "../contract/store-rows.ts";
import { MemoryError } from "../errors/memory-error.ts";
import { throwIfAborted } from "../memory/resilience.ts";
import { contentHash } from "../text/hash.ts";
import { windowLimits } from "./limits.ts";
import { mergeMessages, messageHash, toMessages } from "./message-input.ts";
import { messageText, messageTokens } from "./message-text.ts";
import { buildSystem, readContext, type SystemBlock } from "./read-context.ts";
import { reconcileMessages } from "./reconcile.ts";
import { recordTurn, type TurnDraft } from "./record-turn.ts";
import { sanitizeTranscript } from "./sanitize.ts";
import { type ConversationScope, checkOwner } from "./scope.ts";
import { selectWindow, type Window } from "./window.ts";

/** What an open turn starts from. */
interface TurnState {
  id: string;
  startedAt: string;
  agentName: string | undefined;
  replaces: string | undefined;
  /** The stored, paused turn that goes on. */
  resumed: TurnRow | undefined;
  /** Complete exchanges that the host has and the memory didn't; recorded before this turn. */
  preceding: MessageInput[][];
  fresh: Message[];
}

/** Text of the newest user message. */
function newestUserText(messages: readonly MessageInput[]): string {
  for (let index = messages.length - 1; index >= 0; index--) {
    const message = messages[index] as MessageInput;
    if (message.role === "user") return message.content ?? messageText({ parts: message.parts ?? [] });
  }
  return "";
}

/** Splits a host's unknown history into exchanges: one begins at each user message that follows an answer. */
export function splitExchanges(messages: readonly MessageInput[]): MessageInput[][] {
  const exchanges: MessageInput[][] = [];
  let previous: MessageInput | undefined;
  for (const message of messages) {
    if (previous === undefined || (message.role === "user" && previous.role !== "user")) exchanges.push([]);
    (exchanges.at(-1) as MessageInput[]).push(message);
    previous = message;
  }
  return exchanges;
}

/** Opens a turn: reads, reconciles, and builds what the model is shown. Writes nothing. */
export async function beginTurn(
  scope: ConversationScope,
  conversation: Conversation,
  input: BeginInput,
): Promise<OpenTurn> {
  const { engine } = scope;
  throwIfAborted(input.signal, "begin");
  if (input.id !== undefined) checkId(input.id, "turn id");
  const host = input.messages ?? [];
  const startedAt = engine.now();
  const limits = windowLimits(engine, input.model);
  const query = input.query ?? newestUserText(host);
  const { rows, retrieved } = await readContext(scope, conversation, {
    query,
    limits,
    facts: true,
    signal: input.signal,
  });
  const reconciled = reconcileMessages(rows.turns, host);
  const resumed = rows.turns.find((turn) => turn.id === reconciled.paused);
  const replaces = input.replaces ?? reconciled.replaces;
  const exchanges = resumed ? [reconciled.fresh] : splitExchanges(reconciled.fresh);
  const id = resumed?.id ?? input.id ?? engine.createId();
  const own = exchanges.at(-1) ?? [];
  const fresh = toMessages(own, { turn: id, now: startedAt, before: resumed?.messages ?? [] });
  const replaced = rows.turns.find((turn) => turn.id === replaces);
  const kept = replaced ? rows.turns.filter((turn) => turn.seq < replaced.seq) : rows.turns;
  const window = selectWindow(kept, limits, engine.countTokens);
  const system = buildSystem(scope, rows, retrieved);
  const preceding = exchanges.slice(0, -1);
  const state: TurnState = {
    id,
    startedAt: resumed?.startedAt ?? startedAt,
    agentName: input.agentName,
    replaces,
    resumed,
    preceding,
    fresh,
  };
  const earlier = preceding.flatMap((messages) => toMessages(messages, { turn: exchangeId(messages), now: startedAt }));
  const open = createOpenTurn(scope, conversation, state, { window, system, earlier });
  engine.emit({
    type: "memory.context",
    conversation: scope.owner.conversation,
    turn: id,
    facts: system.facts.length,
    turns: window.turns.length,
    tokens: window.tokens,
    ms: Math.max(0, Date.parse(engine.now()) - Date.parse(startedAt)),
  });
  return open;
}

/** Opens a paused turn again; `null` when there is none. */
export async function resumeTurn(
  scope: ConversationScope,
  conversation: Conversation,
  turn: string | undefined,
): Promise<OpenTurn | null> {
  const { engine, owner } = scope;
  if (turn !== undefined) checkId(turn, "turn id");
  const store = await engine.store();
  checkOwner(scope, await store.readConversation(owner));
  const newest = await store.readTurns(
    owner,
    turn === undefined ? { order: "newest", limit: 50 } : { ids: [turn], limit: 1 },
  );
  const paused = newest.find((row) => row.status === "paused");
  if (paused === undefined) return null;
  const limits = windowLimits(engine, undefined);
  const query = newestUserText(paused.messages);
  const { rows, retrieved } = await readContext(scope, conversation, { query, limits, facts: true });
  const window = selectWindow(
    rows.turns.filter((row) => row.seq < paused.seq),
    limits,
    engine.countTokens,
  );
  const state: TurnState = {
    id: paused.id,
    startedAt: paused.startedAt,
    agentName: paused.agentName,
    replaces: undefined,
    resumed: paused,
    preceding: [],
    fresh: [],
  };
  return createOpenTurn(scope, conversation, state, {
    window,
    system: buildSystem(scope, rows, retrieved),
    earlier: [],
  });
}

/** An id for an exchange nobody named: the same exchange has the same one. */
const exchangeId = (messages: readonly MessageInput[]): string =>
  `exchange-${contentHash(
    messages.map((message) => message.id ?? messageHash({ ...message, parts: partsOf(message) })).join("\n"),
  )}`;

const partsOf = (message: MessageInput) => message.parts ?? [{ type: "text" as const, text: message.content ?? "" }];

function createOpenTurn(
  scope: ConversationScope,
  conversation: Conversation,
  state: TurnState,
  shown: { window: Window; system: SystemBlock; earlier: Message[] },
): OpenTurn {
  const { engine } = scope;
  const stored = state.resumed?.messages ?? [];
  let own = mergeMessages(stored, state.fresh);
  let ended: Promise<Outcome> | null = null;
  let previousSeq = state.resumed?.seq;
  scope.current = {
    id: state.id,
    startedAt: state.startedAt,
    userText: () =>
      own
        .filter((message) => message.role === "user")
        .map(messageText)
        .join("\n"),
  };

  const openCalls = new Set(
    stored.flatMap((message) => message.parts).flatMap((part) => (part.type === "approval" ? [part.callId] : [])),
  );
  const prompt = [
    ...shown.window.messages,
    ...shown.earlier,
    ...(stored.length > 0 ? sanitizeTranscript(own, { openCalls }) : state.fresh),
  ];

  const end = async (status: TurnStatus, inputs: readonly MessageInput[] = []): Promise<Outcome> => {
    if (ended) return ended;
    if (inputs.length > 0) append(inputs);
    if (own.length === 0) {
      throw new MemoryError("NOTHING_TO_RECORD", `The turn "${state.id}" has no message; append what was said first.`);
    }
    const write = writeTurn(status);
    if (status !== "paused") ended = write;
    const outcome = await write.catch((error: unknown) => {
      ended = null;
      throw error;
    });
    // What the store didn't take can be tried again.
    if (outcome.status === "failed") ended = null;
    else if (status !== "paused" && scope.current?.id === state.id) scope.current = null;
    return outcome;
  };

  const writeTurn = async (status: TurnStatus): Promise<Outcome> => {
    const binding = { subject: scope.ref.subject, login: scope.ref.login };
    for (const exchange of state.preceding.splice(0)) {
      await recordTurn(engine, scope.owner, draftOfExchange(exchange, state.startedAt), binding);
    }
    const draft: TurnDraft = {
      id: state.id,
      status,
      startedAt: state.startedAt,
      endedAt: status === "paused" ? undefined : engine.now(),
      messages: own,
      agentName: state.agentName,
      replaces: state.replaces,
      previousSeq,
    };
    const outcome = await recordTurn(engine, scope.owner, draft, binding);
    // The stored turn has another sequence number from here on; the merge finds it by the turn's id.
    previousSeq = undefined;
    return outcome;
  };

  const append = (inputs: readonly MessageInput[]): void => {
    if (ended) {
      throw new MemoryError("TURN_ENDED", `The turn "${state.id}" has ended; begin another one.`, {
        details: { turn: state.id },
      });
    }
    own = mergeMessages(own, toMessages(inputs, { turn: state.id, now: engine.now(), before: own }));
  };

  return {
    id: state.id,
    conversation,
    system: shown.system.text,
    messages: prompt,
    fresh: state.fresh,
    injected: shown.system.injected,
    get ended() {
      return ended !== null;
    },
    explain: () => explain(scope, shown),
    append,
    complete: (messages) => end("completed", messages),
    abort: (partial) => end("aborted", partial),
    fail: (_error, partial) => end("failed", partial),
    pause: (pending) => end("paused", pending),
  };
}

function draftOfExchange(messages: readonly MessageInput[], now: string): TurnDraft {
  const id = exchangeId(messages);
  const checked = toMessages(messages, { turn: id, now });
  const answered = messages.some((message) => message.role === "assistant");
  const last = checked.at(-1)?.createdAt ?? now;
  return { id, status: answered ? "completed" : "failed", startedAt: now, endedAt: last, messages: checked };
}

function explain({ engine }: ConversationScope, shown: { window: Window; system: SystemBlock }): Explanation {
  const items = [
    ...shown.system.explanation,
    ...shown.window.turns.map(({ turn, messages }) => ({
      kind: "history" as const,
      id: turn.id,
      included: true,
      reason: "fits the window",
      tokens: messageTokens(messages, engine.countTokens),
    })),
    ...shown.window.leftOut.map((turn) => ({
      kind: "history" as const,
      id: turn.id,
      included: false,
      reason: "newer turns filled the window",
      tokens: turn.tokens,
    })),
  ];
  const used = items.reduce((sum, item) => sum + (item.included ? item.tokens : 0), 0);
  return { budget: { total: engine.policy.conversation.maxTokens, used }, items };
}
