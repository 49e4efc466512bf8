import type { Listener } from "../agent/talk.ts";
import { bold, cyan, dim, green, indented, printable, say } from "./terminal.ts";

const NAME_WIDTH = 12;

const named = (name: string, style: (text: string) => string): string => bold(style(name.padEnd(NAME_WIDTH)));

/** What the person says. */
export const printSaid = (name: string, text: string): void => say(`\n${named(name, cyan)}${printable(text)}`);

/** A tool's input or output on one line. */
export function oneLine(value: unknown): string {
  const text = typeof value === "string" ? value : value instanceof Error ? value.message : JSON.stringify(value);
  const flat = printable(text ?? "").replaceAll(/\s*\n\s*/g, " ⏎ ");
  return flat.length > 160 ? `${flat.slice(0, 160).toWellFormed()} […]` : flat;
}

/** Prints what the agent does as it does it. Of a memory block that was printed before, only new lines are. */
export function printingListener(): Listener & { end(): void } {
  let shown: string | undefined;
  let isInText = false;
  const note = (text: string): void => {
    endText();
    say(dim(indented(text, NAME_WIDTH)));
  };
  const endText = (): void => {
    if (isInText) say();
    isInText = false;
  };
  return {
    onMemory(block, storedMessages) {
      const history = storedMessages > 0 ? [`${storedMessages} earlier messages`] : [];
      const added = [...history, ...describeBlock(block, shown)];
      note(`memory adds to the prompt: ${added.length > 0 ? added.join(", ") : "nothing yet"}`);
      shown = block;
    },
    onProblem: (problem) => note(`memory: ${printable(problem)}`),
    onCall: (tool, input) => note(`calls ${tool} ${oneLine(input)}`),
    onResult: (_tool, output) => note(`  → ${oneLine(output)}`),
    onText(delta) {
      if (!isInText) process.stdout.write(named("Assistant", green));
      isInText = true;
      process.stdout.write(printable(delta).replaceAll("\n", `\n${" ".repeat(NAME_WIDTH)}`));
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
