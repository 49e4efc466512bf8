import type { Fact, OpenTurn, Part, Turn } from "@throughline/core";
import { oneLine, printNote } from "./print-talk.ts";
import { count } from "./terminal.ts";

/**
 * Prints what the memory put into a turn's prompt: a line in all, and with `facts` each of them with where it comes from
 * and why it is there, as `explain()` says.
 */
export function printKnown(
  turn: OpenTurn,
  options: { facts?: readonly Fact[]; nameOf: (conversation: string) => string },
): void {
  const { budget, items } = turn.explain();
  const included = items.filter((item) => item.included);
  const facts = included.filter(({ kind }) => kind === "fact");
  const earlier = included.filter(({ kind }) => kind === "history").length;
  if (included.length === 0) {
    printNote("memory adds nothing to the prompt: it has nothing yet");
    return;
  }
  const held = [
    ...(facts.length > 0 ? [count(facts.length, "fact")] : []),
    ...(earlier > 0 ? [`${count(earlier, "turn")} of this chat`] : []),
  ];
  const isLong = options.facts !== undefined && facts.length > 0;
  printNote(
    `memory adds ${held.join(", ")} to the prompt (${budget.used} of ${budget.total} tokens)${isLong ? ":" : ""}`,
  );
  for (const { id, reason } of isLong ? facts : []) {
    const fact = options.facts?.find((candidate) => candidate.id === id);
    if (fact === undefined) continue;
    const { source, value, key, topic = "" } = fact;
    const told = source === undefined ? "" : `told to ${options.nameOf(source.conversation)}`;
    const what = oneLine(`${key ?? topic}: ${typeof value === "string" ? value : JSON.stringify(value)}`, 27);
    printNote(`  ${what.padEnd(28)}  ${told.padEnd(24)}  ${reason}`);
  }
}

/** Prints the tools that an agent called in a turn, as the memory recorded it; gives what they answered. */
export function printCalls({ messages }: Turn): string[] {
  const parts = messages.flatMap((message) => message.parts);
  const results = parts.filter((part) => part.type === "tool-result");
  for (const call of parts.filter((part) => part.type === "tool-call")) {
    printNote(`calls ${call.tool} ${oneLine(call.input, 60)}`);
    const answered = results.find(({ callId }) => callId === call.callId);
    if (answered !== undefined) printNote(`→ ${oneLine(outputText(answered), 160)}`, 2);
  }
  return results.map(outputText);
}

function outputText({ output }: Extract<Part, { type: "tool-result" }>): string {
  if (!Array.isArray(output)) return typeof output === "string" ? output : JSON.stringify(output);
  return output
    .flatMap((part) => (typeof part === "object" && part !== null && "text" in part ? [String(part.text)] : []))
    .join("\n");
}
