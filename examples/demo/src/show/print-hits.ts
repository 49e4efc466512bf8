import type { Message, SearchResult } from "@throughline/core";
import { bold, count, dim, indented, printable, say, wrapped } from "./terminal.ts";

const MAX_SHOWN = 300;

/** What was said in a message, as one text. */
export const textOf = (message: Message): string =>
  message.parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");

/** Prints what a search found: score, time, role, whom with, and the words. */
export function printHits(words: string, { hits, reason }: SearchResult, options: { ms?: number } = {}): void {
  const took = options.ms === undefined ? "" : ` in ${options.ms.toFixed(1)} ms`;
  const found = hits.length === 0 ? "nothing" : count(hits.length, "hit");
  say(`\n${bold(`Search "${printable(words)}"`)}: ${found}${took}`);
  if (hits.length === 0 && reason) say(indented(reason, 2));
  for (const { message, conversation, subject, score } of hits) {
    const time = message.createdAt.slice(0, 16).replace("T", " ");
    const who = subject === undefined ? "" : ` with ${subject}`;
    say(
      dim(
        `  ${score.toFixed(2).padStart(6)}  ${time}  ${message.role}${printable(who)}  in ${printable(conversation)}`,
      ),
    );
    say(`${" ".repeat(10)}${wrapped(shortened(printable(textOf(message))), 10)}`);
  }
}

const shortened = (text: string): string =>
  text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN).toWellFormed()} […]` : text;
