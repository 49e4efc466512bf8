import type { Message, Part } from "../contract/message.ts";

/** How to make messages fit to be sent to a model. */
export interface SanitizeOptions {
  /** Calls that are still open on purpose: their approval is pending in this prompt. */
  openCalls?: ReadonlySet<string>;
  /** Leave out what another provider can't read: reasoning and a host's own forms. @default false */
  portable?: boolean;
}

const pairs = (messages: readonly Message[]) => {
  const calls = new Set<string>();
  const results = new Set<string>();
  for (const message of messages) {
    for (const part of message.parts) {
      if (part.type === "tool-call") calls.add(part.callId);
      // A result counts only behind its call: a model refuses it the other way round.
      if (part.type === "tool-result" && calls.has(part.callId)) results.add(part.callId);
    }
  }
  return { calls, results };
};

/**
 * Messages that every model accepts: each tool call has its result and each result its call, no reasoning stands
 * alone, and no message is empty. Pure; messages that need no change come back as they are.
 */
export function sanitizeTranscript(messages: readonly Message[], options: SanitizeOptions = {}): Message[] {
  const { calls, results } = pairs(messages);
  const open = options.openCalls ?? new Set<string>();
  const answered = (callId: string) => results.has(callId) || open.has(callId);
  const seen = new Set<string>();
  const keep = (part: Part): boolean => {
    switch (part.type) {
      case "tool-call":
        seen.add(part.callId);
        return answered(part.callId);
      case "tool-result":
        return calls.has(part.callId) && seen.has(part.callId);
      case "approval":
        return calls.has(part.callId) && answered(part.callId);
      case "reasoning":
        return options.portable !== true;
      default:
        return true;
    }
  };
  const sanitized: Message[] = [];
  for (const message of messages) {
    const kept = message.parts.filter(keep);
    let parts = kept.length === message.parts.length ? message.parts : kept;
    // Reasoning must be followed by what it led to; a provider refuses it alone.
    if (parts.length > 0 && parts.every((part) => part.type === "reasoning")) parts = [];
    if (parts.length === 0) continue;
    if (parts === message.parts && !(options.portable && message.native)) {
      sanitized.push(message);
      continue;
    }
    const { native: _native, ...rest } = message;
    sanitized.push({ ...rest, parts });
  }
  return sanitized;
}
