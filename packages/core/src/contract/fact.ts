import type { Json } from "./json.ts";
import type { Origin } from "./origin.ts";
import type { Receipt } from "./outcome.ts";

/**
 * Whose fact it is. `user`: one subject with this agent. `conversation`: one conversation. `app`: the agent, for
 * everybody. `global`: one subject with every agent of the tenant.
 */
export type FactScope = "user" | "conversation" | "app" | "global";

/** What kind of thing a fact is. Only people and operators can give an `instruction`. */
export type FactType = "fact" | "preference" | "relationship" | "instruction";

/** Who wrote a fact. `import`: a file that nobody vouched for says that a person or an operator did. */
export type FactAuthor = "agent" | "operator" | "user" | "distiller" | "import";

/** The turn that made the agent believe a fact. */
export interface FactSource {
  conversation: string;
  turn: string;
  /** The words it rests on, as they stand in the turn; gone once these are erased. */
  quote?: string;
}

/** The timeline event that a fact rests on. */
export interface FactEvent {
  id: string;
  /** What kind of event it is, as it was ingested: a mail, a call note. */
  source: string;
  quote?: string;
}

/** One durable thing the agent knows. */
export interface Fact {
  id: string;
  /** Normalised; a keyed fact is a slot with one value. */
  key?: string;
  topic?: string;
  value: Json;
  type: FactType;
  /** Lower-cased, without duplicates, at most 8. */
  tags: string[];
  scope: FactScope;
  author: FactAuthor;
  origin: Origin;
  /** 0 to 1. */
  confidence?: number;
  source?: FactSource;
  /** The timeline event that made a distiller believe it. */
  event?: FactEvent;
  createdAt: string;
  /** Last time it was written or said again. */
  updatedAt: string;
  /** From this moment on it is no longer read. */
  expiresAt?: string;
  /** When it became what the agent believes. */
  validFrom: string;
  /** When it stopped being that; absent while it is live. */
  validTo?: string;
  /** Id of the fact that took its place. */
  supersededBy?: string;
  /** Id of the live fact that it contradicts. Both are shown as disputed. */
  disputedWith?: string;
  /** Ids of live claims of lower origin that contradict it. Told on reading; never stored. */
  disputedBy?: string[];
  /** The value was cut to `maxValueChars`. */
  truncated?: boolean;
  /** From 1, greater with every change; a fact that takes another's place under a key goes on from that one's. */
  version: number;
}

/** How to remember. */
export interface RememberOptions {
  /** @default "user"; without a subject "conversation" */
  scope?: FactScope;
  /** @default "fact" */
  type?: FactType;
  tags?: readonly string[];
  topic?: string;
  /** Time to live: milliseconds, or a number with `s`, `m`, `h`, `d` or `w` ("90d"). */
  ttl?: number | string;
  /** 0 to 1. */
  confidence?: number;
  /**
   * The person's own words this rests on; found in the turn, they give the fact the origin `user`. With no turn under way, the
   * newest of the conversation that holds them is the fact's source.
   */
  quote?: string;
  /** Who the value comes from. @default the evidence's origin */
  origin?: Origin;
  /** Write only if the live fact has this version. A mismatch throws `VERSION_CONFLICT`. */
  ifVersion?: number;
  /** The same key answers with the first outcome and writes nothing again. */
  idempotencyKey?: string;
  /** Keep several values under the key as a list. @default false */
  multiple?: boolean;
  /** The turn this was said in. Set by adapters. */
  turn?: string;
  signal?: AbortSignal;
}

/** A fact to remember, keyed or free-standing. */
export interface FactInput extends RememberOptions {
  key?: string;
  value: Json;
}

/** Which facts to recall. */
export interface RecallQuery {
  /** Words to rank by. Without them the most recently updated come first. */
  query?: string;
  /** How many at most, 1 or more; `Infinity` for all (1,000 of a scope are read). @default 10 */
  n?: number;
  /** @default "relevance" with a query, "recent" without */
  order?: "relevance" | "recent";
  type?: FactType;
  tags?: readonly string[];
  scope?: FactScope;
  /** ISO 8601: what was believed at that moment. */
  asOf?: string;
  signal?: AbortSignal;
}

/** Facts that match, best first. An empty list says why in `reason`. */
export interface RecallResult {
  facts: (Fact & { score?: number })[];
  reason?: string;
}

/** Which facts to forget. At least one of `id`, `key`, `tag`, `scope` or `all` must be there. */
export interface ForgetFilter {
  id?: string;
  key?: string;
  tag?: string;
  scope?: FactScope;
  /** Everything this conversation can reach for writing. */
  all?: boolean;
  /** Count, and forget nothing. @default false */
  dryRun?: boolean;
  /** The same key again forgets nothing twice and answers the same. */
  idempotencyKey?: string;
  signal?: AbortSignal;
}

/** What a forget removed. */
export interface ForgetReceipt {
  /** How many facts went, history rows not counted. */
  forgotten: number;
  ids: string[];
  /** Set where nothing was forgotten, only counted. */
  dryRun?: boolean;
  /** What a backend still holds of the erased text, and why. Absent where the bytes are gone. */
  residue?: Receipt["residue"];
  /** Set where nothing could go: what was asked for, and why. */
  code?: string;
  reason?: string;
}
