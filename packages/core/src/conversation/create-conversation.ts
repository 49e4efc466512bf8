import { artifactLater } from "../artifacts/artifact-later.ts";
import { cutResults } from "../artifacts/cut-result.ts";
import { isoTime } from "../checks/duration.ts";
import { checkId } from "../checks/ids.ts";
import type { Conversation, ConversationRef, SearchFilter, SearchResult, TurnInput } from "../contract/conversation.ts";
import type { ReadOperation } from "../contract/events.ts";
import type { FactInput, FactScope, ForgetFilter, RecallQuery, RememberOptions } from "../contract/fact.ts";
import type { Json } from "../contract/json.ts";
import type { CallOptions } from "../contract/memory-store.ts";
import type { Message } from "../contract/message.ts";
import type { Outcome } from "../contract/outcome.ts";
import { MemoryError } from "../errors/memory-error.ts";
import { zoneOf } from "../extract/zone-of.ts";
import type { RecordedTurns, Writer } from "../facts/fact-access.ts";
import { forgetFacts } from "../facts/forget-facts.ts";
import { recallFacts, recallKey } from "../facts/recall-facts.ts";
import { rememberFact } from "../facts/remember-fact.ts";
import { callOf } from "../memory/call-options.ts";
import { conversationInfo } from "../memory/conversation-info.ts";
import type { Engine } from "../memory/engine.ts";
import { guard } from "../memory/guard.ts";
import { later } from "../memory/later.ts";
import { degradingRead, throwIfAborted } from "../memory/resilience.ts";
import { withResidue } from "../memory/with-residue.ts";
import { withSignal } from "../memory/with-signal.ts";
import { traceConversation } from "../telemetry/trace-memory.ts";
import { beginTurn, reportContext, resumeTurn } from "./begin-turn.ts";
import { claimConversation } from "./claim-conversation.ts";
import { HandleView } from "./handle-view.ts";
import { windowLimits } from "./limits.ts";
import { toMessages } from "./message-input.ts";
import { type TurnInFlight, tellingTurn } from "./open-turns.ts";
import { planPrompt } from "./prompt-plan.ts";
import { publicSummary } from "./public-summary.ts";
import { quoteCovers, quoteStands } from "./quote.ts";
import { readContext } from "./read-context.ts";
import { readTranscript } from "./read-transcript.ts";
import { recallTurns } from "./recall-turns.ts";
import { reconcileHost } from "./reconcile-host.ts";
import { recordTurn } from "./record-turn.ts";
import { type ConversationScope, eventScope, factContext, ownConversation, ownRow, searchScope } from "./scope.ts";
import { selectWindow } from "./window.ts";

const clearConversation = later(async () => (await import("./administer.ts")).clearConversation);
const cloneConversation = later(async () => (await import("./administer.ts")).cloneConversation);
const rebindSubject = later(async () => (await import("./administer.ts")).rebindSubject);
const rewindConversation = later(async () => (await import("./administer.ts")).rewindConversation);
const updateConversation = later(async () => (await import("./administer.ts")).updateConversation);
const deleteConversation = later(async () => (await import("./delete-conversation.ts")).deleteConversation);
const quotedTurn = later(async () => (await import("./quoted-turn.ts")).quotedTurn);
const wordsOfTurn = later(async () => (await import("./quoted-turn.ts")).wordsOfTurn);
const deleteMessages = later(async () => (await import("./delete-messages.ts")).deleteMessages);

/** Versions of a summary that a look back goes through. */
const MAX_SUMMARIES = 1_000;

/** A handle on one conversation. Reads and writes nothing by itself. */
export function createConversation(engine: Engine, ref: ConversationRef): Conversation {
  const shared = { engine, owner: { ...engine.owner, conversation: ref.id }, ref: { ...ref } };
  const bind = (current: TurnInFlight | null): Conversation =>
    traceConversation(engine, guard(conversationOf({ ...shared, current, bind }), "conversation"));
  return bind(null);
}

