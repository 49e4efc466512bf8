import type { PolicyDegradation, ResolvedPolicy } from "../policy/policy.ts";
import type { MemoryPolicyInput } from "../policy/policy-schema.ts";
import type { Checkpoints } from "./checkpoints.ts";
import type { Conversation, ConversationRef, SearchFilter, SearchResult, Subject } from "./conversation.ts";
import type { MemoryEvent } from "./events.ts";
import type { FactInput, FactScope, ForgetReceipt } from "./fact.ts";
import type { Json } from "./json.ts";
import type { CallOptions, MemoryStore, StoreCapabilities } from "./memory-store.ts";
import type { Turn } from "./message.ts";
import type { Distiller, Embedder, Retriever, Sink, Summarizer, TimelineEvent } from "./models.ts";
import type { Outcome, Page, Receipt } from "./outcome.ts";
import type { RecordRow } from "./store-rows.ts";
import type { ImportReport, SubjectExport } from "./subject-export.ts";
import type { MemoryTracer } from "./tracer.ts";

/** How to make a memory. */
export interface MemoryOptions {
  /** Id of the agent whose memory this is. @default the environment's `AGENT_ID` */
  agent?: string;
  /** The outermost boundary. @default "default" */
  tenant?: string;
  /** @default the store of `AGENT_MEMORY_URL`; without it an in-memory one, said in the manifest */
  store?: MemoryStore;
  /** Absent: from `AGENT_MEMORY_CONFIG`, else everything on. `null`: off. */
  policy?: MemoryPolicyInput | null;
  summarizer?: Summarizer;
  /** Draws facts from what was said, where the policy's `extract.when` says when. */
  distiller?: Distiller;
  /** Which turns facts are drawn from. @default all that were completed or aborted */
  shouldExtract?: (turn: Turn) => boolean;
  /**
   * IANA name of the time zone in which people's "yesterday" is resolved; a conversation's metadata may name another under
   * `timeZone`. @default "UTC"
   */
  timeZone?: string;
  embedder?: Embedder;
  /**
   * Cosine below which a message is not near a query; where it is given, what reaches it is an answer, however little of the
   * question's words was said. @default measured for the model with 92 short texts, after it embedded its first turns; 0.35 until
   * then, and for a model that doesn't tell answers from other things said
   */
  semanticFloor?: number;
  /**
   * How much of what a question's rarest words weigh must be said around the best hits for the words to answer at all, 0 to 1;
   * 0 answers with whatever shares a word. Where fewer than a hundred messages were said it is lower in proportion. @default 0.17
   */
  keywordFloor?: number;
  retrievers?: readonly Retriever[];
  sinks?: readonly Sink[];
  /** Tokens of a text. @default an estimate */
  tokenizer?: (text: string) => number;
  /** Context window in tokens, for all models or by model id. @default a registry of model limits */
  contextWindow?: number | ((model: string) => number | undefined);
  /** Keeps the process alive for work after the reply, as serverless hosts offer it. */
  waitUntil?: (work: Promise<unknown>) => void;
  /** Gets what the memory did and what failed, in ids, counts and codes. @default a warning on the console for what failed */
  onEvent?: (event: MemoryEvent) => void;
  /**
   * Gets a span for each operation, with counts, tokens, outcomes and codes, never with text. An OpenTelemetry `Tracer`
   * fits; what is active as the app calls is the parent.
   */
  tracer?: MemoryTracer;
  /** Spans name conversations and turns by their ids. Ids of people are never on them. @default false */
  traceIds?: boolean;
  /** Keys the hashes of forgotten values. @default `AGENT_MEMORY_FORGET_KEY`, else a secret the store keeps beside itself */
  forgetKey?: string;
  /**
   * How long one read may hold up a reply, in milliseconds; then the reply goes on without. A turn that begins with a fold
   * due waits for three one after the other, and for a fourth where past turns are recalled. @default 5000
   */
  readTimeoutMs?: number;
  /**
   * How long one write may take with all its tries, in milliseconds; then it has failed with `TIMEOUT`, and the same turn can
   * be recorded again. @default 10000
   */
  writeTimeoutMs?: number;
  /** Failures of the memory become errors of the reply. @default false */
  strict?: boolean;
  /** The time, for tests. @default the system's */
  clock?: () => Date;
  /** New ids. @default random UUIDs */
  createId?: () => string;
  /** @default `process.env` where there is one */
  env?: Record<string, string | undefined>;
}

