import { AGENTS, loadAgent } from "../agents/agent.ts";
import type { ModelAddress } from "../agents/choose-model.ts";
import { printCalls } from "../show/print-known.ts";
import { printAnswer } from "../show/print-talk.ts";
import type { ChatState } from "./commands.ts";
import { type Listener, talk } from "./talk.ts";

/** Has the chat's agent answer: the AI SDK's word by word, the others' whole. */
export async function answerBy(
  { agent, conversation }: ChatState,
  options: { model: ModelAddress; text: string; listener: Listener; signal: AbortSignal },
): Promise<void> {
  const { model, text, listener, signal } = options;
  if (agent === "ai-sdk") {
    await talk(conversation, options);
    return;
  }
  const ask = await loadAgent(agent);
  // A turn that is begun and not ended writes nothing. The agent's own begins like this one.
  const turn = await conversation.begin({ messages: [{ role: "user", content: text }], model: model.name });
  listener.onTurn?.(turn);
  const answer = await ask(conversation, text, { model, tools: {}, signal });
  const [recorded] = (await conversation.transcript({ limit: 1_000 })).turns.slice(-1);
  if (recorded !== undefined) printCalls(recorded);
  printAnswer(AGENTS[agent], answer);
}
