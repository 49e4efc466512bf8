import type { Artifact } from "./artifact.ts";
import type { Compaction } from "./compaction.ts";
import type {
  Fact,
  FactInput,
  FactScope,
  ForgetFilter,
  ForgetReceipt,
  RecallQuery,
  RecallResult,
  RememberOptions,
} from "./fact.ts";
import type { Json, JsonObject } from "./json.ts";
import type { ConversationInfo } from "./memory.ts";
import type { CallOptions } from "./memory-store.ts";
import type { Message, MessageInput, Role, ToolResultPart, Turn, TurnStatus } from "./message.ts";
import type { Outcome, Page, Receipt } from "./outcome.ts";
import type { FactChange, SubjectAudit, SubjectExport } from "./subject-export.ts";

declare const scopeBrand: unique symbol;

/**
 * Marks what only this library makes. A `Conversation` or a `Subject` is the proof that the app chose the scope: no
 * string and no tool argument can stand for one.
 */
export interface Scoped<Kind extends string> {
  readonly [scopeBrand]: Kind;
}

/** Which conversation, as the app names it. */
export interface ConversationRef {
  /** Any string of 1 to 512 bytes. */
  id: string;
  /** The person the agent talks to. Absent: whom the conversation is bound to, or nobody. */
  subject?: string;
  /** The subject's current login session. */
  login?: string;
}

/** A rolling summary. */
export interface Summary {
  text: string;
  /** Id of the newest turn folded in. */
  through: string;
  /** Turns folded in, in all. */
  turns: number;
  createdAt: string;
  /** From 1, one more with every fold. */
  version: number;
}

/** What a person's conversations of one login were about, for the later ones. */
export interface CarryOver {
  login: string;
  /** All segments, oldest first. */
  text: string;
  /** One for each conversation that it comes from. */
  segments: { conversation: string; text: string; updatedAt: string }[];
  updatedAt: string;
}

/** Which page of a transcript. */
export interface TranscriptOptions {
  /** Turns of a page, at most; above 500 it is 500. @default 50 */
  limit?: number;
  /**
   * Which page comes first: `newest` is for a page that shows the end of a chat, and its cursor leads to the page before.
   * The turns of a page are oldest first either way. @default the cursor's, else "oldest"
   */
  order?: "oldest" | "newest";
  /** Of the page read last. */
  cursor?: string;
  signal?: AbortSignal;
}

/** Everything that was said, as it was said; a page of it. */
export interface Transcript {
  conversation: string;
  subject?: string;
  /** Oldest first. Replaced and rewound turns are among them and say so; cleared ones are, and don't. */
  turns: Turn[];
  summary: Summary | null;
  /** Id of the last folded turn. */
  summarizedThrough: string | null;
  /** Leads to the next page; absent on the last one. */
  cursor?: string;
}

/** What to search for besides the words. */
export interface SearchFilter {
  /** How many hits at most; above 100 it is 100. @default 10 */
  k?: number;
  role?: Role;
  /** ISO 8601, inclusive. */
  from?: string;
  /** ISO 8601, exclusive. */
  to?: string;
  /** Only this conversation of the owner. */
  conversation?: string;
  /** Tool results too. @default false */
  toolResults?: boolean;
  /** Leave out what this conversation still shows as history. @default false */
  excludeHistory?: boolean;
  /**
   * By words and meaning, or by one of them. `semantic` throws where it isn't possible: `INVALID_ARGUMENT` without an embedder,
   * `TIER_OFF`, `EMBEDDING_MODEL_MISMATCH`, `EMBEDDER_FAILED`. @default "hybrid"
   */
  mode?: "hybrid" | "keyword" | "semantic";
  /** Turns before and after each hit, 0 to 5. @default 0 */
  neighbours?: number;
  signal?: AbortSignal;
}

/** One message that was found. */
export interface SearchHit {
  message: Message;
  conversation: string;
  turn: string;
  subject?: string;
  /** Greater is better; comparable within one result only. Where nothing was found by words it is the cosine. */
  score: number;
  /** What found it: `keyword` is its words, those around it, or a day that the question names. */
  matched: "keyword" | "semantic" | "both";
  /** Id of the remembered fact that led here: it was drawn from this message, and answers the question by its words. */
  fact?: string;
  /** Turns around the hit, oldest first, where asked for. */
  neighbours?: Turn[];
}

