import type { MessageList } from "@mastra/core/agent/message-list";
import type { Processor, ProcessorMessageContext } from "@mastra/core/processors";
import type { RequestContext } from "@mastra/core/request-context";
import { type Conversation, createReport, type MessageInput, messageText, type Report } from "@throughline/core";
import { convertEach } from "./convert/run-rows.ts";
import { identifyConversation, type MemorySource } from "./identify.ts";
import { MemoryRun } from "./memory-run.ts";
import type { MemorySettings } from "./memory-settings.ts";

/** Id of the processor that reads and records. */
export const PROCESSOR_ID = "throughline-memory";

/** Where a run's tools, and the agents that it delegates to, find it in the request context. */
const RUN_KEY = "throughline-run";

/** The run that a request context belongs to. */
export function runOf(context: RequestContext | undefined): MemoryRun | undefined {
  const run: unknown = context?.get(RUN_KEY);
  return MemoryRun.isRun(run) ? run : undefined;
}

/** The hooks that one run goes through, each with the same state. */
export type MemoryProcessor = Processor<typeof PROCESSOR_ID> &
  Required<
    Pick<
      Processor,
      | "processInput"
      | "processInputStep"
      | "processLLMRequest"
      | "processOutputStream"
      | "processOutputStep"
      | "processOutputResult"
    >
  > & {
    /** Another processor ended the run, whose hooks come to an end without this one's. */
    broke(list: MessageList, error: unknown, isAnswerBlocked: boolean): Promise<void>;
  };

type Hook = Pick<ProcessorMessageContext, "messageList" | "requestContext" | "agent"> & {
  state: Record<string, unknown>;
};

/** Reads as a run begins, and records it as it ends. Stands among the input processors and the output processors. */
export function memoryProcessor(
  source: MemorySource,
  settings: MemorySettings,
  isThreadBound = false,
): MemoryProcessor {
  const report = createReport(settings.onError);
  const runs = new WeakMap<MessageList, MemoryRun>();

  const begin = async (hook: Hook, messages: readonly MessageInput[]): Promise<MemoryRun> => {
    const { messageList: list, requestContext, agent } = hook;
    const outer = runOf(requestContext);
    // What an agent does on behalf of another one is a tool's work in that one's turn.
    const nested =
      outer !== undefined && outer.source === source && outer.agent !== agent?.id && outer.isInTool()
        ? outer
        : undefined;
    const conversation = nested?.conversation ?? identify(source, hook, { ...settings, isThreadBound }, report);
    const isRead = nested !== undefined || isReadOnly(requestContext);
    const turn = await conversation.begin({
      messages: nested === undefined ? messages : [],
      ...(nested === undefined
        ? {}
        : { query: messages.map((message) => messageText({ parts: message.parts ?? [] })).join("\n") }),
      agentName: settings.agentName ?? agent?.name,
      model: await modelId(hook),
      recall: settings.recall,
    });
    const run = new MemoryRun(turn, { source, agent: agent?.id, report, isRead, isNested: nested !== undefined });
    hook.state.run = run;
    runs.set(list, run);
    if (nested === undefined) requestContext?.set(RUN_KEY, run);
    return run;
  };

  /** Resumed in another process or not, a run has only what is in its list: the memory tells the turn it goes on with. */
  const find = async (hook: Hook): Promise<MemoryRun> => {
    const run = hook.state.run ?? runs.get(hook.messageList);
    if (MemoryRun.isRun(run)) return run;
    return begin(hook, convertEach(hook.messageList.get.all.db(), report));
  };

  return {
    id: PROCESSOR_ID,
    async processInput(hook) {
      const { messageList: list } = hook;
      // An agent with a memory class may run without a thread, and then has no memory: so do parts of a network.
      if (isThreadBound && ownerOf(list).threadId === undefined) return list;
      const run = await begin(hook, convertEach(list.get.input.db(), report));
      run.prepare(list, { ...ownerOf(list), exact: settings.replay === "exact" });
      return list;
    },
    async processInputStep(hook) {
      if (isThreadBound && ownerOf(hook.messageList).threadId === undefined) return hook.messageList;
      const run = await find(hook);
      run.signal = hook.abortSignal;
      run.tools = hook.tools ?? {};
      run.show(hook.messageList);
      return hook.messageList;
    },
    async processLLMRequest(hook) {
      const run = hook.state.run ?? (hook.messageList && runs.get(hook.messageList));
      if (!MemoryRun.isRun(run)) return undefined;
      return { prompt: await run.fitted(hook.prompt, hook.messageList) };
    },
    async processOutputStream(hook) {
      const { part, messageList: list } = hook;
      const run = hook.state.run ?? (list && runs.get(list));
      if (!MemoryRun.isRun(run) || list === undefined) return part;
      if (part.type === "text-delta") run.heard("text", part.payload);
      if (part.type === "reasoning-delta") run.heard("reasoning", part.payload);
      if (part.type === "tool-call-approval") await run.suspended(list, part.payload.toolCallId);
      return part;
    },
    async processOutputStep(hook) {
      const run = hook.state.run ?? runs.get(hook.messageList);
      if (!MemoryRun.isRun(run)) return hook.messageList;
      run.stepped(hook.messageList);
      // Mastra tells nobody of a tool that stops the run to ask a person.
      if (run.maySuspend(hook.toolCalls ?? [])) await run.suspended(hook.messageList);
      return hook.messageList;
    },
    async processOutputResult(hook) {
      if (isThreadBound && ownerOf(hook.messageList).threadId === undefined) return hook.messageList;
      const run = await find(hook);
      await run.finished(hook.messageList, hook.result.finishReason);
      if (runOf(hook.requestContext) === run) hook.requestContext?.delete(RUN_KEY);
      return hook.messageList;
    },
    async broke(list, error, isAnswerBlocked) {
      await runs.get(list)?.broke(list, error, isAnswerBlocked);
    },
  };
}

function identify(
  source: MemorySource,
  { messageList: list, requestContext }: Hook,
  settings: MemorySettings & { isThreadBound: boolean },
  report: Report,
): Conversation {
  const { threadId, resourceId } = ownerOf(list);
  try {
    return identifyConversation(
      source,
      { requestContext, threadId, resourceId },
      settings.identify,
      settings.isThreadBound,
    );
  } catch (error) {
    // Mastra ends the run with an error of its own, which doesn't say why.
    report(error);
    throw error;
  }
}

/** Whose messages a list holds, as the run's options said. */
const ownerOf = (list: MessageList): { threadId?: string; resourceId?: string } => ({ ...list.serialize().memoryInfo });

/** Did the call say that its run only reads? */
export const isReadOnly = (context: RequestContext | undefined): boolean => {
  const own: { memoryConfig?: { readOnly?: boolean } } | undefined = context?.get("MastraMemory");
  return own?.memoryConfig?.readOnly === true;
};

/** The model's id, for the budget. What the agent's own function throws it throws again in its own place. */
async function modelId({ agent, requestContext }: Hook): Promise<string | undefined> {
  try {
    const model = await agent?.getModel(requestContext === undefined ? {} : { requestContext });
    return model?.modelId;
  } catch {
    return undefined;
  }
}
