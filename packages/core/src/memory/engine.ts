import type { ModelLimits } from "../budget/model-limits.ts";
import type { MemoryEvent } from "../contract/events.ts";
import type { MemoryOptions } from "../contract/memory.ts";
import type { MemoryStore } from "../contract/memory-store.ts";
import type { Distiller, Summarizer } from "../contract/models.ts";
import type { AgentOwner } from "../contract/owner.ts";
import type { OpenTurns } from "../conversation/open-turns.ts";
import type { DateResolver } from "../extract/resolve-dates.ts";
import type { FactWords } from "../facts/fact-words.ts";
import type { PolicyDegradation, ResolvedPolicy } from "../policy/policy.ts";
import type { EmbeddingState } from "../search/embedding-model.ts";
import type { TakenApart } from "../search/turn-documents.ts";
import type { Tracing } from "../telemetry/with-spans.ts";
import type { TokenCounter } from "../text/tokens.ts";
import type { Background } from "../work/background.ts";
import type { Moments } from "./moments.ts";

/** An event as the code that emits it gives it; the engine adds the time. */
export type EventDraft = MemoryEvent extends infer Event ? (Event extends unknown ? Omit<Event, "at"> : never) : never;

/** What every part of one memory shares. Made once by `createMemory`. */
export interface Engine {
  readonly owner: AgentOwner;
  readonly policy: ResolvedPolicy;
  readonly source: "code" | "deployment" | "off";
  readonly degraded: PolicyDegradation[];
  readonly options: MemoryOptions;
  readonly strict: boolean;
  /** Absent where the app gave no tracer. */
  readonly tracing: Tracing | undefined;
  /** The app's, or the policy's; absent where there is none to fold with. */
  readonly summarizer: Summarizer | undefined;
  /** The app's, or the policy's; absent where facts are drawn from nothing. */
  readonly distiller: Distiller | undefined;
  /** Resolves "yesterday" and the like; made when facts are first drawn. */
  readonly dates: { resolver: DateResolver | null };
  /** The distillation that is running in this process. */
  readonly distilling: { run: Promise<{ found: number; failed?: number }> | null };
  /** How long a read may hold up a reply, in milliseconds. */
  readonly readTimeoutMs: number;
  /** How long one write may take with all its tries, in milliseconds. */
  readonly writeTimeoutMs: number;
  /** Names this process among workers. */
  readonly holder: string;
  /** The store, opened at the first call. Rejects with a `STORE_…` code. */
  store(): Promise<MemoryStore>;
  /** Lets go of the store where it was opened or given; from here on `store` rejects with `STORE_CLOSED`. */
  close(): Promise<void>;
  /** The clock's time, ISO 8601. */
  now(): string;
  readonly moments: Moments;
  createId(): string;
  countTokens: TokenCounter;
  /** What a model takes; what any takes where none is named. */
  limits(model: string | undefined): Promise<ModelLimits>;
  /** Reports what was done. The cause of a failure is for the console line of an app that listens to no events. */
  emit(event: EventDraft, cause?: unknown): void;
  readonly background: Background;
  readonly openTurns: OpenTurns;
  /** Conversations that this process is doing derived work on; each tells through which sequence number, once it ended. */
  readonly inWork: Map<string, Promise<number>>;
  /** What searches take turns apart to that no index holds yet. */
  readonly takenApart: Map<string, TakenApart>;
  /** The words of facts that were looked at. */
  readonly factWords: FactWords;
  /** The last of those that write an owner's facts in this process. Never rejects. */
  readonly factWriters: Map<string, Promise<void>>;
  /** Folds that are running in this process, by conversation. */
  readonly inFold: Map<string, Promise<number>>;
  /**
   * Since when the embedder is left in peace, because it took too long; since when it isn't asked what is near, because that
   * failed. Milliseconds.
   */
  readonly embedderPause: { since: number; sinceFloors: number };
  /**
   * How the stored vectors related to the embedder when that was last read, taken for granted until a read says otherwise; and
   * the other model of which the app was told last.
   */
  readonly embedding: { last: EmbeddingState | null; told: string | null };
  /** Keys the hashes of what was forgotten. */
  forgetKey(): Promise<CryptoKey>;
}
