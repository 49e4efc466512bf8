import { Agent, OpenAIProvider, Runner, RunState, tool } from "@openai/agents";
import { memoryTools, runWithMemory } from "@throughline/openai-agents";
import type { StoryHost, StoryInput } from "@throughline/testkit";

type PlainAgent = Agent<unknown, "text">;

/** The OpenAI Agents SDK with its own provider. A run that waits is kept as the text that the SDK makes of its state. */
export const openaiAgents: StoryHost = {
  name: "OpenAI Agents",
  open({ baseURL, api, agentName, instructions, tools }) {
    const modelProvider = new OpenAIProvider({ apiKey: "none", baseURL, useResponses: api === "responses" });
    const runner = new Runner({ tracingDisabled: true, modelProvider });
    /** By conversation. */
    const waiting = new Map<string, string>();
    const agentOf = ({ conversation }: StoryInput): PlainAgent =>
      new Agent({
        name: agentName,
        instructions,
        model: "gpt-4.1",
        tools: [
          ...memoryTools(conversation),
          ...tools.map(({ name, description, input: parameters, needsApproval = false, run }) =>
            tool({ name, description, parameters, needsApproval, execute: (input) => run(input, conversation) }),
          ),
        ],
      });

    const play = async (
      agent: PlainAgent,
      start: string | RunState<unknown, PlainAgent>,
      { conversation, signal, onText }: StoryInput,
    ): Promise<void> => {
      const result = await runWithMemory(conversation, agent, start, {
        runner,
        signal,
        stream: true,
        memory: { agentName },
      });
      for await (const event of result) {
        if (event.type === "raw_model_stream_event" && event.data.type === "output_text_delta")
          onText(event.data.delta);
      }
      await result.completed;
      if (result.interruptions.length > 0) waiting.set(conversation.id, result.state.toString());
    };
    return {
      say: (text, input) => play(agentOf(input), text, input),
      async decide(approved, input) {
        const agent = agentOf(input);
        const state = await RunState.fromString<unknown, PlainAgent>(agent, waiting.get(input.conversation.id) ?? "");
        for (const item of state.getInterruptions()) {
          if (approved) state.approve(item);
          else state.reject(item);
        }
        await play(agent, state, input);
      },
    };
  },
};