/** What was found, best first. An empty list says why in `reason`. */
export interface SearchResult {
  hits: SearchHit[];
  reason?: string;
  /**
   * What speaks for an answer, 0 to 1: how much of what the question weighs was said around the best hits (what `keywordFloor` is
   * compared with), or how far the nearest message stands out among those that are near, whichever is more. From 0.17 on either
   * answers in a long history. By words in the middle 0.38 where there is an answer and 0.14 where there is none (`bench recall`).
   * Absent where no word was searched for.
   */
  relevance?: number;
  /** Why the meaning was not searched: `EMBEDDING_MODEL_MISMATCH` or `EMBEDDER_FAILED`. The words were all the same. */
  code?: string;
}

/** Something the memory put into the prompt. */
export interface InjectedItem {
  kind: "summary" | "fact" | "recalled-turn" | "carry-over" | "retrieved";
  /** Id of the fact or turn; the conversation's id for a summary. */
  id: string;
}

/** Why the prompt holds what it holds. */
export interface Explanation {
  /** Tokens the memory may fill, and what it filled. */
  budget: { total: number; used: number };
  items: {
    kind: InjectedItem["kind"] | "history";
    id: string;
    included: boolean;
    reason: string;
    tokens: number;
  }[];
}

/** How to begin a turn. */
export interface BeginInput {
  /**
   * Id of the turn; the same id again is the same turn. Where it belongs to a turn that the conversation was rewound past,
   * another turn is stored beside it, and the outcome names its id. @default a new id
   */
  id?: string;
  /**
   * The host's messages: only the new one, or its whole copy of the history. A copy that goes on elsewhere than what is
   * stored wins in the prompt; where its ids say so, or it begins with the conversation, the turn replaces those it leaves
   * out.
   */
  messages?: readonly MessageInput[];
  /** What to recall by. @default the text of the newest user message */
  query?: string;
  /** The model's id, for the budget. */
  model?: string;
  agentName?: string;
  /** Id of the turn to replace (regenerate, edit). @default what the messages themselves say */
  replaces?: string;
  /** Past messages to recall by the query into the block, at most. @default 0 */
  recall?: number;
  /**
   * For hosts that keep a history of their own: can it hold this turn? What was said through another host it can't, and so
   * doesn't leave out. @default it can hold every turn
   */
  canHold?: (turn: Turn) => boolean;
  signal?: AbortSignal;
}

/** A turn under way. Nothing is written before it ends. */
export interface OpenTurn {
  readonly id: string;
  /** The conversation, bound to this turn: what is remembered through it names the turn. */
  readonly conversation: Conversation;
  /** The memory block for the system part of the prompt; empty when there is nothing to say. */
  readonly system: string;
  /**
   * What to show the model: stored history, this turn's messages, and what was appended since. Valid as it is; calls
   * that wait for their result are left in on purpose.
   */
  readonly messages: Message[];
  /** Those of `messages` that the host brought and the memory didn't hold. */
  readonly fresh: Message[];
  /** A stored turn goes on: the host answered its open calls, asked its question again, or named its id. */
  readonly resumed: boolean;
  /** The memory could not be read: the prompt is the host's copy alone, and only its newest exchange is recorded. */
  readonly degraded: boolean;
  readonly injected: InjectedItem[];
  /** True after any end. */
  readonly ended: boolean;
  /** What is in the prompt and what is left out, each with its reason and tokens. Reads nothing. */
  explain(): Explanation;
  /**
   * Keeps a large tool result as an artifact and answers what to show instead: a preview and its id, or a cut with a mark
   * where the artifact tools aren't registered. A result below `offloadChars` comes back as it is.
   */
  offload(
    result: ToolResultPart,
    options?: {
      /** `get_artifact` is registered. @default true */
      artifactTools?: boolean;
      /** Leave images, sound and video where they are. @default false */
      keepMedia?: boolean;
      signal?: AbortSignal;
    },
  ): Promise<ToolResultPart>;
  /** Brings a prompt that has grown in a tool loop down to the policy's strategy; the same prompt gives the same edits. */
  compact(
    messages: readonly Message[],
    options?: {
      /** What is sent beside the messages: the system part with the memory block, and the tools' definitions. */
      system?: string;
      tools?: Json;
      /** The same in tokens, where the host has counted it. */
      besideTokens?: number;
      signal?: AbortSignal;
    },
  ): Promise<Compaction>;
  /** Throws `CONTEXT_OVERFLOW` where the prompt can't be under the model's budget; the one case that stops a run. */
  preflight(messages: readonly Message[], options?: { system?: string; tools?: Json }): void;
  /** Adds what has happened since. Nothing is written yet. Throws `TURN_ENDED` after the end. */
  append(messages: readonly MessageInput[]): void;
  /**
   * Ends the turn. What was appended already and is handed over again is taken once. Ended again it answers the first
   * outcome, or `refused` with `TURN_ENDED` where it brings something new. A `failed` outcome may be tried again, and so
   * may an end whose own signal fired: that throws `ABORTED`.
   */
  complete(messages?: readonly MessageInput[], options?: CallOptions): Promise<Outcome>;
  /** Ends a turn that was cut short, with what there is of it. */
  abort(partial?: readonly MessageInput[], options?: CallOptions): Promise<Outcome>;
  /** Ends a turn that broke, with what had run. */
  fail(error: unknown, partial?: readonly MessageInput[], options?: CallOptions): Promise<Outcome>;
  /** Writes a turn that waits for a person; any process can `resume` it. */
  pause(pending?: readonly MessageInput[], options?: CallOptions): Promise<Outcome>;
}

