import { cutResults } from "../artifacts/cut-result.ts";
import type { ModelLimits } from "../budget/model-limits.ts";
import { estimatePrompt, preflight } from "../budget/preflight.ts";
import type { Compactor } from "../compaction/create-compactor.ts";
import type { OpenTurn } from "../contract/conversation.ts";
import type { CallOptions } from "../contract/memory-store.ts";
import type { Message, MessageInput, ToolResultPart, TurnError, TurnStatus } from "../contract/message.ts";
import type { Outcome } from "../contract/outcome.ts";
import type { TurnRow } from "../contract/store-rows.ts";
import { MemoryError } from "../errors/memory-error.ts";
import { callOf } from "../memory/call-options.ts";
import { later } from "../memory/later.ts";
import { throwIfAborted } from "../memory/resilience.ts";
import { ROUGH_FACTOR, roughTokens } from "../text/tokens.ts";
import { callsInOrder } from "./calls-in-order.ts";
import { draftOfExchange, type Exchange } from "./exchanges.ts";
import { messageHash, messageHashOf } from "./message-hash.ts";
import { mergeMessages, toMessages } from "./message-input.ts";
import { messageText } from "./message-text.ts";
import type { TurnInFlight } from "./open-turns.ts";
import type { PromptPlan } from "./prompt-plan.ts";
import { openCalls } from "./reconcile.ts";
import { recordTurn } from "./record-turn.ts";
import { sanitizeTranscript } from "./sanitize.ts";
import type { ConversationScope } from "./scope.ts";
import { TurnView } from "./turn-view.ts";

const offloadResult = later(async () => (await import("../artifacts/offload-result.ts")).offloadResult);

/** What an open turn starts from. */
export interface TurnStart {
  id: string;
  startedAt: string;
  agentName: string | undefined;
  replaces: string | undefined;
  /** The stored turn that goes on. */
  resumed: TurnRow | undefined;
  degraded: boolean;
  /** Complete exchanges that the host has and the memory didn't; recorded before this turn. */
  preceding: Exchange[];
  fresh: Message[];
  plan: PromptPlan;
  model: ModelLimits;
  /** The messages of `preceding`, for the prompt. */
  earlier: Message[];
}

const MAX_ERROR_CHARS = 500;

/** What of an error is kept with the turn. */
function turnError(error: unknown): TurnError {
  const code = (error as { code?: unknown } | null)?.code;
  const message = error instanceof Error ? error.message : typeof error === "string" ? error : "";
  const name = error instanceof Error ? error.name : "Error";
  return {
    code: typeof code === "string" ? code : name,
    message: message.slice(0, MAX_ERROR_CHARS).toWellFormed(),
  };
}

/** How many of the last appended messages the given ones begin with: a host that hands its whole run over at the end. */
function overlap(appended: readonly Message[], given: readonly MessageInput[]): number {
  const before = appended.map(messageHash);
  const after = given.map(messageHashOf);
  for (let count = Math.min(before.length, after.length); count > 0; count--) {
    if (before.slice(before.length - count).every((hash, index) => hash === after[index])) return count;
  }
  return 0;
}

/** A message with results as they were before the prompt got a cut. */
function withWholeResults(message: Message, whole: ReadonlyMap<string, ToolResultPart>): Message {
  const parts = message.parts.map((part) => (part.type === "tool-result" ? (whole.get(part.callId) ?? part) : part));
  return parts.every((part, index) => part === message.parts[index]) ? message : { ...message, parts };
}

