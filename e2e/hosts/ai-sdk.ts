import { createOpenAI } from "@ai-sdk/openai";
import { memoryTools, withMemory } from "@throughline/ai-sdk";
import type { StoryHost, StoryInput } from "@throughline/testkit";
import { isStepCount, type ModelMessage, streamText, tool } from "ai";

/** The AI SDK's `streamText` with its own provider of OpenAI. Who waits for an approval, its messages say. */
export const aiSdk: StoryHost = {
  name: "AI SDK",
  open({ baseURL, api, agentName, instructions, tools }) {
    const provider = createOpenAI({ baseURL, apiKey: "none" });
    const model = api === "chat" ? provider.chat("gpt-4.1") : provider.responses("gpt-4.1");
    const asks = tools.filter(({ needsApproval }) => needsApproval).map(({ name }) => [name, "user-approval"] as const);
    /** By conversation. */
    const waiting = new Map<string, string>();

    const play = async (
      start: { prompt: string } | { messages: ModelMessage[] },
      { conversation, signal, onText }: StoryInput,
    ): Promise<void> => {
      const own = tools.map(
        ({ name, description, input: inputSchema, run }) =>
          [name, tool({ description, inputSchema, execute: (input) => run(input, conversation) })] as const,
      );
      const run = await withMemory(conversation, {
        ...start,
        instructions,
        abortSignal: signal,
        onError: () => {},
        memory: { agentName },
      });
      const { stream } = streamText({
        model,
        tools: { ...memoryTools(conversation), ...Object.fromEntries(own) },
        toolApproval: Object.fromEntries(asks),
        stopWhen: isStepCount(8),
        maxRetries: 0,
        ...run,
      });
      for await (const part of stream) {
        if (part.type === "text-delta") onText(part.text);
        if (part.type === "tool-approval-request") waiting.set(conversation.id, part.approvalId);
      }
    };
    return {
      say: (prompt, input) => play({ prompt }, input),
      decide(approved, input) {
        const approvalId = waiting.get(input.conversation.id) ?? "none";
        return play(
          { messages: [{ role: "tool", content: [{ type: "tool-approval-response", approvalId, approved }] }] },
          input,
        );
      },
    };
  },
};
