import { BaseCallbackHandler } from "@langchain/core/callbacks/base";
import { BaseMessage, type BaseMessageLike, coerceMessageLikeToMessage, ToolMessage } from "@langchain/core/messages";
import type { MemoryRun } from "./memory-run.ts";

/** What marks a handler that LangGraph tells of interrupts. */
const GRAPH_HANDLER = Symbol.for("langgraph.graph_callback_handler");

const isMessage = (value: unknown): value is BaseMessage => BaseMessage.isInstance(value);

/** The messages of a graph's output. */
function messagesOf(output: unknown): BaseMessage[] {
  const { messages } = { ...(output as { messages?: unknown } | null) };
  return Array.isArray(messages) ? messages.filter(isMessage) : [];
}

/** The messages that a graph was started with, in any form that it takes. */
function inputMessages(input: unknown): BaseMessage[] {
  // The graph takes no other messages, and tells the app where it got some.
  const { messages = [] } = { ...(input as { messages?: BaseMessageLike | BaseMessageLike[] } | null) };
  const all = (Array.isArray(messages) ? messages : [messages]) as BaseMessageLike[];
  try {
    return all.map((message) => coerceMessageLikeToMessage(message));
  } catch {
    return [];
  }
}

/** Hears the words of each answer, from its first one on. */
function hearing(run: MemoryRun, isHeard: () => boolean) {
  let words = "";
  return {
    name: "throughline",
    // Without it what happens would be told in the background, after the app has its answer.
    awaitHandlers: true,
    handleChatModelStart() {
      words = "";
    },
    handleLLMNewToken(text: string) {
      words += text;
      if (isHeard()) run.heardWords(words);
    },
  };
}

/** Tells a run of every end that its graph can have. For one invocation. */
export function runCallbacks(run: MemoryRun): BaseCallbackHandler {
  let root: string | undefined;
  let said: BaseMessage[] = [];
  let isInterrupted = false;
  return BaseCallbackHandler.fromMethods({
    // An agent's own model is told from others that its tools may call.
    ...hearing(run, () => !run.isAgent),
    handleChainStart(_chain, input: unknown, runId) {
      if (root !== undefined) return;
      root = runId;
      said = inputMessages(input);
    },
    handleToolEnd(output: unknown) {
      if (ToolMessage.isInstance(output)) run.heardResult(output);
    },
    async handleChainEnd(output: unknown, runId, parentRunId) {
      if (runId === root) await run.stopped(messagesOf(output), isInterrupted);
      // A node of the graph itself, and not of one inside it.
      else if (parentRunId === root) await run.added(messagesOf(output));
    },
    async handleChainError(error: unknown, runId) {
      if (runId !== root) return;
      // Where no node of the memory came to its turn, there is at least what the person said.
      if (!run.isOpen) await run.see(said);
      await run.broke(error);
    },
    // LangGraph's own events, beside those of LangChain.
    ...{
      [GRAPH_HANDLER]: true,
      handleInterrupt(event: { runId?: string }) {
        isInterrupted ||= event.runId === root;
      },
    },
  });
}

/** Lets a run hear the words of a streamed answer, so that a part of it can be kept. Where nobody streams there are none. */
export function hearTokens(callbacks: unknown, run: MemoryRun): void {
  run.isAgent = true;
  const manager = callbacks as { addHandler?(handler: BaseCallbackHandler, inherit: boolean): void } | undefined;
  manager?.addHandler?.(BaseCallbackHandler.fromMethods(hearing(run, () => true)), true);
}
