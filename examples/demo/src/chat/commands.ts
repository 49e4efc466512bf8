import type { Conversation, Memory, OpenTurn, Turn } from "@throughline/core";
import { printHits, textOf } from "../show/print-hits.ts";
import { printFacts, printTurns } from "../show/print-memory.ts";
import { oneLine } from "../show/print-talk.ts";
import { dim, indented, printable, say } from "../show/terminal.ts";

/** What a command works on. */
export interface ChatState {
  memory: Memory;
  subject: string;
  /** The conversation under way. */
  conversation: Conversation;
  /** The newest turn, as the memory opened it. */
  lastTurn: OpenTurn | null;
  startConversation(): Conversation;
}

export const COMMANDS = `  /history        what was said in this conversation
  /facts          what is remembered about you
  /search WORDS   search all your conversations
  /forget KEY     forget a fact
  /why            what the memory put into the last prompt, and why
  /new            begin a new conversation
  /quit           leave (so do Ctrl-D and Ctrl-C)`;

/** Runs one `/command`; false where the chat is to end. */
export async function runCommand(state: ChatState, line: string): Promise<boolean> {
  const [, name = "", rest = ""] = /^\/(\S*)\s*([\s\S]*)$/.exec(line) ?? [];
  switch (name) {
    case "quit":
    case "exit":
      return false;
    case "history":
      printTurns(await allTurns(state.conversation));
      return true;
    case "facts":
      printFacts(await state.memory.subject(state.subject).facts());
      return true;
    case "search":
      if (rest === "") say("  Words to search for: /search WORDS");
      else printHits(rest, await state.conversation.search(rest, { k: 5 }));
      return true;
    case "forget":
      await forget(state, rest);
      return true;
    case "why":
      await why(state);
      return true;
    case "new":
      state.conversation = state.startConversation();
      state.lastTurn = null;
      say(dim(`  A new conversation: ${state.conversation.id}`));
      return true;
    default:
      if (name !== "help") say(`  There is no command /${printable(name)}.`);
      say(COMMANDS);
      return true;
  }
}

async function allTurns(conversation: Conversation): Promise<Turn[]> {
  const turns: Turn[] = [];
  for (let cursor: string | undefined; ; ) {
    const page = await conversation.transcript(cursor === undefined ? {} : { cursor });
    turns.push(...page.turns);
    cursor = page.cursor;
    if (cursor === undefined) return turns;
  }
}

async function forget({ conversation }: ChatState, key: string): Promise<void> {
  if (key === "") return say("  Which fact? /forget KEY, with a key that /facts shows.");
  const receipt = await conversation.forget(key);
  say(receipt.forgotten > 0 ? `  Forgotten: ${printable(key)}` : `  Nothing was forgotten: ${receipt.reason ?? ""}`);
}

/** What the memory put into the newest prompt, and what it left out. */
async function why({ conversation, lastTurn }: ChatState): Promise<void> {
  if (lastTurn === null) return say("  Say something first; then the prompt can be explained.");
  const { facts } = await conversation.recall({ n: 1_000 });
  const turns = await allTurns(conversation);
  const names = new Map([
    ...facts.map((fact) => [fact.id, fact.key ?? fact.topic ?? JSON.stringify(fact.value)] as const),
    ...turns.map(({ id, messages }) => [id, messages[0] ? textOf(messages[0]) : id] as const),
  ]);
  const { budget, items } = lastTurn.explain();
  say(dim(`  Memory and history took ${budget.used} of ${budget.total} tokens.`));
  for (const { kind, id, included, reason, tokens } of items) {
    const name = oneLine(names.get(id) ?? id).slice(0, 40);
    say(`  ${included ? "in " : "out"} ${kind.padEnd(13)} ${name.padEnd(40)} ${String(tokens).padStart(5)}  ${reason}`);
  }
  if (items.length === 0) say("  Nothing of the memory was in the prompt.");
  if (lastTurn.system !== "") say(dim(indented(printable(lastTurn.system), 2)));
}
