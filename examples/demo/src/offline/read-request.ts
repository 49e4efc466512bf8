import { z } from "zod";

const call = z.object({ id: z.string(), function: z.object({ name: z.string(), arguments: z.string() }) });
const content = z.union([z.string(), z.array(z.looseObject({ type: z.string(), text: z.string().optional() }))]);
const message = z.object({
  role: z.string(),
  content: content.nullish(),
  tool_calls: z.array(call).nullish(),
  tool_call_id: z.string().optional(),
});

/** What the assistant reads of a request to `/chat/completions`. */
export const chatRequest = z.object({
  model: z.string(),
  stream: z.boolean().nullish(),
  messages: z.array(message).min(1),
  tools: z.array(z.object({ function: z.object({ name: z.string() }) })).nullish(),
});

type ChatMessage = z.output<typeof message>;

/** What a tool answered since the person spoke. */
export interface Answered {
  tool: string;
  output: string;
}

/** One fact of the memory block, as a model reads it. */
export interface ShownFact {
  name: string;
  value: string;
}

/** What the assistant sees: all that its answer may be made of. */
export interface Seen {
  /** The newest words of the person. */
  text: string;
  /** Facts of the memory block in the system part. */
  facts: ShownFact[];
  /** Tool results since then, in their order. */
  answers: Answered[];
  /** Names of the tools that may be called. */
  tools: ReadonlySet<string>;
}

/** Takes a request apart. Pure. */
export function readRequest({ messages, tools }: Pick<z.output<typeof chatRequest>, "messages" | "tools">): Seen {
  const from = messages.findLastIndex(({ role }) => role === "user");
  const names = new Map(
    messages.flatMap((said) => (said.tool_calls ?? []).map(({ id, function: { name } }) => [id, name])),
  );
  const answers = messages
    .slice(from + 1)
    .flatMap((said) =>
      said.role === "tool" ? [{ tool: names.get(said.tool_call_id ?? "") ?? "", output: textOf(said) }] : [],
    );
  const system = messages.filter(({ role }) => role === "system" || role === "developer").map(textOf);
  return {
    text: messages[from] === undefined ? "" : textOf(messages[from]),
    facts: shownFacts(/<memory>[\s\S]*<\/memory>/.exec(system.join("\n"))?.[0] ?? ""),
    answers,
    tools: new Set(tools?.map((tool) => tool.function.name)),
  };
}

const textOf = ({ content: said }: ChatMessage): string =>
  typeof said === "string" ? said : (said ?? []).map(({ text = "" }) => text).join("\n");

/** Lines such as `- diet: vegetarian (preference, noted by the assistant)`. */
function shownFacts(block: string): ShownFact[] {
  return [...block.matchAll(/^- (?:([^:\n]+): )?(.*)$/gm)].map(([, name = "", shown = ""]) => ({
    name,
    value: unescaped(shown.replace(/ \((?:preference|relationship|instruction|noted by|disputed)[^()]*\)$/, "")),
  }));
}

/** A stored text as it was before the memory escaped it for a prompt. */
export const unescaped = (text: string): string =>
  text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");
