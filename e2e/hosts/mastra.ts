import { createOpenAI } from "@ai-sdk/openai";
import { Mastra } from "@mastra/core";
import { Agent, type AgentConfig } from "@mastra/core/agent";
import { noopLogger } from "@mastra/core/logger";
import { InMemoryStore } from "@mastra/core/storage";
import { createTool } from "@mastra/core/tools";
import { withMemory } from "@throughline/mastra";
import type { StoryHost, StoryInput } from "@throughline/testkit";

/** Of all that an agent takes for its model, what its router reads. */
type HostModel = Extract<AgentConfig["model"], { id: `${string}/${string}` }>;

/** A Mastra agent: its model router on Chat Completions, the AI SDK's provider on Responses. Mastra keeps what waits. */
export const mastra: StoryHost = {
  name: "Mastra",
  open({ baseURL, api, agentName, instructions, tools }) {
    const storage = new InMemoryStore();
    const router: HostModel = { id: "local/gpt-4.1", url: baseURL, apiKey: "none" };
    // Types of 1.71 refuse models of the newest AI SDK 7 for one finish reason.
    const responses: unknown = createOpenAI({ baseURL, apiKey: "none" }).responses("gpt-4.1");
    const model = api === "chat" ? router : (responses as HostModel);
    /** By conversation. */
    const waiting = new Map<string, { runId: string; toolCallId: string }>();

    const agentOf = ({ conversation }: StoryInput): Agent => {
      const own = tools.map(({ name: id, description, input: inputSchema, needsApproval = false, run }) => {
        // Mastra has checked the input against the schema.
        const execute = (input: unknown) => run(input as Record<string, unknown>, conversation);
        return [id, createTool({ id, description, inputSchema, requireApproval: needsApproval, execute })] as const;
      });
      const config = {
        id: "guide",
        name: agentName,
        instructions,
        model,
        maxRetries: 0,
        tools: Object.fromEntries(own),
      };
      const agent = new Agent(withMemory(conversation, config, { agentName }));
      new Mastra({ agents: { guide: agent }, storage, logger: false });
      agent.__setLogger(noopLogger);
      return agent;
    };
    const optionsOf = ({ conversation, signal }: StoryInput) => ({
      memory: { thread: conversation.id, resource: conversation.subject ?? "somebody" },
      abortSignal: signal,
      maxSteps: 8,
    });
    const read = async (
      { runId, fullStream }: Awaited<ReturnType<Agent["stream"]>>,
      { conversation, onText }: StoryInput,
    ): Promise<void> => {
      for await (const part of fullStream) {
        if (part.type === "text-delta") onText(part.payload.text);
        if (part.type === "tool-call-approval") {
          waiting.set(conversation.id, { runId, toolCallId: part.payload.toolCallId });
        }
      }
    };
    return {
      say: async (text, input) => read(await agentOf(input).stream(text, optionsOf(input)), input),
      async decide(approved, input) {
        const call = waiting.get(input.conversation.id) ?? { runId: "none", toolCallId: "none" };
        const options = { ...call, ...optionsOf(input) };
        const agent = agentOf(input);
        await read(await (approved ? agent.approveToolCall(options) : agent.declineToolCall(options)), input);
      },
    };
  },
};
