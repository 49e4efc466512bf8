import type { Message, Part } from "../contract/message.ts";

/**
 * A turn's messages with what came of each call in the order of the calls: a person's word before the result, and the
 * results of calls that ran side by side as the model asked for them. A host may tell of them as they come. Pure; messages
 * that stand well come back as they are.
 */
export function callsInOrder(messages: readonly Message[]): readonly Message[] {
  if (messages.filter(({ role }) => role === "tool").length < 2) return messages;
  const ordered: Message[] = [];
  const places = new Map<string, number>();
  for (const message of messages) {
    for (const part of message.parts) if (part.type === "tool-call") places.set(part.callId, places.size);
    ordered.splice(placeOf(message, ordered, places), 0, message);
  }
  return ordered;
}

/** Where a message belongs among those before it: at their end, or before results that come after it. */
function placeOf(message: Message, before: readonly Message[], places: ReadonlyMap<string, number>): number {
  if (isOnly(message, isWord)) {
    const calls = new Set(message.parts.map(callOf));
    const at = before.findIndex(({ parts }) => parts.some((part) => isResult(part) && calls.has(part.callId)));
    return at < 0 ? before.length : at;
  }
  if (!isOnly(message, isResult)) return before.length;
  const own = rank(message, places);
  let at = before.length;
  while (at > 0) {
    const previous = before[at - 1] as Message;
    if (!isOnly(previous, isResult) || rank(previous, places) <= own) break;
    at--;
  }
  return at;
}

/** The place of the call that a message is about; results without a call stay where they are. */
const rank = ({ parts: [first] }: Message, places: ReadonlyMap<string, number>): number =>
  (first && places.get(callOf(first))) ?? Number.POSITIVE_INFINITY;

const callOf = (part: Part): string => ("callId" in part ? part.callId : "");

const isOnly = ({ role, parts }: Message, is: (part: Part) => boolean): boolean =>
  role === "tool" && parts.length > 0 && parts.every(is);

const isResult = (part: Part): part is Extract<Part, { type: "tool-result" }> => part.type === "tool-result";

const isWord = (part: Part): boolean => part.type === "approval" && part.state !== "requested";