/** The turn that a fact is said in: the handle's own, the one named, or the only one under way that fits. */
function turnOf(scope: ConversationScope, input: { quote?: string; turn?: string }): TurnInFlight | undefined {
  if (scope.current) return scope.current;
  const open = scope.engine.openTurns.of(scope.owner.conversation);
  if (input.turn !== undefined) return open.find((turn) => turn.id === input.turn);
  const { quote } = input;
  const fitting = quote === undefined ? open : open.filter((turn) => quoteStands(quote, turn.userText()));
  return fitting.length === 1 ? fitting[0] : undefined;
}

/** When the earliest turn under way began: what is said in one of several may be said in that one. */
const earliestStart = ({ engine, owner }: ConversationScope): string | undefined =>
  engine.openTurns
    .of(owner.conversation)
    .map((turn) => turn.startedAt)
    .sort()[0];

/** The handle of a scope. */
function conversationOf(scope: ConversationScope): Conversation {
  const { engine, owner, ref } = scope;
  const writer = (input: Partial<FactInput>): Omit<Writer, "context"> => {
    const turn = turnOf(scope, input);
    const { quote, value, key = "", topic = "" } = input;
    // One word of the person's can't vouch for what a page or the model would like to be remembered.
    const grounded =
      quote !== undefined &&
      value !== undefined &&
      turn !== undefined &&
      quoteStands(quote, turn.userText()) &&
      quoteCovers(quote, value, `${key} ${topic}`.replaceAll("_", " "));
    return {
      author: "agent",
      origin: grounded ? "user" : "assistant",
      conversation: ref.id,
      turn,
      beganAt: turn?.startedAt ?? earliestStart(scope),
    };
  };

  /** The scope for a call of several steps, none of which begins once the signal has fired. */
  const ending = ({ signal }: CallOptions = {}): ConversationScope =>
    signal === undefined ? scope : { ...scope, engine: withSignal(engine, signal) };

  const reportRead = (operation: ReadOperation, items: number): void =>
    engine.emit({ type: "memory.read", conversation: ref.id, operation, items });

  const members = {
    ...tellingTurn(() => turnOf(scope, {})?.id),
    id: ref.id,
    agent: owner.agent,
    tenant: owner.tenant,
    async info(options = {}) {
      throwIfAborted(options.signal, "info");
      const { row } = await ownConversation(scope, callOf(options.signal));
      reportRead("info", row === null ? 0 : 1);
      return row && conversationInfo(row);
    },
    begin: (input = {}) => beginTurn(scope, input),
    resume: (turn, options) => resumeTurn(scope, turn, options),
    record: (input) => recordInput(scope, input),
    async reconcile(messages, options = {}) {
      const { rows } = await readWindow(scope, callOf(options.signal));
      const { known, fresh, continues, forkedFrom, turns } = await reconcileHost(scope, rows, messages, options);
      const paused = turns.some((turn) => turn.id === continues && turn.status === "paused");
      reportRead("reconcile", known.length);
      return {
        known,
        fresh,
        ...(continues === undefined ? {} : { continues }),
        ...(continues !== undefined && paused ? { paused: continues } : {}),
        ...(forkedFrom === undefined ? {} : { forkedFrom }),
      };
    },
    async history(options = {}): Promise<Message[]> {
      throwIfAborted(options.signal, "history");
      const { rows, limits } = await readWindow(scope, options);
      const { messages } = selectWindow(rows.turns, limits, engine.countTokens);
      reportRead("history", messages.length);
      return cutResults(messages, engine.policy.artifacts.offloadChars);
    },
    async systemContext(options = {}) {
      throwIfAborted(options.signal, "systemContext");
      const startedAt = engine.now();
      const model = await engine.limits(options.model);
      const window = windowLimits(engine, model);
      const query = options.query ?? "";
      const { rows, retrieved, carried } = await readContext(scope, {
        query,
        limits: window,
        facts: true,
        signal: options.signal,
      });
      const recalled = await recallTurns(scope, query, options.recall, rows, options.signal);
      const conversation = scope.owner.conversation;
      const { signal } = options;
      const input = { conversation, rows, retrieved, carried, recalled, query, signal, model, window, ownTokens: 0 };
      const { text, facts } = await planPrompt(engine, input);
      reportContext(scope, { facts: facts.length, turns: 0, tokens: 0 }, startedAt);
      return text;
    },
    async transcript(options = {}) {
      const transcript = await readTranscript(scope, options);
      reportRead("transcript", transcript.turns.length);
      return transcript;
    },
    async summary({ asOf, signal }: { asOf?: string; signal?: AbortSignal } = {}) {
      const call = callOf(signal);
      await ownConversation(scope, call);
      const store = await engine.store();
      const moment = asOf === undefined ? undefined : isoTime(asOf, "asOf");
      const versions = await store.readSummaries(
        scope.owner,
        { limit: moment === undefined ? 1 : MAX_SUMMARIES },
        call,
      );
      const found = versions.find((version) => moment === undefined || version.createdAt <= moment);
      const live = found && found.deletedAt === undefined && found.text !== "" ? publicSummary(found) : null;
      reportRead("summary", live ? 1 : 0);
      return live;
    },
    deleteSummary: (options) => withResidue(engine, deleteSummary(ending(options))),

    async remember(first: string | FactInput, value?: Json, options: RememberOptions = {}): Promise<Outcome> {
      const input = typeof first === "string" ? { ...options, key: first, value: value as Json } : first;
      const call = callOf(input.signal);
      const write = writer(input);
      const context = () =>
        input.scope === "conversation"
          ? claimConversation(scope, write.beganAt, call)
          : factContext(scope, input.scope ?? "user", call);
      const recorded: RecordedTurns = {
        quoted: (quote) => quotedTurn(scope, quote, call),
        words: (turn) => wordsOfTurn(scope, turn, call),
      };
      return rememberFact(engine, { ...write, context, recorded }, input);
    },
    async recall(first: string | RecallQuery, options: { scope?: FactScope; signal?: AbortSignal } = {}) {
      if (typeof first === "string") {
        const { scope: within, signal } = options;
        const read = async () => recallKey(engine, await factContext(scope, within, callOf(signal)), first, options);
        return degradingRead(engine, "recall", read, null);
      }
      const read = async () => recallFacts(engine, await factContext(scope, first.scope, callOf(first.signal)), first);
      return degradingRead(engine, "recall", read, { facts: [], reason: "The store could not be read." });
    },
    async forget(
      first: string | ForgetFilter,
      options: { scope?: FactScope; idempotencyKey?: string; signal?: AbortSignal } = {},
    ) {
      const filter = typeof first === "string" ? { ...options, key: first } : first;
      const context = () => factContext(scope, filter.scope, callOf(filter.signal));
      return withResidue(engine, forgetFacts(engine, { ...writer({}), context }, filter));
    },
    search: (query: string, filter: SearchFilter = {}) => searchFrom(scope, query, filter),

    artifact: (id: string) =>
      guard(
        artifactLater(id, async () => {
          const { createArtifact } = await import("../artifacts/create-artifact.ts");
          return createArtifact(engine, scope.owner, id, {
            checkOwner: async () => {
              await ownConversation(scope);
            },
            report: engine.emit,
          });
        }),
        "artifact",
      ),
    rebindSubject: (subject: string, options: { restamp?: "turn" | "all"; signal?: AbortSignal } = {}) =>
      rebindSubject(ending(options), subject, options.restamp ?? "turn"),
    update: (change) => updateConversation(ending(change), change),
    async clone(id: string, options?: CallOptions) {
      await cloneConversation(ending(options), id);
      return createConversation(engine, { ...ref, id });
    },
    rewind: (options) => rewindConversation(ending(options), options.to),
    deleteMessages: (ids: readonly string[], options?: CallOptions) =>
      withResidue(engine, deleteMessages(ending(options), ids)),
    clear: (options) => clearConversation(ending(options)),

    delete: (options: { derived?: boolean; signal?: AbortSignal } = {}) =>
      deleteConversation(ending(options), options.derived ?? false),
    // The brand exists in types only: it marks what this function makes, and nothing else can claim it.
  } as Conversation;
  return Object.assign(new HandleView(ref), members);
}

