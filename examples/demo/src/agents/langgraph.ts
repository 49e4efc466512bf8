import { ChatOpenAI } from "@langchain/openai";
import { memoryMiddleware, memoryTools, withMemory } from "@throughline/langgraph";
import { createAgent } from "langchain";
import { AGENTS, type Ask, INSTRUCTIONS } from "./agent.ts";

/** LangChain's agent, a LangGraph graph: the memory is a middleware, and `withMemory` is the config of a run. */
export const askLangGraph: Ask = async (conversation, text, { model, tools, signal }) => {
  const agent = createAgent({
    model: new ChatOpenAI({
      model: model.name,
      apiKey: model.apiKey,
      configuration: { baseURL: model.baseUrl },
      useResponsesApi: false,
      maxRetries: 1,
    }),
    systemPrompt: INSTRUCTIONS,
    tools: memoryTools(conversation, tools),
    middleware: [memoryMiddleware(conversation, { agentName: AGENTS.langgraph })],
  });
  const { messages } = await agent.invoke(
    { messages: [{ role: "user", content: text }] },
    withMemory(conversation, signal === undefined ? {} : { signal }, { agentName: AGENTS.langgraph }),
  );
  return messages.at(-1)?.text ?? "";
};
