import { MemoryError, type MessageInput, type Report } from "@throughline/core";
import type { ModelMessage } from "ai";
import type { RunOptions } from "../run-options.ts";
import { fromModelMessage } from "./from-model-messages.ts";

/** The app's messages; its own system messages keep their place in front and are not the conversation's. */
export function hostMessages({ messages, prompt }: RunOptions): { system: ModelMessage[]; messages: ModelMessage[] } {
  if (messages !== undefined && prompt !== undefined) {
    throw new MemoryError("INVALID_ARGUMENT", "withMemory takes prompt or messages, not both.");
  }
  const given =
    messages ?? (typeof prompt === "string" ? [{ role: "user" as const, content: prompt }] : (prompt ?? []));
  return {
    system: given.filter(({ role }) => role === "system"),
    messages: given.filter(({ role }) => role !== "system"),
  };
}

/** Each message in the neutral form with its place; one that can't be carried is reported and only the model sees it. */
export function convertEach(
  messages: readonly ModelMessage[],
  calls: ReadonlyMap<string, string>,
  report: Report,
): { input: MessageInput; index: number }[] {
  return messages.flatMap((message, index) => {
    try {
      return [{ input: fromModelMessage(message, calls), index }];
    } catch (error) {
      report(error);
      return [];
    }
  });
}

/**
 * What is new goes to the model as the app wrote it: the end of what the app gave, and with it what can't be carried
 * over.
 */
export function newMessages(
  messages: readonly ModelMessage[],
  given: readonly { index: number }[],
  fresh: number,
): readonly ModelMessage[] {
  const lastKnown = given.at(-fresh - 1)?.index ?? -1;
  return messages.slice(lastKnown + 1);
}
