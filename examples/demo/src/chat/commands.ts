import type { Conversation, Memory, OpenTurn } from "@throughline/core";
import { AGENTS, type AgentId, isAgentId } from "../agents/agent.ts";
import { allTurns, printExplanation } from "../show/print-explanation.ts";
import { printHits } from "../show/print-hits.ts";
import { printFacts, printTurns } from "../show/print-memory.ts";
import { dim, indented, printable, say } from "../show/terminal.ts";

/** What a command works on. */
export interface ChatState {
  memory: Memory;
  subject: string;
  /** Who answers. */
  agent: AgentId;
  /** The conversation under way. */
  conversation: Conversation;
  /** The newest turn, as the memory opened it. */
  lastTurn: OpenTurn | null;
  startConversation(): Conversation;
}

export const COMMANDS = `  /agent NAME     who answers: langgraph, ai-sdk, openai-agents or mastra
  /history        what was said in this conversation
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
    case "agent":
      if (isAgentId(rest)) state.agent = rest;
      else say(`  One of ${Object.keys(AGENTS).join(", ")}, please.`);
      say(dim(`  ${AGENTS[state.agent]} answers.`));
      return true;
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

async function forget({ conversation }: ChatState, key: string): Promise<void> {
  if (key === "") return say("  Which fact? /forget KEY, with a key that /facts shows.");
  const receipt = await conversation.forget(key);
  say(receipt.forgotten > 0 ? `  Forgotten: ${printable(key)}` : `  Nothing was forgotten: ${receipt.reason ?? ""}`);
}

/** What the memory put into the newest prompt, and what it left out. */
async function why({ conversation, lastTurn }: ChatState): Promise<void> {
  if (lastTurn === null) return say("  Say something first; then the prompt can be explained.");
  await printExplanation(conversation, lastTurn);
  if (lastTurn.system !== "") say(dim(indented(printable(lastTurn.system), 2)));
}
