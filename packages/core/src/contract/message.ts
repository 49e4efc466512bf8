import type { Json } from "./json.ts";
import type { Origin } from "./origin.ts";

/** Who speaks. A tool's result is a message of role `tool`. */
export type Role = "user" | "assistant" | "tool" | "system";

/** A host's own form of a message or a part, kept where it holds more than the neutral one. */
export interface NativeMessage {
  /** Names the host and the version of the form, for example `"ai-sdk/model-message@7"`. */
  format: string;
  value: Json;
}

interface PartBase {
  /** The host's own form of this part: signatures, provider metadata. Goes with the part. */
  native?: NativeMessage;
}

/** Plain text. */
export interface TextPart extends PartBase {
  type: "text";
  text: string;
}

/** What a reasoning model showed of its thinking. Left out when a conversation goes on in another framework. */
export interface ReasoningPart extends PartBase {
  type: "reasoning";
  text: string;
}

/** A file by value, by address or by the id of a stored artifact. */
export interface FilePart extends PartBase {
  type: "file";
  mediaType: string;
  /** The content, base64. */
  data?: string;
  url?: string;
  /** Id of the artifact that holds the content. */
  artifact?: string;
  name?: string;
}

/** Where the assistant took something from. */
export interface SourcePart extends PartBase {
  type: "source";
  id?: string;
  url?: string;
  title?: string;
  mediaType?: string;
  name?: string;
}

/** The model asks for a tool. */
export interface ToolCallPart extends PartBase {
  type: "tool-call";
  /** Joins the call with its result and its approval. */
  callId: string;
  tool: string;
  input: Json;
  /** The provider ran the tool itself; its result may stand in the same assistant message. */
  providerExecuted?: boolean;
}

/** What a tool answered. */
export interface ToolResultPart extends PartBase {
  type: "tool-result";
  callId: string;
  tool: string;
  /** JSON; parts only where `outputIs` says so. */
  output: Json | Part[];
  /** Set to `"parts"` where `output` is a list of parts (files, text blocks) and not data that looks like one. */
  outputIs?: "parts";
  /** The tool failed, and `output` says how. @default false */
  isError?: boolean;
}

/** A call that waits, or waited, for a person. */
export interface ApprovalPart extends PartBase {
  type: "approval";
  callId: string;
  state: "requested" | "approved" | "denied";
  reason?: string;
}

/** Anything a host has that fits no other part. */
export interface CustomPart extends PartBase {
  type: "custom";
  kind: string;
  value: Json;
}

/** One piece of a message. */
export type Part =
  | TextPart
  | ReasoningPart
  | FilePart
  | SourcePart
  | ToolCallPart
  | ToolResultPart
  | ApprovalPart
  | CustomPart;

/** One message of a turn in the neutral form. */
export interface Message {
  /** Unique within its conversation. */
  id: string;
  role: Role;
  parts: Part[];
  /** ISO 8601, UTC. */
  createdAt: string;
  /** Sequence number of the turn that holds it; absent until recorded. */
  seq?: number;
  /** Id of the turn that holds it. */
  turn?: string;
  /** Name of the agent or participant that spoke. */
  name?: string;
  origin?: Origin;
  native?: NativeMessage;
}

/**
 * A message as a host gives it: `parts`, or `content` as a shorthand for one text part.
 *
 * Without an id one is derived from the turn's id and the content, so that recording the same turn twice
 * stores nothing twice.
 */
export interface MessageInput {
  id?: string;
  role: Role;
  parts?: readonly Part[];
  /** One text part, in place of `parts`. */
  content?: string;
  /** ISO 8601. @default the clock's time */
  createdAt?: string;
  name?: string;
  /** @default by role: `user`, `assistant`, `tool`, `operator` for `system`; `memory` for a memory tool's results */
  origin?: Origin;
  native?: NativeMessage;
}

/** How a turn ended. Only a paused turn goes on. */
export type TurnStatus = "completed" | "aborted" | "failed" | "paused";

/** What broke a turn. */
export interface TurnError {
  /** The error's code or name. */
  code: string;
  /** At most 500 characters of its message. */
  message: string;
}

/** One user message and all that the agent did until it had answered. */
export interface Turn {
  id: string;
  conversation: string;
  /** Position in its conversation, from 1, given by the store as the turn is written. */
  seq: number;
  /** The subject the conversation was bound to as the turn was written. */
  subject?: string;
  status: TurnStatus;
  /** ISO 8601, UTC. */
  startedAt: string;
  endedAt?: string;
  messages: Message[];
  agentName?: string;
  /** Why a failed turn failed, as far as the host told. */
  error?: TurnError;
  /** Id of the turn that this one replaces (regenerated or edited). */
  replaces?: string;
  /** Id of the turn that replaced this one. A replaced turn stays in the transcript only. */
  replacedBy?: string;
  /** Not in history, search or folding: replaced, or behind a rewind. */
  hidden?: boolean;
}
