import type { RequestContext } from "@mastra/core/request-context";
import { createTool, type Tool } from "@mastra/core/tools";
import {
  callMemoryTool,
  createReport,
  inMemoryOf,
  type MemorySource,
  type MemoryToolName,
  type MemoryToolSelection,
  type MemoryTool as NeutralTool,
  toolDefinitions,
} from "@throughline/core";
import { identifyConversation } from "./identify.ts";
import { isReadOnly, runOf } from "./memory-processor.ts";
import type { MemorySettings } from "./memory-settings.ts";

/** Which tools, and how they find their conversation. */
export type MemoryToolOptions = MemoryToolSelection & Pick<MemorySettings, "identify" | "onError">;

/** A memory tool as Mastra takes it: it answers with a short text and never throws. */
export type MemoryTool = Tool<unknown, unknown>;

/** Tools that change what is stored. */
const WRITERS: ReadonlySet<MemoryToolName> = new Set(["memory_remember", "memory_forget", "patch_artifact"]);

/** What of a call's context is read. */
interface CallContext {
  requestContext?: RequestContext;
  abortSignal?: AbortSignal;
  agent?: { toolCallId?: string; threadId?: string; resourceId?: string };
}

/**
 * The memory tools by name, to stand among an agent's own. Whose memory a call reaches the run says, or the conversation
 * that was given; no input of the model can name another one.
 */
export const memoryTools = (source: MemorySource, options: MemoryToolOptions = {}): MemoryTools =>
  toolsOf(source, options, false);

/** The memory tools by name. */
export type MemoryTools = { [Name in MemoryToolName]?: MemoryTool };

/** The same for an agent whose runs are told by thread and resource alone, where `isThreadBound`. */
export function toolsOf(source: MemorySource, options: MemoryToolOptions, isThreadBound: boolean): MemoryTools {
  const { identify, onError, ...selection } = options;
  const report = createReport(onError);

  const call = (tool: NeutralTool, input: unknown, context: CallContext): Promise<string> => {
    const { requestContext, agent, abortSignal } = context;
    if (isThreadBound && WRITERS.has(tool.name) && isReadOnly(requestContext)) {
      return Promise.resolve("Not done: this run may only read the memory.");
    }
    return callMemoryTool(tool, input, {
      find() {
        const run = { requestContext, threadId: agent?.threadId, resourceId: agent?.resourceId };
        const open = runOf(requestContext)?.conversation;
        const named = identifyConversation(source, run, identify, isThreadBound);
        // The turn that is under way is known to the run's own memory only.
        return open?.id === named.id ? inMemoryOf(named, open) : named;
      },
      report,
      ...(agent?.toolCallId === undefined ? {} : { callId: agent.toolCallId }),
      ...(abortSignal === undefined ? {} : { signal: abortSignal }),
    });
  };

  return Object.fromEntries(
    toolDefinitions(source, selection).map((tool) => {
      const { name: id, description, input: inputSchema } = tool;
      // The members that are read are there or not, whatever runs the tool.
      const execute = (input: unknown, context: unknown) =>
        call(tool, input, { ...(context as CallContext | undefined) });
      return [id, createTool({ id, description, inputSchema, execute })];
    }),
  );
}
