import type { OpenTurn } from "@throughline/core";
import { AGENTS } from "../agents/agent.ts";
import type { Listener } from "../chat/talk.ts";
import { bold, cyan, dim, green, indented, printable, say, wrapped } from "./terminal.ts";

/** Where what is said begins; names stand to the left of it. */
export const TALK_INDENT = 15;

const named = (name: string, style: (text: string) => string): string => bold(style(name.padEnd(TALK_INDENT)));

const MAX_LINE = 84;

/** What the person says. */
export const printSaid = (name: string, text: string): void =>
  say(`\n${named(name, cyan)}${wrapped(printable(text), TALK_INDENT)}`);

/** What an agent answers. */
export const printAnswer = (name: string, text: string): void =>
  say(`${named(name, green)}${wrapped(printable(text), TALK_INDENT)}`);

/** What happens besides, in small print; `inside` moves it to the right. */
export function printNote(text: string, inside = 0): void {
  const spaces = TALK_INDENT + inside;
  say(dim(`${" ".repeat(spaces)}${wrapped(text, spaces)}`));
}

/** A tool's input or output on one line. */
export function oneLine(value: unknown, maxChars = MAX_LINE): string {
  const text = typeof value === "string" ? value : value instanceof Error ? value.message : JSON.stringify(value);
  const flat = printable(text ?? "").replaceAll(/\s*\n\s*/g, " ⏎ ");
  return flat.length > maxChars ? `${flat.slice(0, maxChars).toWellFormed()} […]` : flat;
}

/** Prints what the agent does as it does it. Of a memory block that was printed before, only new lines are. */
export function printingListener(): Listener & { end(): void } {
  let shown: string | undefined;
  let isInText = false;
  const note = (text: string): void => {
    endText();
    for (const line of text.split("\n")) {
      const inside = /^ */.exec(line)?.[0].length ?? 0;
      printNote(line.trimStart(), inside);
    }
  };
  const endText = (): void => {
    if (isInText) say();
    isInText = false;
  };
  return {
    onTurn({ system, messages, fresh }: OpenTurn) {
      const stored = messages.length - fresh.length;
      const history = stored > 0 ? [`${stored} earlier messages`] : [];
      const added = [...history, ...describeBlock(system, shown)];
      note(`memory adds to the prompt: ${added.length > 0 ? added.join(", ") : "nothing yet"}`);
      shown = system;
    },
    onProblem: (problem) => note(`memory: ${printable(problem)}`),
    onCall: (tool, input) => note(`calls ${tool} ${oneLine(input)}`),
    onResult: (_tool, output) => note(`  → ${oneLine(output)}`),
    onText(delta) {
      if (!isInText) process.stdout.write(named(AGENTS["ai-sdk"], green));
      isInText = true;
      process.stdout.write(printable(delta).replaceAll("\n", `\n${" ".repeat(TALK_INDENT)}`));
    },
    end: endText,
  };
}

function describeBlock(block: string, shown: string | undefined): string[] {
  if (block === "") return [];
  if (block === shown) return ["the same facts"];
  if (!shown) return [`what it knows\n${indented(printable(block), 2)}`];
  const before = new Set(shown.split("\n"));
  const added = block.split("\n").filter((line) => !before.has(line));
  if (added.length === 0) return ["fewer facts"];
  return ["the same facts", `and new\n${indented(printable(added.join("\n")), 2)}`];
}
