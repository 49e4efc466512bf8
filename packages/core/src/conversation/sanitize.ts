import type { Message, Part, ToolResultPart } from "../contract/message.ts";

/** How to make messages fit to be sent to a model. */
export interface SanitizeOptions {
  /** Calls that are still open on purpose: they wait for an approval or a result in this prompt. */
  openCalls?: ReadonlySet<string>;
  /** Leave out what another provider can't read: reasoning and hosts' own forms. @default false */
  portable?: boolean;
}

/**
 * Messages that every model accepts: each tool call has its result right behind it and each result its call before it,
 * no reasoning stands without what it led to, no text and no message is empty, and no call id comes twice. Pure;
 * messages that need no change come back as they are.
 */
export function sanitizeTranscript(messages: readonly Message[], options: SanitizeOptions = {}): Message[] {
  // Most turns are words and nothing else, and every prompt holds many of them.
  if (options.portable !== true && messages.every(isWordsOnly)) return [...messages];
  const split = messages.flatMap(splitAnsweredRow);
  const paired = keepParts(split, pairedParts(split, options.openCalls ?? new Set()));
  const ordered = resultsBehindCalls(renameRepeatedCalls(paired));
  const reasoned = keepParts(ordered, partsLedTo(ordered, options.portable === true));
  return options.portable ? reasoned.map((message) => withoutNative(message)) : reasoned;
}

const isWordsOnly = ({ parts }: Message): boolean =>
  parts.length > 0 && parts.every((part) => part.type === "text" && part.text !== "");

/** The messages with these parts only. A host's own form of a message would bring back what was taken out of it. */
function keepParts(messages: readonly Message[], kept: ReadonlySet<Part>): Message[] {
  return messages.flatMap((message) => {
    const parts = message.parts.filter((part) => kept.has(part));
    if (parts.length === 0) return [];
    return [parts.length === message.parts.length ? message : withoutNative({ ...message, parts }, "message")];
  });
}

function withoutNative(message: Message, where: "message" | "all" = "all"): Message {
  const { native: _native, ...rest } = message;
  if (where === "message" || !message.parts.some((part) => part.native)) return message.native ? rest : message;
  return { ...rest, parts: message.parts.map(({ native: _own, ...part }) => part as Part) };
}

/**
 * One row that holds calls, their results and what was said after them, as the messages it stands for. Results of tools
 * that the provider ran itself stay where they are.
 */
function splitAnsweredRow(message: Message): Message[] {
  if (message.role !== "assistant" || !message.parts.some((part) => part.type === "tool-result")) return [message];
  const byProvider = new Set(
    message.parts.flatMap((part) => (part.type === "tool-call" && part.providerExecuted ? [part.callId] : [])),
  );
  const pieces: { role: "assistant" | "tool"; parts: Part[] }[] = [];
  for (const part of message.parts) {
    const role = part.type === "tool-result" && !byProvider.has(part.callId) ? "tool" : "assistant";
    const last = pieces.at(-1);
    if (last?.role === role) last.parts.push(part);
    else pieces.push({ role, parts: [part] });
  }
  if (pieces.length === 1 && pieces[0]?.role === "assistant") return [message];
  const { native: _native, ...rest } = message;
  return pieces.map((piece, index) => ({ ...rest, ...piece, id: index === 0 ? message.id : `${message.id}#${index}` }));
}

/** All parts but reasoning that nothing it led to follows before anybody else speaks; no reasoning at all if portable. */
function partsLedTo(messages: readonly Message[], portable: boolean): Set<Part> {
  const kept = new Set<Part>();
  let leadsTo = false;
  for (const message of messages.toReversed()) {
    if (message.role !== "assistant") leadsTo = false;
    for (const part of message.parts.toReversed()) {
      if (part.type === "reasoning" && (portable || !leadsTo)) continue;
      kept.add(part);
      leadsTo ||= part.type !== "reasoning" && message.role === "assistant";
    }
  }
  return kept;
}

/** All parts but empty texts, calls without a result, results without a call, and approvals of either. */
function pairedParts(messages: readonly Message[], openCalls: ReadonlySet<string>): Set<Part> {
  const kept = new Set<Part>();
  /** The call that waits for its result, with its approvals, by call id. */
  const waiting = new Map<string, Part[]>();
  for (const part of messages.flatMap((message) => message.parts)) {
    switch (part.type) {
      case "text":
        if (part.text !== "") kept.add(part);
        break;
      case "tool-call":
        waiting.set(part.callId, [part]);
        break;
      case "approval":
        waiting.get(part.callId)?.push(part);
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
  for (const [callId, parts] of waiting) if (openCalls.has(callId)) for (const part of parts) kept.add(part);
  return kept;
}

/** Moves results up to their calls where something was said in between: steering, or another answer that came first. */
function resultsBehindCalls(messages: readonly Message[]): Message[] {
  const moved: Message[] = [];
  const placed = new Set<Part>();
  messages.forEach((message, index) => {
    const parts = message.parts.filter((part) => !placed.has(part));
    if (parts.length === 0) return;
    moved.push(parts.length === message.parts.length ? message : { ...message, parts });
    const open = new Set(message.parts.flatMap((part) => (part.type === "tool-call" ? [part.callId] : [])));
    for (const part of message.parts) if (part.type === "tool-result") open.delete(part.callId);
    if (open.size === 0) return;
    let between = false;
    for (const later of messages.slice(index + 1)) {
      const results = later.parts.filter((part) => isResultOf(open, part) && !placed.has(part));
      if (between && results.length > 0) {
        const all = results.length === later.parts.length;
        moved.push({ ...withoutNative(later, "message"), id: all ? later.id : `${later.id}#moved`, parts: results });
        for (const part of results) placed.add(part);
      }
      for (const part of results) open.delete((part as ToolResultPart).callId);
      if (open.size === 0) break;
      between ||= results.length !== later.parts.length;
    }
  });
  return moved;
}

const isResultOf = (open: ReadonlySet<string>, part: Part): boolean =>
  part.type === "tool-result" && open.has(part.callId);

/** Providers that count call ids anew in each turn make them come again; a later pair gets an id of its own. Pure. */
export function renameRepeatedCalls(messages: readonly Message[]): Message[] {
  if (!messages.some(({ parts }) => parts.some(({ type }) => type === "tool-call"))) return [...messages];
  const seen = new Map<string, number>();
  const current = new Map<string, string>();
  return messages.map((message) => {
    let renamed = false;
    const parts = message.parts.map((part) => {
      if (part.type !== "tool-call" && part.type !== "tool-result" && part.type !== "approval") return part;
      if (part.type === "tool-call") {
        const count = (seen.get(part.callId) ?? 0) + 1;
        seen.set(part.callId, count);
        current.set(part.callId, count === 1 ? part.callId : `${part.callId}-${count}`);
      }
      const callId = current.get(part.callId) ?? part.callId;
      if (callId === part.callId) return part;
      renamed = true;
      const { native: _native, ...rest } = part;
      return { ...rest, callId } as Part;
    });
    return renamed ? withoutNative({ ...message, parts }, "message") : message;
  });
}
