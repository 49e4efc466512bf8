import type { LanguageModelV4Prompt, LanguageModelV4ToolResultPart } from "@ai-sdk/provider";

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

/** What the model sees: all that its answer may be made of. */
export interface Seen {
  /** The newest words of the person. */
  text: string;
  /** Facts of the memory block in the system part. */
  facts: ShownFact[];
  /** Tool results since then, in their order. */
  answers: Answered[];
}

/** Takes a prompt apart. Pure. */
export function readPrompt(prompt: LanguageModelV4Prompt): Seen {
  const from = prompt.findLastIndex(({ role }) => role === "user");
  const spoken = prompt[from];
  const text =
    spoken?.role === "user"
      ? spoken.content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n")
      : "";
  const answers = prompt.slice(from + 1).flatMap((message) => {
    if (message.role !== "tool") return [];
    return message.content.flatMap((part) =>
      part.type === "tool-result" ? [{ tool: part.toolName, output: outputText(part) }] : [],
    );
  });
  return { text, facts: shownFacts(memoryBlockOf(prompt)), answers };
}

/** The memory block of a prompt's system part; empty where the memory put nothing there. */
export function memoryBlockOf(prompt: LanguageModelV4Prompt): string {
  const system = prompt.flatMap((message) => (message.role === "system" ? [message.content] : [])).join("\n");
  return /<memory>[\s\S]*<\/memory>/.exec(system)?.[0] ?? "";
}

function outputText({ output }: LanguageModelV4ToolResultPart): string {
  switch (output.type) {
    case "text":
    case "error-text":
      return output.value;
    case "json":
    case "error-json":
      return typeof output.value === "string" ? output.value : JSON.stringify(output.value);
    case "content":
      return output.value.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
    case "execution-denied":
      return output.reason ?? "The tool was not allowed to run.";
  }
}

/** Lines such as `- diet: vegetarian (preference, noted by the assistant)`. */
function shownFacts(block: string): ShownFact[] {
  return [...block.matchAll(/^- (?:([^:\n]+): )?(.*)$/gm)].map(([, name = "", shown = ""]) => ({
    name,
    value: unescaped(shown.replace(/ \((?:preference|relationship|instruction|noted by|disputed)[^()]*\)$/, "")),
  }));
}

const unescaped = (text: string): string =>
  text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");
