import type { Fact, Message, Part, Turn } from "@throughline/core";
import { textOf } from "./print-hits.ts";
import { oneLine } from "./print-talk.ts";
import { dim, printable, say, wrapped } from "./terminal.ts";

/** Prints turns as they were recorded, tool calls in short. */
export function printTurns(turns: readonly Turn[]): void {
  for (const turn of turns) {
    const state = turn.status === "completed" ? "" : ` (${turn.status})`;
    say(dim(`  turn ${turn.seq}${state}  ${turn.startedAt.slice(0, 16).replace("T", " ")}`));
    for (const message of turn.messages) printMessage(message);
  }
}

function printMessage(message: Message): void {
  for (const part of message.parts) if (part.type === "tool-call") printCall(part);
  const text = textOf(message);
  if (text !== "") say(`    ${message.role.padEnd(10)} ${wrapped(printable(text), 15)}`);
}

const printCall = ({ tool, input }: Extract<Part, { type: "tool-call" }>): void =>
  say(dim(`    ${"".padEnd(10)} [${tool} ${oneLine(input)}]`));

/** Prints facts with who wrote them, whose word they are, and what was said. */
export function printFacts(facts: readonly Fact[]): void {
  if (facts.length === 0) say(dim("  none"));
  for (const fact of facts) {
    const name = fact.key ?? fact.topic ?? "(no key)";
    say(`  ${printable(name)}: ${oneLine(fact.value)}${fact.disputedWith ? " (disputed)" : ""}`);
    const quote = fact.source?.quote === undefined ? "" : `, who said "${printable(fact.source.quote)}"`;
    const where = fact.source === undefined ? "" : `, in ${printable(fact.source.conversation)}`;
    const why = `${fact.type}; written by the ${fact.author} on the word of the ${fact.origin}${quote}${where}`;
    say(dim(`      ${wrapped(why, 6)}`));
  }
}
