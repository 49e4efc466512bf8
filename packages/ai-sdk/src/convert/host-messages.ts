import { MemoryError, type Message, type MessageInput, type Report } from "@throughline/core";
import type { ModelMessage } from "ai";
import type { RunSource } from "../run-events.ts";
import type { RunOptions } from "../run-options.ts";
import { fromModelMessage } from "./from-model-messages.ts";
import { sourcePart } from "./partial-step.ts";
import { fromUIMessages, type HostMessage } from "./ui-messages.ts";

/** One neutral message of what the app gave, and which of the app's messages it stands for. */
export interface GivenMessage {
  input: MessageInput;
  index: number;
}

/** The app's messages; its own system messages keep their place in front and are not the conversation's. */
export async function hostMessages(
  options: RunOptions,
): Promise<{ system: ModelMessage[]; messages: readonly HostMessage[] }> {
  const { messages, prompt, uiMessages, tools, convertDataPart } = options;
  if ([messages, prompt, uiMessages].filter((given) => given !== undefined).length > 1) {
    throw new MemoryError("INVALID_ARGUMENT", "withMemory takes one of prompt, messages and uiMessages.");
  }
  if (uiMessages !== undefined) {
    const said = uiMessages.filter(({ role }) => role !== "system");
    return { system: [], messages: await fromUIMessages(said, { tools, convertDataPart }) };
  }
  const given =
    messages ?? (typeof prompt === "string" ? [{ role: "user" as const, content: prompt }] : (prompt ?? []));
  return {
    system: given.filter(({ role }) => role === "system"),
    messages: given.filter(({ role }) => role !== "system").map((message) => ({ message })),
  };
}

/** Each message in the neutral form with its place; one that can't be carried is reported and only the model sees it. */
export function convertEach(
  messages: readonly HostMessage[],
  calls: ReadonlyMap<string, string>,
  report: Report,
): GivenMessage[] {
  return messages.flatMap(({ message, name }, index) => {
    try {
      const input = fromModelMessage(message, calls);
      return (name?.(input) ?? [input]).map((named) => ({ input: named, index }));
    } catch (error) {
      report(error);
      return [];
    }
  });
}

/** What a step answered, with the sources that the AI SDK keeps beside its messages. */
export function convertResponse(
  messages: readonly ModelMessage[],
  sources: readonly RunSource[],
  calls: ReadonlyMap<string, string>,
  report: Report,
): MessageInput[] {
  const each = messages.map((message) => ({ message }));
  const inputs = convertEach(each, calls, report).map(({ input }) => input);
  const last = inputs.findLast(({ role }) => role === "assistant");
  if (last && sources.length > 0) last.parts = [...(last.parts ?? []), ...sources.map(sourcePart)];
  return inputs;
}

/**
 * What is new goes to the model as the app wrote it: the end of what the app gave, and with it what can't be carried
 * over. Of a message that is known in part, the new parts.
 */
export function newMessages(
  messages: readonly HostMessage[],
  given: readonly GivenMessage[],
  fresh: readonly Message[],
): ModelMessage[] {
  const ids = new Set(fresh.map(({ id }) => id));
  const isFresh = ({ input: { id } }: GivenMessage, place: number) =>
    id === undefined ? place >= given.length - fresh.length : ids.has(id);
  const news = new Set(given.filter(isFresh));
  const lastKnown = given.findLast((entry) => !news.has(entry))?.index ?? -1;
  return messages.flatMap(({ message }, index) => {
    const own = given.filter((entry) => entry.index === index);
    const isNew = own.map((entry) => news.has(entry));
    if (own.length === 0 ? index > lastKnown : isNew.every(Boolean)) return [message];
    if (message.role !== "tool" || !isNew.some(Boolean)) return [];
    return [{ ...message, content: message.content.filter((_part, place) => isNew[place]) }];
  });
}
