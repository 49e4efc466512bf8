import type { Message, Part } from "../contract/message.ts";

/** How to make messages fit to be sent to a model. */
export interface SanitizeOptions {
  /** Calls that are still open on purpose: their approval is pending in this prompt. */
  openCalls?: ReadonlySet<string>;
  /** Leave out what another provider can't read: reasoning and a host's own forms. @default false */
  portable?: boolean;
}

/**
 * Messages that every model accepts: each tool call has its result behind it and each result its call before it, no
 * reasoning stands without what it led to, and no message is empty. Call ids may come again once they are answered,
 * as some providers count them anew in each turn. Pure; messages that need no change come back as they are.
 */
export function sanitizeTranscript(messages: readonly Message[], options: SanitizeOptions = {}): Message[] {
  const kept = keptParts(messages, options);
  const sanitized: Message[] = [];
  for (const message of messages) {
    const parts = message.parts.filter((part) => kept.has(part));
    if (parts.length === 0) continue;
    if (parts.length === message.parts.length && !(options.portable && message.native)) {
      sanitized.push(message);
      continue;
    }
    // A host's own form would bring back what was taken out.
    const { native: _native, ...rest } = message;
    sanitized.push({ ...rest, parts });
  }
  return sanitized;
}

function keptParts(messages: readonly Message[], options: SanitizeOptions): Set<Part> {
  const kept = pairedParts(messages, options.openCalls ?? new Set());
  // From the end: reasoning is kept where something that it led to is kept behind it, before anybody else speaks.
  let leadsTo = false;
  for (let index = messages.length - 1; index >= 0; index--) {
    const message = messages[index] as Message;
    if (message.role !== "assistant") leadsTo = false;
    for (let at = message.parts.length - 1; at >= 0; at--) {
      const part = message.parts[at] as Part;
      if (part.type !== "reasoning") leadsTo ||= kept.has(part) && message.role === "assistant";
      else if (options.portable || !leadsTo) kept.delete(part);
    }
  }
  return kept;
}

/** All parts but calls without a result, results without a call, and approvals of either. */
function pairedParts(messages: readonly Message[], openCalls: ReadonlySet<string>): Set<Part> {
  const kept = new Set<Part>();
  /** The call that waits for its result, with its approvals, by call id. */
  const waiting = new Map<string, Part[]>();
  for (const part of messages.flatMap((message) => message.parts)) {
    switch (part.type) {
      case "tool-call":
        waiting.set(part.callId, [part]);
        if (openCalls.has(part.callId)) kept.add(part);
        break;
      case "approval":
        waiting.get(part.callId)?.push(part);
        if (openCalls.has(part.callId) && waiting.has(part.callId)) kept.add(part);
        break;
      case "tool-result": {
        const call = waiting.get(part.callId);
        if (call === undefined) break;
        for (const entry of [...call, part]) kept.add(entry);
        waiting.delete(part.callId);
        break;
      }
      default:
        kept.add(part);
    }
  }
  return kept;
}