/** A turn to record in one call. */
export interface TurnInput {
  /** The same id again records nothing twice. @default a new id */
  id?: string;
  messages: readonly MessageInput[];
  /** @default "completed" */
  status?: TurnStatus;
  /** ISO 8601. @default the first message's time */
  startedAt?: string;
  /** ISO 8601. @default the clock's time */
  endedAt?: string;
  agentName?: string;
  /** Id of the turn that this one takes the place of; turns after it are hidden as well. */
  replaces?: string;
  signal?: AbortSignal;
}

/** What of a host's copy of the history is known, and what is new. */
export interface Reconciled {
  /** Stored messages that the host's copy holds, in its order. */
  known: Message[];
  /** What is not stored yet, in the host's order. */
  fresh: MessageInput[];
  /** Id of the stored turn that the copy goes on with, whatever its status. */
  continues?: string;
  /** The same, where that turn is paused. */
  paused?: string;
  /** Id of the first stored turn that the host's copy no longer agrees with: it was edited or regenerated. */
  forkedFrom?: string;
}

/**
 * One chat of one agent. Made by `memory.conversation(ref)` only. A call whose `signal` fires ends with `ABORTED`; what
 * its steps had done by then stays done, and the same call goes on with the rest.
 */
export interface Conversation extends Scoped<"conversation"> {
  readonly id: string;
  /** Whose memory it is part of. */
  readonly agent: string;
  readonly tenant: string;
  /** The subject the app named; absent where it named none. */
  readonly subject?: string;
  /** Title, metadata, counts and times; `null` while nothing is recorded or set. */
  info(options?: CallOptions): Promise<ConversationInfo | null>;
  /** Reads what the turn needs and opens it. Writes nothing. */
  begin(input?: BeginInput): Promise<OpenTurn>;
  /** Opens a paused turn again, the newest by default; `null` when none is paused, or the store could not be read. */
  resume(turn?: string, options?: CallOptions): Promise<OpenTurn | null>;
  /** Records a turn in one atomic, idempotent write. */
  record(turn: TurnInput): Promise<Outcome>;
  /** Tells a host's own copy of the history from what is new. Writes nothing. */
  reconcile(messages: readonly MessageInput[], options?: CallOptions): Promise<Reconciled>;
  /** What the model is shown of the transcript: the newest whole turns that fit, oldest first. */
  history(options?: {
    maxMessages?: number;
    maxTokens?: number;
    model?: string;
    signal?: AbortSignal;
  }): Promise<Message[]>;
  /** The memory block for the system part; the empty string when there is nothing. */
  systemContext(options?: { query?: string; model?: string; recall?: number; signal?: AbortSignal }): Promise<string>;
  /** Everything that was said, page by page. Throws `INVALID_CURSOR` for a cursor that isn't a transcript's. */
  transcript(options?: TranscriptOptions): Promise<Transcript>;
  /** `null` while nothing is folded. `asOf` (ISO 8601): the one that was live at that moment, unless it was deleted since. */
  summary(options?: { asOf?: string; signal?: AbortSignal }): Promise<Summary | null>;
  /** Deletes the summary; the folded turns are back in history. */
  deleteSummary(options?: CallOptions): Promise<Outcome>;

  /**
   * Remembers a value under a key; a live one is superseded and kept as history. A refusal is an outcome with a `code`;
   * malformed input throws. With the scope `conversation` a conversation of nobody is bound to the named subject.
   */
  remember(key: string, value: Json, options?: RememberOptions): Promise<Outcome>;
  /** The same for a fact with or without a key, with all that can be said of it. */
  remember(fact: FactInput): Promise<Outcome>;
  /**
   * The live value of a key, without a scope from the narrowest that holds it: conversation, user, global, app. `null` when
   * there is none, or the store could not be read. Throws
   * `CONVERSATION_OWNER_MISMATCH` where facts of the conversation are asked for and it is another subject's.
   */
  recall(key: string, options?: { scope?: FactScope; signal?: AbortSignal }): Promise<Json | null>;
  /** Facts that match, best first; an empty list says why in `reason`. Throws as above. */
  recall(query: RecallQuery): Promise<RecallResult>;
  /**
   * Forgets a keyed fact with its history, and keeps the value away from every writer until it is said again or lifted.
   * Without a scope it goes from the conversation's facts and the person's. Throws as `recall` does.
   */
  forget(
    key: string,
    options?: { scope?: FactScope; idempotencyKey?: string; signal?: AbortSignal },
  ): Promise<ForgetReceipt>;
  /** The same for every fact that the filter names; with `dryRun` counts only. */
  forget(filter: ForgetFilter): Promise<ForgetReceipt>;
  /** Past messages of this conversation's subject; of this conversation alone where it has none. Throws as `recall` does. */
  search(query: string, filter?: SearchFilter): Promise<SearchResult>;
  /** A handle on a large tool result of this conversation. Reads nothing; an id that is none is told by its calls. */
  artifact(id: string): Artifact;