async function readWindow(
  scope: ConversationScope,
  options: { maxMessages?: number; maxTokens?: number; model?: string; signal?: AbortSignal },
) {
  const limits = windowLimits(scope.engine, await scope.engine.limits(options.model), options);
  const { rows } = await readContext(scope, { query: "", limits, facts: false, signal: options.signal });
  return { rows, limits };
}

async function recordInput(scope: ConversationScope, input: TurnInput): Promise<Outcome> {
  const { engine } = scope;
  if (typeof input !== "object" || input === null) {
    throw new MemoryError("INVALID_ARGUMENT", "record takes a turn: { messages: [...] }.");
  }
  throwIfAborted(input.signal, "record");
  if (input.id !== undefined) checkId(input.id, "turn id");
  if (input.replaces !== undefined) checkId(input.replaces, "replaced turn id");
  const status = input.status ?? "completed";
  if (!["completed", "aborted", "failed", "paused"].includes(status)) {
    throw new MemoryError("INVALID_ARGUMENT", `"${String(status)}" is no turn status.`);
  }
  const id = input.id ?? engine.createId();
  const now = engine.moments.begin();
  const messages = toMessages(input.messages, { turn: id, now });
  const first = messages[0];
  if (first === undefined) {
    throw new MemoryError("NOTHING_TO_RECORD", `The turn "${id}" has no message; record what was said.`);
  }
  return recordTurn(
    engine,
    scope.owner,
    {
      id,
      status,
      startedAt: input.startedAt === undefined ? first.createdAt : isoTime(input.startedAt, "startedAt"),
      endedAt:
        input.endedAt === undefined ? (status === "paused" ? undefined : now) : isoTime(input.endedAt, "endedAt"),
      messages,
      agentName: input.agentName,
      replaces: input.replaces,
    },
    { subject: scope.ref.subject, login: scope.ref.login },
    callOf(input.signal),
  );
}

