import { BaseCallbackHandler } from "@langchain/core/callbacks/base";
import { type BaseMessage, ToolMessage } from "@langchain/core/messages";
import { actionRequests, readDecisions } from "./convert/approvals.ts";
import { stateMessages } from "./convert/run-messages.ts";
import type { MemoryRun } from "./memory-run.ts";

/** What marks a handler that LangGraph tells of interrupts. */
const GRAPH_HANDLER = Symbol.for("langgraph.graph_callback_handler");

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
      said = stateMessages(input);
      run.decisions = readDecisions(input);
    },
    handleToolEnd(output: unknown) {
      if (ToolMessage.isInstance(output)) run.heardResult(output);
    },
    async handleChainEnd(output: unknown, runId, parentRunId) {
      if (runId === root) await run.stopped(stateMessages(output), isInterrupted);
      // A node of the graph itself, and not of one inside it.
      else if (parentRunId === root) await run.added(stateMessages(output));
    },
    async handleChainError(error: unknown, runId) {
      if (runId === root) await run.broke(error, undefined, said);
    },
    // LangGraph's own events, beside those of LangChain.
    ...{
      [GRAPH_HANDLER]: true,
      handleInterrupt(event: { runId?: string; interrupts?: unknown }) {
        if (event.runId !== root) return;
        isInterrupted = true;
        run.asked = actionRequests(event.interrupts);
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
