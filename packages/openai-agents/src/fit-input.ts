import type { AgentInputItem } from "@openai/agents";
import {
  fitPrompt,
  type Json,
  type Message,
  type OpenTurn,
  type Part,
  type Report,
  type ResultKeeper,
} from "@throughline/core";
import { convertItems } from "./convert/from-items.ts";
import { toItems } from "./convert/to-items.ts";

/** What a model call is given, brought under the model's budget. */
export type FitInput = (
  items: AgentInputItem[],
  /** What is sent beside the items. */
  beside: { system: string; tools: Json },
) => Promise<AgentInputItem[]>;

/**
 * Makes it for one run: large tool results become previews, and what has grown is compacted. Throws `CONTEXT_OVERFLOW`
 * where that isn't enough. The host's own copy of the run stays whole.
 */
export function createInputFitter(options: {
  turn: OpenTurn;
  results: ResultKeeper;
  signal: AbortSignal | undefined;
  report: Report;
}): FitInput {
  const { turn, results, signal, report } = options;
  const createdAt = turn.messages.at(-1)?.createdAt ?? "";
  const ids = new Map<string, string>();
  const known = (part: Part): Part => (part.type === "tool-result" ? (results.preview(part.callId) ?? part) : part);

  return async (items, beside) => {
    const groups = groupsOf(items, ids);
    const read = await results.offload(groups.map(({ parts, role }) => ({ role, parts: parts.map(known) })));
    const sources = new Map<Message, AgentInputItem[]>();
    const messages = groups.map(({ id, role, parts, items: own }, index): Message => {
      const shown = read[index]?.parts ?? parts;
      const message = { id, role, parts: [...shown], createdAt };
      if (shown.every((part, place) => part === parts[place])) sources.set(message, own);
      return message;
    });
    const fitted = await fitPrompt(turn, messages, { ...beside, signal, report });
    // What neither is too large nor has grown goes on as the host made it.
    return (fitted?.messages ?? messages).flatMap(
      (message) => sources.get(message) ?? toItems([message], { exact: true, onUnsupported: report }),
    );
  };
}

interface Group {
  id: string;
  role: Message["role"];
  parts: Part[];
  items: AgentInputItem[];
}

/** The items as messages. The same one in a later call has the same id, wherever it stands by then. */
function groupsOf(items: readonly AgentInputItem[], ids: Map<string, string>): Group[] {
  const taken = new Map<string, number>();
  let from = 0;
  // What can't be carried over was reported where the run is recorded; here it stays with what comes after it.
  const converted = convertItems(items, () => {});
  return converted.map(({ input: { role, parts }, through }, index) => {
    const own = items.slice(from, index === converted.length - 1 ? undefined : through + 1);
    from = through + 1;
    const content = JSON.stringify(own);
    const count = taken.get(content) ?? 0;
    taken.set(content, count + 1);
    const key = `${count} ${content}`;
    const id = ids.get(key) ?? `prompt.${ids.size}`;
    ids.set(key, id);
    return { id, role, parts, items: own };
  });
}