/** What this memory is made of and what it had to do without. */
export interface Manifest {
  agent: string;
  tenant: string;
  /** Where the policy came from. */
  source: "code" | "deployment" | "off";
  /** Which tiers are on. */
  tiers: { conversation: boolean; carryOver: boolean; facts: boolean; search: boolean };
  /** When facts are drawn from what was said. */
  extraction: "off" | "after-reply" | "scheduled";
  /** The store, and what it can do. */
  store: {
    name: string;
    capabilities: StoreCapabilities;
    /** How vectors are searched, such as `pgvector 0.8.0 exact+hnsw` or `exact fallback`. */
    vectors: string;
  };
  /**
   * The embedder's model, and the cosine below which a message is not near by it; `null` without one. `stored`: the model whose
   * vectors are stored, where it is another; nothing is found by meaning until `reindex`.
   */
  embedding: {
    modelId: string;
    dimensions: number;
    floor: number;
    stored?: { modelId: string; dimensions: number };
  } | null;
  degraded: PolicyDegradation[];
  policy: ResolvedPolicy;
}

/** A conversation in a listing. */
export interface ConversationInfo {
  id: string;
  subject?: string;
  title?: string;
  metadata?: { [key: string]: Json };
  createdAt: string;
  /** Time of the newest turn or change. */
  updatedAt: string;
  turns: number;
  /** User and assistant messages. */
  messages: number;
  /** From 1, one more with every change of title or metadata. For `update({ ifVersion })`. */
  version: number;
}

/** Plain data of a host, kept as given. */
export interface Records {
  /** `null` where there is none or it has expired. */
  get(key: string, options?: CallOptions): Promise<RecordRow | null>;
  /** Throws `VERSION_CONFLICT` where `ifVersion` differs; 0 means "only if it isn't there". */
  put(
    key: string,
    value: Json,
    options?: CallOptions & { ifVersion?: number; ttl?: number | string; subject?: string },
  ): Promise<RecordRow>;
  /** False where there was none. */
  delete(key: string, options?: CallOptions & { ifVersion?: number }): Promise<boolean>;
  /** Records of this namespace and below, sorted by namespace and key. */
  list(options?: CallOptions & { limit?: number; offset?: number }): Promise<RecordRow[]>;
  /** Those whose text matches, best first. */
  search(query: string, options?: CallOptions & { limit?: number }): Promise<(RecordRow & { score: number })[]>;
}

/** What a retention sweep removed, or would remove. */
export interface RetentionReport {
  /** True where nothing was removed, only counted. */
  dryRun: boolean;
  /** Tool results that became stubs. */
  toolResults: number;
  /** Messages of turns that went. */
  messages: number;
  /** Vectors of messages. */
  vectors: number;
  summaries: number;
  artifacts: number;
  /** Expired facts, records, leases and operations, per kind. */
  expired: Record<string, number>;
  /** What a backend still holds of the erased texts, and why. Absent where the bytes are gone. */
  residue?: Receipt["residue"];
  /** Facts that rest on the erased texts and stay, as in a {@link Receipt}; not counted beforehand. */
  kept?: Receipt["kept"];
}

/** A piece of background work that failed. Every sweep tries it again until it succeeds; a `sink` waits for `redrive`. */
export interface FailedWork {
  /**
   * `index`, `embed`, `fold`, `carry`, `extract`, `distill`, `sinks` (the turns for them could not be read) or `sink` (one
   * of them threw).
   */
  work: string;
  /** The empty text where the work is on timeline events. */
  conversation: string;
  /** The turn, for a sink, and for a turn whose extraction was given up. */
  turn?: string;
  /** Which of `sinks`, from 0. */
  sink?: number;
  code: string;
  /** How often it was tried. */
  attempts: number;
  /** ISO 8601, of the last try. */
  at: string;
}

/** Names one fact. */
export interface FactRef {
  id: string;
  scope: FactScope;
  subject?: string;
  conversation?: string;
}

