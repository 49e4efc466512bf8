import { messageText, type OpenTurn } from "@throughline/core";
import type { ModelMessage } from "ai";
import { type ToModelMessagesOptions, toModelMessages } from "./to-model-messages.ts";

/** What is stored, as messages, and what is known, for the instructions: no message of the SDK's may be a system's. Pure. */
export function storedPrompt(
  { fresh, messages, system }: Pick<OpenTurn, "fresh" | "messages" | "system">,
  options: ToModelMessagesOptions,
): { history: ModelMessage[]; block: string } {
  const ids = new Set(fresh.map(({ id }) => id));
  const stored = messages.filter(({ id }) => !ids.has(id));
  const said = stored.filter(({ role }) => role !== "system");
  const told = stored.filter(({ role }) => role === "system").map(messageText);
  return { history: toModelMessages(said, options), block: [...told, system].filter(Boolean).join("\n\n") };
}