  /**
   * Binds the conversation to a subject, whatever it was bound to. The turns under way in this process (or the newest) are
   * filed under it, earlier ones only with `restamp: "all"`.
   */
  rebindSubject(subject: string, options?: { restamp?: "turn" | "all"; signal?: AbortSignal }): Promise<Outcome>;
  /** Changes title and metadata; `null` takes them away. Throws `VERSION_CONFLICT` where `ifVersion` differs. */
  update(change: {
    title?: string | null;
    metadata?: JsonObject | null;
    ifVersion?: number;
    signal?: AbortSignal;
  }): Promise<Outcome>;
  /** Copies the visible turns into a new conversation of the same subject. One that was cut short is completed so. */
  clone(id: string, options?: CallOptions): Promise<Conversation>;
  /** Hides every turn behind this one; the conversation goes on from there. */
  rewind(options: { to: string; signal?: AbortSignal }): Promise<Outcome>;
  /**
   * Erases single messages; with a call goes its result and what was kept of it, and the other way round. Facts stay, without
   * what they quoted of it; `kept` counts them.
   */
  deleteMessages(ids: readonly string[], options?: CallOptions): Promise<Outcome>;
  /** Hides all turns so far from history. The transcript keeps them; `delete` erases. */
  clear(options?: CallOptions): Promise<Outcome>;
  /**
   * Erases the conversation. Durable facts stay without what they quoted of it, and the receipt's `kept` counts them; with
   * `derived`, those that rest on this conversation alone go as well, and what they had replaced is live again.
   */
  delete(options?: { derived?: boolean; signal?: AbortSignal }): Promise<Receipt>;
}

/** One person (or system) the agent talks to. Made by `memory.subject(id)` only. */
export interface Subject extends Scoped<"subject"> {
  readonly id: string;
  /** Live facts of the scopes `user` and `global`, most recently updated first. */
  facts(options?: { scope?: FactScope; history?: boolean; signal?: AbortSignal }): Promise<Fact[]>;
  /** Remembers something the person said of themselves outside a turn: author and origin are `user`. */
  remember(fact: FactInput): Promise<Outcome>;
  /** Past messages of this person in all conversations with the agent, best first. */
  search(query: string, filter?: SearchFilter): Promise<SearchResult>;
  /** Most recently active first. */
  conversations(options?: { limit?: number; cursor?: string; signal?: AbortSignal }): Promise<Page<ConversationInfo>>;
  /** What is carried over within a login; without one, within that of the newest. `null` where there is none. */
  carryOver(options?: { login?: string; signal?: AbortSignal }): Promise<CarryOver | null>;
  /** Deletes it; without a login, that of all logins. Conversations that were shown it aren't any more. */
  deleteCarryOver(options?: { login?: string; signal?: AbortSignal }): Promise<Outcome>;
  /** What the agent and distillers remembered of the subject and in its conversations, newest first, and why. */
  changes(options?: CallOptions): Promise<FactChange[]>;
  /** Takes back one of these changes. `refused` with `NOT_UNDOABLE` for what a person, an operator or an import wrote. */
  undo(fact: string, options?: CallOptions): Promise<Outcome>;
  /** Lets a forgotten value come back under `user` and `global`; what a conversation forgot `operator.lift` lifts. */
  lift(forgotten: { key?: string; topic?: string; value: Json }, options?: CallOptions): Promise<Outcome>;
  /** Everything there is of the subject. */
  audit(options?: CallOptions): Promise<SubjectAudit>;
  /**
   * The same with records and artifacts, complete enough to import elsewhere; `exportLines` writes it as JSON lines. What
   * `SubjectExport` says isn't carried is made again, or the host's.
   */
  export(options?: CallOptions): Promise<SubjectExport>;
  /** Erases everything of the subject. */
  erase(options?: CallOptions): Promise<Receipt>;
}