/** What only the app's operator may do. */
export interface Operator {
  /** Writes a fact of any scope; author and origin are `operator`. `subject` is required for `user` and `global`. */
  remember(fact: FactInput & { scope: FactScope; subject?: string; conversation?: string }): Promise<Outcome>;
  /** Forgets a keyed fact of any scope. */
  forget(
    fact: { key: string; scope: FactScope; subject?: string; conversation?: string },
    options?: CallOptions,
  ): Promise<ForgetReceipt>;
  /** Searches across all subjects of the agent. */
  search(query: string, filter?: SearchFilter): Promise<SearchResult>;
  /** Makes an e-mail address, phone number or chat handle another name of a subject; their memories become one. */
  link(link: { identity: string; subject: string }, options?: CallOptions): Promise<Outcome>;
  /** Ends a link for what is written later; what was merged stays with the subject. */
  unlink(link: { identity: string }, options?: CallOptions): Promise<Outcome>;
  /** Takes back what the agent or a distiller made of a fact: it goes and stays away, what it replaced is live again. */
  undo(fact: FactRef, options?: CallOptions): Promise<Outcome>;
  /** Lets a forgotten value of any scope come back. */
  lift(
    forgotten: {
      scope: FactScope;
      subject?: string;
      conversation?: string;
      key?: string;
      topic?: string;
      value: Json;
    },
    options?: CallOptions,
  ): Promise<Outcome>;
  /** Files a conversation with all its turns under another subject. */
  transfer(move: { conversation: string; subject: string }, options?: CallOptions): Promise<Outcome>;
  /** Takes a subject's export in, as an object or as its JSON lines; importing it again stores nothing twice. */
  import(
    data: SubjectExport | Iterable<string> | AsyncIterable<string>,
    options?: { subject?: string; trusted?: boolean; signal?: AbortSignal },
  ): Promise<ImportReport>;
  /** Applies the policy's retention. */
  sweepRetention(options?: { dryRun?: boolean; signal?: AbortSignal }): Promise<RetentionReport>;
  /** Background work that failed, most recent first. */
  failures(options?: CallOptions): Promise<FailedWork[]>;
  /** Tries failed work again now. */
  redrive(options?: CallOptions): Promise<SweepReport>;
}

/** What one sweep did. */
export interface SweepReport {
  /** Conversations whose work was done. */
  conversations: number;
  /** Turns indexed for keyword search. */
  indexed: number;
  /** Turns embedded for semantic search. */
  embedded: number;
  /** Conversations folded. */
  folded: number;
  /** Turns that facts were drawn from. */
  extracted: number;
  /** Conversations merged into a carry-over. */
  carried: number;
  /** Pieces of work that failed and will be tried again. */
  failed: number;
}

/** How far a reindex is. */
export interface ReindexReport {
  conversations: number;
  /** Turns embedded by this run. */
  embedded: number;
}

/** The memory of one agent. */
export interface Memory {
  readonly agent: string;
  readonly tenant: string;
  /** The only way to a conversation's scope. Throws `INVALID_ID`. Reads and writes nothing. */
  conversation(ref: ConversationRef): Conversation;
  /** The only way to a subject's scope. Throws `INVALID_ID`. Reads and writes nothing. */
  subject(id: string): Subject;
  /**
   * Most recently active first. Also those that have a title, facts or a host's states and no turn yet: a list of chats leaves
   * out those with `turns: 0`.
   */
  conversations(filter?: {
    subject?: string;
    limit?: number;
    cursor?: string;
    signal?: AbortSignal;
  }): Promise<Page<ConversationInfo>>;
  readonly operator: Operator;
  /** Plain data under a namespace. Labels are any non-empty strings. */
  records(namespace: readonly string[]): Records;
  /** States of a host's runs, for adapters. */
  readonly checkpoints: Checkpoints;
  /** Past messages of one subject or one conversation. */
  search(query: string, filter: ({ subject: string } | { conversation: string }) & SearchFilter): Promise<SearchResult>;
  /**
   * Stores something that happened outside a conversation, for distillation to read. The same id again of one subject is
   * `unchanged`. Throws `INVALID_ID` and `INVALID_ARGUMENT`.
   */
  ingest(event: TimelineEvent, options?: CallOptions): Promise<Outcome>;
  /**
   * Draws facts from the turns and events that are new since the last distillation. `found` counts those stored; 0 where
   * extraction is off or another process is at it. A batch that failed left nothing, is listed among the failures, counted
   * in `failed`, and tried again the next time.
   */
  distill(options?: CallOptions): Promise<{ found: number; failed?: number }>;
  /** What this memory is made of. Asks the store how it searches vectors. */
  manifest(): Promise<Manifest>;
  /** Embeds everything anew with the current embedder, resumable; the older vectors go. */
  reindex(options?: { onProgress?: (progress: ReindexReport) => void; signal?: AbortSignal }): Promise<ReindexReport>;
  /** Starts the timers for scheduled work; none run without it. They end with `close`. */
  start(): void;
  /** Does derived work that is due, whoever left it. */
  sweep(options?: { limit?: number; signal?: AbortSignal }): Promise<SweepReport>;
  /** Waits for the background work of this process. */
  settled(): Promise<void>;
  /** Starts due work of this process now and waits for it; fits `waitUntil`. */
  flush(): Promise<void>;
  /** Settles and closes the store. Later calls fail with `STORE_CLOSED`. */
  close(): Promise<void>;
}
