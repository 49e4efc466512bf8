import { memoryMiddleware, memoryTools, withMemory } from "@throughline/langgraph";
import { AIMessage, createAgent, fakeModel } from "langchain";
import { tellStory } from "./story.ts";

await tellStory(async (memory, chat, said, steps) => {
  const model = fakeModel();
  for (const step of steps) {
    if ("say" in step) model.respond(new AIMessage(step.say));
    else {
      const call = { id: step.call, name: step.tool, args: step.input, type: "tool_call" as const };
      model.respond(new AIMessage({ content: "", tool_calls: [call] }));
    }
  }
  const agent = createAgent({ model, tools: memoryTools(memory), middleware: [memoryMiddleware(memory)] });
  const input = { messages: [{ role: "user", content: said }] };
  const { messages } = await agent.invoke(input, withMemory(memory.conversation(chat)));
  const asked = model.calls.map((call) => call.messages.map((message) => `${message.type}: ${message.text}`));
  return { answer: messages.at(-1)?.text ?? "", asked: JSON.stringify(asked) };
});