/** A turn under way: collects what happens, and writes it once as it ends. */
export function createOpenTurn(scope: ConversationScope, start: TurnStart): OpenTurn {
  const { engine } = scope;
  const stored = start.resumed?.messages ?? [];
  let own = mergeMessages(stored, start.fresh);
  let appended: Message[] = [];
  let ended: Promise<Outcome> | null = null;
  let preceding = start.preceding;

  const { artifacts, compaction, summarize } = engine.policy;
  const recordedWhole = new Map<string, ToolResultPart>();
  let compactor: Compactor | undefined;
  const compactorOf = async (): Promise<Compactor> => {
    const { createCompactor } = await import("../compaction/create-compactor.ts");
    compactor ??= createCompactor({
      conversation: scope.owner.conversation,
      strategy: compaction.strategy,
      threshold: compaction.threshold,
      budget: start.model.budget,
      count: engine.countTokens,
      summarizer: engine.summarizer,
      summaryTokens: summarize.maxTokens,
      emit: engine.emit,
    });
    return compactor;
  };

  const inFlight: TurnInFlight = {
    id: start.id,
    startedAt: start.startedAt,
    userText: () =>
      own
        .filter((message) => message.role === "user")
        .map(messageText)
        .join("\n"),
    rebind(subject) {
      // A handle that names nobody takes the bound one from the store.
      if (scope.ref.subject !== undefined) scope.ref.subject = subject;
    },
  };
  engine.openTurns.add(scope.owner.conversation, inFlight);

  const add = (inputs: readonly MessageInput[]): void => {
    // What a compaction put into one prompt was never said.
    const said = inputs.filter((input) => !(input.role === "user" && input.origin === "memory"));
    const added = toMessages(said, { turn: start.id, now: engine.now(), before: own });
    own = mergeMessages(own, added);
    appended = mergeMessages(appended, added);
  };

  const refuseAfterEnd = (): Outcome => ({
    status: "refused",
    id: start.id,
    code: "TURN_ENDED",
    reason: "The turn had ended when this was said; begin another one, or record it.",
  });

  const end = async (
    status: TurnStatus,
    inputs: readonly MessageInput[] = [],
    error?: TurnError,
    options: CallOptions = {},
  ): Promise<Outcome> => {
    throwIfAborted(options.signal, "the end of a turn");
    const rest = inputs.length === 0 ? inputs : inputs.slice(overlap(appended, inputs));
    if (ended) return rest.length > 0 ? refuseAfterEnd() : ended;
    if (rest.length > 0) add(rest);
    if (own.length === 0) {
      throw new MemoryError("NOTHING_TO_RECORD", `The turn "${start.id}" has no message; append what was said first.`);
    }
    const write = writeTurn(status, error, options);
    if (status !== "paused") ended = write;
    let outcome: Outcome;
    try {
      outcome = await write;
    } catch (cause) {
      ended = null;
      throw cause;
    }
    // What the store didn't take can be tried again.
    if (outcome.status === "failed") ended = null;
    else if (status !== "paused") engine.openTurns.remove(scope.owner.conversation, start.id);
    return outcome;
  };

  const writeTurn = async (
    status: TurnStatus,
    error: TurnError | undefined,
    options: CallOptions,
  ): Promise<Outcome> => {
    const binding = { subject: scope.ref.subject, login: scope.ref.login };
    const whole = recordedWhole.size === 0 ? own : own.map((message) => withWholeResults(message, recordedWhole));
    while (preceding[0] !== undefined) {
      const outcome = await recordTurn(engine, scope.owner, draftOfExchange(preceding[0]), binding, options);
      // Order is what was said: the turn doesn't go before what came before it.
      if (outcome.status === "failed") return { ...outcome, id: start.id };
      preceding = preceding.slice(1);
    }
    return recordTurn(
      engine,
      scope.owner,
      {
        id: start.id,
        status,
        startedAt: start.startedAt,
        endedAt: status === "paused" ? undefined : engine.now(),
        messages: [...callsInOrder(whole)],
        agentName: start.agentName,
        replaces: start.replaces,
        error,
        previousSeq: start.resumed?.seq,
        resumes: start.resumed?.status === "paused",
      },
      binding,
      options,
    );
  };

  const view = new TurnView({
    messages() {
      const shown = sanitizeTranscript(own, { openCalls: new Set(openCalls(own)) });
      return cutResults([...start.plan.window.messages, ...start.earlier, ...shown], artifacts.offloadChars);
    },
    ended: () => ended !== null,
    conversation: () => scope.bind(inFlight),
  });
  return Object.assign(view, {
    id: start.id,
    system: start.plan.text,
    fresh: start.fresh,
    resumed: start.resumed !== undefined,
    degraded: start.degraded,
    injected: start.plan.injected,
    explain: start.plan.explain,
    async offload(part, options = {}) {
      const write = offloadResult(engine, scope.owner, part, {
        turn: start.id,
        startedAt: start.startedAt,
        subject: scope.ref.subject,
        hasTools: options.artifactTools ?? true,
        ...(options.keepMedia === undefined ? {} : { keepMedia: options.keepMedia }),
        ...callOf(options.signal),
      });
      engine.background.writing(write);
      const { shown, recorded } = await write;
      // The store could not take it: the prompt has a cut, the record the whole.
      if (recorded !== shown) recordedWhole.set(part.callId, recorded);
      return shown;
    },
    async compact(messages, { system, tools, besideTokens = 0, ...call } = {}) {
      const texts = [system ?? "", tools === undefined ? "" : JSON.stringify(tools)].filter(Boolean);
      const beside = texts.reduce((sum, text) => sum + engine.countTokens(text), besideTokens);
      return (await compactorOf()).compact(messages, { ...call, besideTokens: beside });
    },
    preflight(messages, options = {}) {
      // Far under the budget a rough count is enough to say so; a proper one takes milliseconds for each step.
      if (engine.options.tokenizer === undefined) {
        const rough = estimatePrompt({ messages, ...options, limits: start.model, count: roughTokens }).estimated;
        if (rough * ROUGH_FACTOR <= start.model.budget) return;
      }
      preflight({ messages, ...options, limits: start.model, count: engine.countTokens });
    },
    append(inputs) {
      if (ended) {
        throw new MemoryError("TURN_ENDED", `The turn "${start.id}" has ended; begin another one.`, {
          details: { turn: start.id },
        });
      }
      add(inputs);
    },
    complete: (messages, options) => end("completed", messages, undefined, options),
    abort: (partial, options) => end("aborted", partial, undefined, options),
    fail: (error, partial, options) => end("failed", partial, turnError(error), options),
    pause: (pending, options) => end("paused", pending, undefined, options),
  } satisfies Omit<OpenTurn, keyof TurnView>);
}
