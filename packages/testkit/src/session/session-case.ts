import type { RuleId } from "../requirements.ts";

/** An item of a session's history, whatever the host's own type of it says. */
export type SessionItem = { readonly [member: string]: unknown };

/** A session of the OpenAI Agents SDK, as far as the suite looks at it. The SDK's own type fits. */
export interface SessionLike {
  getSessionId(): Promise<string>;
  getItems(limit?: number): Promise<SessionItem[]>;
  addItems(items: SessionItem[]): Promise<void>;
  popItem(): Promise<SessionItem | undefined>;
  clearSession(): Promise<void>;
  applyHistoryTransaction?(args: {
    operationId: string;
    transaction:
      | { type: "append_items"; items: SessionItem[] }
      | { type: "replace_suffix"; expectedSuffix: SessionItem[]; replacement: SessionItem[] };
  }): Promise<void> | void;
}

/** What a case gets to work with. */
export interface SessionBench {
  /** A session of this name over the same storage; the same name is the same history. */
  session(name?: string): SessionLike;
  /** The same history, opened anew, as another process would; absent where nothing outlives the object. */
  reopen?(name?: string): SessionLike;
}

/** One behaviour of a session: `run` rejects where it isn't so. */
export interface SessionCase {
  readonly rules: readonly RuleId[];
  /** A sentence about behaviour, unique. */
  readonly title: string;
  readonly needsReopen?: boolean;
  run(bench: SessionBench): Promise<void>;
}

export const user = (text: string): SessionItem => ({ type: "message", role: "user", content: text });

export const assistant = (text: string, id?: string): SessionItem => ({
  type: "message",
  role: "assistant",
  status: "completed",
  content: [{ type: "output_text", text }],
  ...(id === undefined ? {} : { id }),
});

export const call = (callId: string, input = '{"city":"Oslo"}'): SessionItem => ({
  type: "function_call",
  callId,
  name: "weather",
  status: "completed",
  arguments: input,
});

export const result = (callId: string, text = "sunny"): SessionItem => ({
  type: "function_call_result",
  callId,
  name: "weather",
  status: "completed",
  output: { type: "text", text },
});

export const reasoning = (text: string): SessionItem => ({
  type: "reasoning",
  id: `rs_${text}`,
  content: [{ type: "input_text", text }],
});

/** What an item says, without ids and what else a session may leave out. */
export function said(item: SessionItem): string {
  const text = (value: unknown): string => {
    if (typeof value === "string") return value;
    if (Array.isArray(value)) return value.map((part: SessionItem) => text(part.text)).join();
    return text((value as SessionItem | undefined)?.text ?? "");
  };
  switch (item.type) {
    case "function_call":
      return `call ${String(item.callId)} ${String(item.name)} ${JSON.stringify(JSON.parse(String(item.arguments)))}`;
    case "function_call_result":
      return `result ${String(item.callId)} ${text(item.output)}`;
    case "reasoning":
      return "reasoning";
    default:
      return `${String(item.role)} ${text(item.content)}`;
  }
}

/** What the items say, reasoning left out: a session may keep it or not. */
export const allSaid = (items: readonly SessionItem[]): string[] =>
  items.filter(({ type }) => type !== "reasoning").map(said);
