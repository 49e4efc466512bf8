import type { Agent, RunContext } from "@openai/agents";
import { conversationOf, createReport, type MemoryError, type MemorySource, type Scope } from "@throughline/core";

/** Instructions as the host takes them: a text, or a function that is asked before each model call. */
export type Instructions<Context> =
  | string
  // biome-ignore lint/suspicious/noExplicitAny: an agent of any output, as the host's own type says
  | ((runContext: RunContext<Context>, agent: Agent<Context, any>) => string | Promise<string>);

/** Marks the context of a run that `runWithMemory` gives the memory to, so that nobody gives it twice. */
const RUN = Symbol.for("throughline.openai-agents.run");

/** Names the turn that a context's last run was recorded as: a state that is gone on with in this process knows it so. */
const TURN = Symbol.for("throughline.openai-agents.turn");

/** Marks a context until the function it gives back is called. */
export function markRun(runContext: RunContext<unknown>, turn: string): () => void {
  Object.defineProperty(runContext, RUN, { value: true, configurable: true });
  Object.defineProperty(runContext, TURN, { value: turn, configurable: true });
  return () => {
    Reflect.deleteProperty(runContext, RUN);
  };
}

/** The turn of a context's last run; `undefined` where it went through JSON. */
export const turnOf = (runContext: object): string | undefined => (runContext as { [TURN]?: string })[TURN];

/**
 * Instructions that end in what the memory knows: the facts of the person and the conversation, and the summary of what
 * was said before. Read once a run. Where the memory can't be read they are the app's own.
 */
export function withMemoryInstructions<Context>(
  memory: MemorySource,
  instructions: Instructions<Context>,
  options: { scope?: Scope<Context>; onError?(error: MemoryError): void } = {},
  // biome-ignore lint/suspicious/noExplicitAny: as above
): (runContext: RunContext<Context>, agent: Agent<Context, any>) => Promise<string> {
  const report = createReport(options.onError);
  const blocks = new WeakMap<RunContext<Context>, Promise<string>>();
  return async (runContext, agent) => {
    const ask = () => (typeof instructions === "string" ? instructions : instructions(runContext, agent));
    if (RUN in runContext) return ask();
    // A missing scope is the app's mistake, and told at once.
    const conversation = conversationOf(memory, options.scope, runContext.context);
    const own = ask();
    let block = blocks.get(runContext);
    if (block === undefined) {
      block = conversation.systemContext().catch((error: unknown) => {
        report(error);
        return "";
      });
      blocks.set(runContext, block);
    }
    return joinInstructions(await own, await block);
  };
}

/** The app's own instructions with a block behind them. */
export const joinInstructions = (own: string | undefined, block: string): string =>
  [own, block].filter(Boolean).join("\n\n");
