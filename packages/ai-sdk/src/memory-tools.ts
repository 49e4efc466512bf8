import {
  type Conversation,
  type ConversationRef,
  type Memory,
  type MemoryToolName,
  type MemoryToolSelection,
  memoryTools as neutralTools,
} from "@throughline/core";
import type { Tool, ToolExecutionOptions } from "ai";
import * as z from "zod";

/** A memory tool as the AI SDK takes it: it answers with a short text and never throws. */
export type MemoryTool<Context = unknown> = Tool<
  unknown,
  string,
  Context extends Record<string, unknown> ? Context : Record<string, unknown>
> & {
  /** Answers with a short text, also where the input is wrong or the memory fails. Never throws. */
  execute(input: unknown, options: ToolExecutionOptions<Context>): Promise<string>;
};

/** The memory tools by name. */
export type MemoryTools<Name extends MemoryToolName = MemoryToolName, Context = unknown> = {
  [Key in Name]: MemoryTool<Context>;
};

/** Whose memory a tool reaches, as the app's `toolsContext` says. */
export type MemoryToolContext = { id: string; subject?: string | undefined; login?: string | undefined };

/** Which tools, by name. */
type Selection<Only, Except> = MemoryToolSelection & { only?: readonly Only[]; except?: readonly Except[] };

/**
 * The memory tools, to be registered among the app's own tools. Whose memory they reach no input of the model can name:
 * given a conversation, it is that one; given a memory, the one that each call's `toolsContext` names, so that one set of
 * tools serves a whole process. A call without that context is the SDK's error.
 */
export function memoryTools<Only extends MemoryToolName = MemoryToolName, Except extends MemoryToolName = never>(
  conversation: Conversation,
  selection?: Selection<Only, Except>,
): MemoryTools<Exclude<Only, Except>>;
export function memoryTools<Only extends MemoryToolName = MemoryToolName, Except extends MemoryToolName = never>(
  memory: Memory,
  selection?: Selection<Only, Except>,
): MemoryTools<Exclude<Only, Except>, MemoryToolContext>;
export function memoryTools(
  source: Conversation | Memory,
  selection: MemoryToolSelection = {},
): MemoryTools<MemoryToolName> {
  const isBound = !("conversation" in source);
  // Made to have their names and schemas; a handle reads and writes nothing.
  const definitions = neutralTools(isBound ? source : source.conversation({ id: "-" }), selection);
  const tools = definitions.map((definition): [string, MemoryTool] => {
    const toolOf = (context: unknown) =>
      isBound ? definition : neutralTools(source.conversation(refOf(context)), { only: [definition.name] })[0];
    return [
      definition.name,
      {
        description: definition.description,
        inputSchema: definition.input,
        ...(isBound ? {} : { contextSchema: toolContext() }),
        execute: async (input, { toolCallId, abortSignal, context }) => {
          const call = { callId: toolCallId, ...(abortSignal === undefined ? {} : { signal: abortSignal }) };
          return (await toolOf(context)?.run(input, call)) ?? "Not done: there is no such tool.";
        },
      },
    ];
  });
  // Core gives exactly the tools that were selected.
  return Object.fromEntries(tools) as MemoryTools;
}

/**
 * The `toolsContext` of the memory tools for one conversation, to be spread beside that of other tools. Without one it is
 * a place that `memoryAgent` fills in for each call; anywhere else the tools refuse it.
 */
export function memoryToolsContext(ref?: ConversationRef): { [Name in MemoryToolName]: MemoryToolContext } {
  const context = ref === undefined ? { id: "" } : refOf(ref);
  return {
    memory_remember: context,
    memory_recall: context,
    memory_forget: context,
    memory_search: context,
    get_artifact: context,
    patch_artifact: context,
  };
}

/** Made where it is used: zod's schemas cost time on import. */
const toolContext = () =>
  z.object({ id: z.string().min(1), subject: z.string().optional(), login: z.string().optional() });

function refOf(context: unknown): ConversationRef {
  const { id, subject, login } = toolContext().parse(context);
  return { id, ...(subject === undefined ? {} : { subject }), ...(login === undefined ? {} : { login }) };
}
