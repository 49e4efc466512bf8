import { Command } from "@langchain/langgraph";
import { ChatOpenAI } from "@langchain/openai";
import type { Conversation } from "@throughline/core";
import { createCheckpointer, memoryMiddleware, memoryTools, withMemory } from "@throughline/langgraph";
import type { StoryHost, StoryInput } from "@throughline/testkit";
import { createAgent, humanInTheLoopMiddleware, tool } from "langchain";

/** LangChain's `createAgent`: its state in the memory's own checkpointer, LangChain's client of OpenAI. */
export const langgraph: StoryHost = {
  name: "LangGraph",
  open({ memory, baseURL, api, agentName, instructions, tools }) {
    const model = new ChatOpenAI({
      model: "gpt-4.1",
      apiKey: "none",
      maxRetries: 0,
      useResponsesApi: api === "responses",
      configuration: { baseURL },
    });
    const checkpointer = createCheckpointer(memory);
    const toolsOf = (conversation: Conversation) =>
      tools.map(({ name, description, input: schema, run }) =>
        tool((input) => run(input, conversation), { name, description, schema }),
      );
    const waiting = tools.filter(({ needsApproval }) => needsApproval).map(({ name }) => [name, true] as const);

    const play = async (start: object, { conversation, signal, onText }: StoryInput): Promise<void> => {
      const agent = createAgent({
        name: agentName,
        model,
        systemPrompt: instructions,
        checkpointer,
        tools: [...memoryTools(memory), ...toolsOf(conversation)],
        middleware: [
          memoryMiddleware(memory, { agentName }),
          humanInTheLoopMiddleware({ interruptOn: Object.fromEntries(waiting) }),
        ],
      });
      const config = withMemory(conversation, { signal }, { agentName });
      const input = start as Parameters<typeof agent.stream>[0];
      for await (const [chunk] of await agent.stream(input, { ...config, streamMode: "messages" })) onText(chunk.text);
    };
    return {
      say: (text, input) => play({ messages: [{ role: "user", content: text }] }, input),
      decide: (approved, input) =>
        play(new Command({ resume: { decisions: [{ type: approved ? "approve" : "reject" }] } }), input),
    };
  },
};
