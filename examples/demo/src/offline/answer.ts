import { type Seen, unescaped } from "./read-request.ts";
import { type Intent, type Told, understand } from "./understand.ts";

/** What the assistant does next: calls of tools, or its answer. */
export type Step = { calls: { tool: string; input: Record<string, unknown> }[] } | { say: string };

/**
 * The next step, from nothing but what is in the prompt: the person's words, the memory block, and what the tools
 * answered. Nothing is known here that isn't there. Pure.
 */
export function answer(seen: Seen): Step {
  const intent = understand(seen.text);
  switch (intent.kind) {
    case "tell":
      return tell(intent.told, seen);
    case "forget":
      return forget(intent, seen);
    case "ask-one":
      return askOne(intent.key, seen);
    case "ask-all":
      return askAll(seen);
    case "dinner":
      return { say: dinner(seen) };
    case "ask-past":
      return askPast(intent.query, seen);
    case "chat":
      return { say: greeting(seen) ?? "All right." };
  }
}

const call = (tool: string, input: Record<string, unknown>): Step => ({ calls: [{ tool, input }] });

const answerOf = (seen: Seen, tool: string): string | undefined =>
  seen.answers.find((answered) => answered.tool === tool)?.output;

/** What a tool of the memory answers with: an entry a line, escaped. */
const entriesOf = (output: string): string[] =>
  [...output.matchAll(/^- (.*)$/gm)].map(([, entry = ""]) => unescaped(entry).replaceAll(" ⏎ ", "\n"));

const label = (key: string): string => key.replaceAll("_", " ");

function tell(told: readonly Told[], seen: Seen): Step {
  const name = told.find(({ key }) => key === "name")?.value;
  // Without the tool it is the memory that notes what is told, or nobody.
  if (!seen.tools.has("memory_remember")) {
    return { say: name === undefined ? "Good to know." : `Nice to meet you, ${name}.` };
  }
  if (seen.answers.length === 0) {
    return { calls: told.map(({ ...input }) => ({ tool: "memory_remember", input })) };
  }
  const refused = seen.answers.find(({ output }) => !/^(Remembered|This was remembered)/.test(output));
  if (refused) return { say: `I could not remember that. ${refused.output}` };
  const rest = told.filter(({ key }) => key !== "name").map(describe);
  const noted = rest.length > 0 ? `I'll remember ${listed(rest)}.` : "I'll remember that.";
  return { say: name === undefined ? noted : `Nice to meet you, ${name}. ${noted}` };
}

const describe = ({ key, topic, value }: Told): string =>
  key !== undefined
    ? `your ${label(key)}: ${value}`
    : topic === "asked to remember"
      ? value
      : `your ${topic}: ${value}`;

const listed = (items: readonly string[]): string =>
  items.length < 2 ? items.join("") : `${items.slice(0, -1).join(", ")} and ${items.at(-1)}`;

function forget({ key }: Extract<Intent, { kind: "forget" }>, seen: Seen): Step {
  const output = answerOf(seen, "memory_forget");
  if (!seen.tools.has("memory_forget")) return { say: "I can't forget anything: nobody gave me the tool for it." };
  if (output === undefined) return call("memory_forget", { key });
  return { say: output.startsWith("Forgotten") ? `I have forgotten your ${label(key)}.` : output };
}

function askOne(key: string, seen: Seen): Step {
  const shown = seen.facts.filter(({ name }) => name === key || name === label(key)).map(({ value }) => value);
  if (shown.length > 0)
    return { say: key === "home" ? `You live in ${shown[0]}.` : `Your ${label(key)}: ${listed(shown)}.` };
  const recalled = answerOf(seen, "memory_recall");
  if (recalled === undefined && seen.tools.has("memory_recall")) return call("memory_recall", { key });
  if (recalled !== undefined && !/^Nothing is remembered|^The memory is not|^Not done/.test(recalled)) {
    return { say: `Your ${label(key)}: ${listed(entriesOf(recalled).map((entry) => entry.replace(/^[^:]*: /, "")))}.` };
  }
  return askPast(label(key), seen, `your ${label(key)}`);
}

function askAll(seen: Seen): Step {
  const recalled = answerOf(seen, "memory_recall");
  if (recalled === undefined && seen.tools.has("memory_recall")) return call("memory_recall", { n: 20 });
  const lines =
    recalled === undefined
      ? seen.facts.map(({ name, value }) => `- ${name === "" ? value : `${name}: ${value}`}`)
      : entriesOf(recalled).map((entry) => `- ${entry.replace(/ \[id [^\]]*\]$/, "")}`);
  if (lines.length === 0) return { say: "I don't know anything about you yet." };
  return { say: `This is what I remember about you:\n${lines.join("\n")}` };
}

function askPast(query: string, seen: Seen, about = "that"): Step {
  const found = answerOf(seen, "memory_search");
  if (found === undefined && seen.tools.has("memory_search")) return call("memory_search", { query });
  for (const entry of entriesOf(found ?? "")) {
    const [, day, words] = /^(\d{4}-\d\d-\d\d)\S* user: (.*)$/s.exec(entry) ?? [];
    if (day && words) return { say: `On ${day} you told me: "${words.trim()}"` };
  }
  return { say: `I don't know ${about}: my memory holds nothing about it.` };
}

function greeting({ text, facts }: Seen): string | undefined {
  if (!/^(hi|hello|hey|good (morning|evening))\b/i.test(text)) return undefined;
  const name = facts.find((fact) => fact.name === "name")?.value;
  return name === undefined ? "Hello. I don't know your name yet." : `Hello again, ${name}.`;
}

const DISHES: Record<string, string> = {
  vegetarian: "a risotto",
  vegan: "a coconut curry",
  pescatarian: "baked sea bass",
};

/** Answers from the memory block alone: no tool is needed for what is in the prompt already. */
function dinner({ facts }: Seen): string {
  const diet = facts.find(({ name }) => name === "diet")?.value;
  if (diet === undefined) return "I don't know what you eat: nothing about it is in my prompt. Tell me?";
  const name = facts.find((fact) => fact.name === "name")?.value;
  const likes = facts.filter((fact) => fact.name === "likes").map(({ value }) => value);
  const because = `you are ${diet}${likes.length > 0 ? ` and like ${listed(likes)}` : ""}`;
  const extra = likes.length > 0 ? ` with ${likes[0]}` : "";
  const dish = DISHES[diet] ?? "a big pot of soup";
  return `${name === undefined ? "As" : `${name}, as`} ${because}: how about ${dish}${extra}?`;
}
