import type { Conversation, OpenTurn, Turn } from "@throughline/core";
import { textOf } from "./print-hits.ts";
import { oneLine } from "./print-talk.ts";
import { dim, say } from "./terminal.ts";

/** Prints what the memory put into a turn's prompt and what it left out, item by item, with the reason. */
export async function printExplanation(conversation: Conversation, turn: OpenTurn): Promise<void> {
  const { facts } = await conversation.recall({ n: 1_000 });
  const turns = await allTurns(conversation);
  const names = new Map([
    ...facts.map((fact) => [fact.id, fact.key ?? fact.topic ?? JSON.stringify(fact.value)] as const),
    ...turns.map(({ id, messages }) => [id, messages[0] ? textOf(messages[0]) : id] as const),
  ]);
  const { budget, items } = turn.explain();
  say(dim(`  Memory and history took ${budget.used} of ${budget.total} tokens.`));
  for (const { kind, id, included, reason, tokens } of items) {
    const unknown = kind === "recalled-turn" ? "said in another conversation" : id;
    const name = oneLine(names.get(id) ?? unknown).slice(0, 40);
    say(`  ${included ? "in " : "out"} ${kind.padEnd(13)} ${name.padEnd(40)} ${String(tokens).padStart(5)}  ${reason}`);
  }
  if (items.length === 0) say("  Nothing of the memory was in the prompt.");
}

/** All turns of a conversation, oldest first. */
export async function allTurns(conversation: Conversation): Promise<Turn[]> {
  const turns: Turn[] = [];
  for (let cursor: string | undefined; ; ) {
    const page = await conversation.transcript(cursor === undefined ? {} : { cursor });
    turns.push(...page.turns);
    cursor = page.cursor;
    if (cursor === undefined) return turns;
  }
}
