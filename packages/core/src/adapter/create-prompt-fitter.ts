import type { OpenTurn } from "../contract/conversation.ts";
import type { Json } from "../contract/json.ts";
import type { Message, Part } from "../contract/message.ts";
import type { Report } from "./create-report.ts";
import type { ResultKeeper } from "./create-result-keeper.ts";
import { fitPrompt } from "./fit-prompt.ts";

/** Some of a host's items, and the one message that they are in the neutral form. */
export interface PromptGroup<HostItem> {
  role: Message["role"];
  parts: Part[];
  items: readonly HostItem[];
}

/** What a model call is given, brought under the model's budget. `beside` is what is sent with it. */
export type PromptFitter<HostItem> = (
  items: readonly HostItem[],
  beside: { system: string; tools?: Json | undefined },
) => Promise<HostItem[]>;

/**
 * For adapters of hosts whose items have no ids: before each call of one run large tool results become previews, and what
 * has grown is compacted. Items that stay as they are are the host's own objects. The fitter throws `CONTEXT_OVERFLOW`
 * where the prompt can't be brought under the budget.
 */
export function createPromptFitter<HostItem>(options: {
  turn: OpenTurn;
  results: ResultKeeper;
  report: Report;
  signal?: AbortSignal | undefined;
  /** The items as messages, all of them in their order. */
  read(items: readonly HostItem[]): PromptGroup<HostItem>[];
  write(message: Message): HostItem[];
}): PromptFitter<HostItem> {
  const { turn, results, report, signal, read, write } = options;
  const createdAt = turn.messages.at(-1)?.createdAt ?? "";
  const idOf = stableIds();
  const known = (part: Part): Part => (part.type === "tool-result" ? (results.preview(part.callId) ?? part) : part);

  return async (items, beside) => {
    const groups = read(items);
    const shown = await results.offload(groups.map(({ role, parts }) => ({ role, parts: parts.map(known) })));
    const ids = idOf(groups.map((group) => group.items));
    const sources = new Map<Message, readonly HostItem[]>();
    const messages = groups.map(({ role, parts, items: own }, index): Message => {
      const now = shown[index]?.parts ?? parts;
      const message = { id: ids[index] ?? "", role, parts: [...now], createdAt };
      if (now.every((part, place) => part === parts[place])) sources.set(message, own);
      return message;
    });
    const fitted = await fitPrompt(turn, messages, { ...beside, signal, report });
    return (fitted?.messages ?? messages).flatMap((message) => sources.get(message) ?? write(message));
  };
}

/** Names things by what they hold: the same one in a later call has the same id, wherever it stands by then. */
function stableIds(): (things: readonly unknown[]) => string[] {
  const ids = new Map<string, string>();
  return (things) => {
    const seen = new Map<string, number>();
    return things.map((thing) => {
      const content = JSON.stringify(thing);
      const count = seen.get(content) ?? 0;
      seen.set(content, count + 1);
      const key = `${count} ${content}`;
      const id = ids.get(key) ?? `prompt.${ids.size}`;
      ids.set(key, id);
      return id;
    });
  };
}
