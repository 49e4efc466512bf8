import type { Conversation } from "./conversation.ts";
import type { Fact, FactType } from "./fact.ts";
import type { Json } from "./json.ts";
import type { MessageInput, Turn } from "./message.ts";

/** What a summarizer folds. */
export interface SummarizerInput {
  /** The summary so far; `null` at the first fold. */
  previous: string | null;
  /** The turns to fold in, oldest first. */
  turns: Turn[];
  /** Upper bound of the answer, in tokens. */
  maxTokens: number;
  signal?: AbortSignal;
}

/** Folds older turns into the rolling summary. A throw or an empty answer leaves everything as it was. */
export type Summarizer = (input: SummarizerInput) => string | Promise<string>;

/** Something that happened outside a conversation: a mail, a call note. */
export interface TimelineEvent {
  id: string;
  subject: string;
  /** What kind of place it comes from, for example `"mail"`. */
  source: string;
  text: string;
  /** ISO 8601. */
  at: string;
}

/** Something that a distiller could not make use of in its model's answer. Never holds text of it. */
export interface DistillProblem {
  /**
   * `repaired`: items were broken JSON and could be mended. `invalid`: items were left out that are no candidates.
   * `truncated`: the answer was cut off, and what was not whole is left out. `retried`: the model was asked once more.
   */
  reason: "repaired" | "invalid" | "truncated" | "retried";
  items: number;
}

/** What a distiller draws facts from. */
export interface DistillerInput {
  /** The turns to draw from, oldest first. */
  turns: Turn[];
  events: TimelineEvent[];
  /** Earlier turns of the same conversation, as context only. */
  recent: Turn[];
  /** What is known already. */
  known: Fact[];
  instructions?: string;
  /** ISO 8601; when the newest of the turns and events was. Relative times are resolved against each one's own time. */
  now: string;
  /** IANA name of the person's time zone. @default "UTC" */
  timeZone?: string;
  /** Whole items of a broken answer are wanted; otherwise anything broken is an error. @default false */
  salvage?: boolean;
  /** Is told what was mended or left out. */
  onProblem?: (problem: DistillProblem) => void;
  signal?: AbortSignal;
}

/** A fact that a distiller proposes. */
export interface FactCandidate {
  topic?: string;
  key?: string;
  value: Json;
  type?: FactType;
  tags?: string[];
  /** 0 to 1. */
  confidence: number;
  /** The words it rests on; checked against the turn without a model. */
  quote: string;
  /** Whom it is about. Another than the person of the turns is an invalid candidate: whose memory it is isn't a model's to say. */
  subject?: string;
  /** Id of the turn or event that holds the quote. @default the one that does */
  turn?: string;
  /** Id of a known fact that this one takes the place of. */
  updates?: string;
  /** Id of a known fact that this one contradicts, where nobody can tell which is right. */
  contradicts?: string;
}

/** Draws facts from turns and events. */
export type Distiller = (input: DistillerInput) => FactCandidate[] | Promise<FactCandidate[]>;

/** Turns texts into vectors. */
export interface Embedder {
  /** Recorded with every vector; vectors of different models are never compared. */
  readonly modelId: string;
  /** Numbers in every vector. */
  readonly dimensions: number;
  /** One vector per text, in order. */
  embed(texts: string[], options: { kind: "query" | "document"; signal?: AbortSignal }): Promise<Float32Array[]>;
}

/**
 * Adds text of another service to one reply's prompt; `null` when nothing is relevant. Of a text above 2,000 tokens the
 * beginning is shown, with a mark. The signal fires with the caller's, and as `readTimeoutMs` is over.
 */
export type Retriever = (input: {
  query: string;
  conversation: Conversation;
  signal?: AbortSignal;
}) => string | null | Promise<string | null>;

/** Gets each completed exchange once, after the reply. */
export type Sink = (input: { turn: Turn; conversation: Conversation; signal?: AbortSignal }) => void | Promise<void>;

/** What an agent says while it answers. */
export type AgentEvent =
  /** Words of the answer, as they come. */
  | { type: "delta"; text: string }
  /** The model called a tool. */
  | { type: "tool_call"; callId: string; tool: string; input: Json }
  /** What the tool answered; `isError` where it failed. */
  | { type: "tool_result"; callId: string; tool: string; output: Json; isError?: boolean }
  /** What the memory did meanwhile, with what the host can show of it. */
  | { type: "memory"; action: "remembered" | "recalled" | "compacted" | "forgotten"; detail?: Json }
  /** The turn is over: the whole answer. */
  | { type: "done"; text: string }
  /** The turn failed; a code, and a message without conversation text. */
  | { type: "error"; code: string; message: string };

/** One turn of any host's agent; each adapter makes one, so that a server can run them all alike. */
export type AgentRunner = (turn: {
  messages: MessageInput[];
  conversation: Conversation;
  signal: AbortSignal;
}) => AsyncIterable<AgentEvent>;
