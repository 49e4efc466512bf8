import type { BaseMessage } from "@langchain/core/messages";
import { type Message, messageText, type Report } from "@throughline/core";
import { behind, leadingSystem } from "./run-messages.ts";
import { toLangChainMessages } from "./to-langchain-messages.ts";

/** What the model is shown. */
export interface RunPrompt {
  /** The memory block for the system part; empty when there is nothing to say. */
  system: string;
  messages: BaseMessage[];
}

/** What a prompt is made from. */
export interface PromptInput {
  /** The block, and what the memory would show of the whole conversation. */
  turn: { readonly system: string; readonly messages: readonly Message[] };
  /** Ids of what belongs to this turn: the graph's own messages say it. */
  own: ReadonlySet<string | undefined>;
  /** Id of the message behind which this turn's begin. */
  anchor: string | undefined;
  /** The graph's messages. */
  messages: readonly BaseMessage[];
  /** Leave the graph's messages as they are. */
  keepState: boolean;
  exact: boolean;
  report: Report;
}

/** The memory's past, with the graph's own messages where it has them, and then this turn as the graph has it. */
export function runPrompt({ turn, own, anchor, messages, keepState, exact, report }: PromptInput): RunPrompt {
  const current = behind(messages, anchor);
  const ids = new Set([...own, ...(current ?? []).map(({ id }) => id)]);
  const stored = turn.messages.filter(({ id }) => !ids.has(id));
  const told = stored.filter(({ role }) => role === "system").map(messageText);
  const system = [...told, turn.system].filter(Boolean).join("\n\n");
  if (keepState || current === null) return { system, messages: [...messages] };
  const past = stored.filter(({ role }) => role !== "system");
  const inState = new Map(messages.map((message) => [message.id, message]));
  const options = { exact, onUnsupported: report };
  const shown: BaseMessage[] = [];
  let foreign: Message[] = [];
  for (const message of [...past, null]) {
    const known = message === null ? undefined : inState.get(message.id);
    if (message !== null && known === undefined) {
      foreign.push(message);
      continue;
    }
    // Together, since what one message says of a call concerns another.
    shown.push(...toLangChainMessages(foreign, options), ...(known === undefined ? [] : [known]));
    foreign = [];
  }
  return { system, messages: [...leadingSystem(messages), ...shown, ...current] };
}
