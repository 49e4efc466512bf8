import type { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { AIMessage, type BaseMessage, type ToolCall } from "@langchain/core/messages";
import { ChatOpenAI } from "@langchain/openai";
import { fakeModel } from "langchain";

/** Yours with `OPENAI_API_KEY` or `OPENAI_BASE_URL`; else a scripted one that knows nothing but its prompt. */
export function chatModel(env: NodeJS.ProcessEnv): BaseChatModel {
  const { OPENAI_API_KEY: apiKey, OPENAI_BASE_URL: baseURL, OPENAI_MODEL: model = "gpt-4o-mini" } = env;
  if (apiKey === undefined && baseURL === undefined) return offlineModel();
  return new ChatOpenAI({ model, apiKey: apiKey ?? "none", ...(baseURL && { configuration: { baseURL } }) });
}

const MANY = 50;

function offlineModel(): BaseChatModel {
  const model = fakeModel();
  for (let count = 0; count < MANY; count++) model.respond((messages) => answerTo(messages));
  return model;
}

let calls = 0;
function calling(name: string, args: ToolCall["args"]): AIMessage {
  calls += 1;
  return new AIMessage({ content: "", tool_calls: [{ id: `call-${calls}`, name, args, type: "tool_call" }] });
}

function answerTo(messages: readonly BaseMessage[]): AIMessage {
  const last = messages.at(-1)?.text ?? "";
  if (messages.at(-1)?.type === "tool") return new AIMessage(last);
  const home = /I live in (\w+)/.exec(last);
  if (home) return calling("memory_remember", { key: "home", value: home[1], quote: home[0] });
  const known = /home: (\w+)/.exec(messages[0]?.text ?? "")?.[1];
  if (known === undefined) return new AIMessage("I don't know where you live.");
  return /table/.test(last) ? calling("book_table", { city: known }) : new AIMessage(`You live in ${known}.`);
}