async function deleteSummary(scope: ConversationScope): Promise<Outcome> {
  const { engine, owner } = scope;
  const store = await engine.store();
  await ownConversation(scope);
  const [live] = await store.readSummaries(owner, { limit: 1 });
  if (live === undefined || live.deletedAt !== undefined) return { status: "unchanged" };
  const result = await store.commitSummary(owner, {
    expectedVersion: live.version,
    summary: null,
    now: engine.now(),
  });
  if (result.status === "conflict") {
    throw new MemoryError("VERSION_CONFLICT", "The summary changed while it was being deleted; try again.");
  }
  engine.emit({ type: "memory.changed", ...eventScope(scope), operation: "delete_summary", items: live.turns });
  return { status: "stored", id: owner.conversation };
}

async function searchFrom(scope: ConversationScope, query: string, filter: SearchFilter): Promise<SearchResult> {
  const { engine } = scope;
  // Before the deadline begins: that is for the store.
  const { searchMessages } = await import("../search/search-messages.ts");
  return degradingRead<SearchResult>(
    engine,
    "search",
    async () => {
      const call = callOf(filter.signal);
      const shown = filter.excludeHistory ? await readWindow(scope, {}) : undefined;
      // Asked beside the search where history didn't tell: whose the conversation is, and which zone it names.
      const own = shown === undefined ? ownRow(scope, call) : shown.rows.conversation;
      const zone = async (): Promise<string> => zoneOf(engine, (await own)?.metadata);
      const exclude = shown && historyBorder(scope, shown);
      const search = async () =>
        searchMessages(engine, await searchScope(scope, call, own), query, { ...filter, exclude, zone });
      const [found] = await Promise.all([search(), own]);
      return found;
    },
    { hits: [], reason: "The store could not be read." },
  );
}

/** Before the oldest turn that history still shows: what lies behind it is in the prompt already. */
function historyBorder(scope: ConversationScope, { rows, limits }: Awaited<ReturnType<typeof readWindow>>) {
  const oldest = selectWindow(rows.turns, limits, scope.engine.countTokens).turns[0];
  return oldest && { conversation: scope.owner.conversation, after: oldest.turn.seq - 1 };
}
