import type { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { AIMessage } from "@langchain/core/messages";
import { ChatOpenAI } from "@langchain/openai";
import { type ModelServer, modelServer } from "@throughline/testkit";
import { fakeModel } from "langchain";
import { onTestFinished } from "vitest";

/** What a model says to one request. */
export type Answer =
  | { text: string; stall?: true }
  | { calls: readonly (readonly [id: string, name: string, input: object])[] }
  | { error: string };

export const say = (text: string): Answer => ({ text });
export const call = (...calls: readonly (readonly [id: string, name: string, input: object])[]): Answer => ({ calls });
export const fail = (error: string): Answer => ({ error });
/** Says the first words, and then nothing until it is stopped. */
export const stall = (text: string): Answer => ({ text, stall: true });

/** A model that plays a script, and what it was asked. */
export interface ScriptedModel {
  model: BaseChatModel;
  /** Each prompt, one line per message. */
  prompts(): string[][];
}

/** LangChain's own scripted model. `onStall` is called as it should stall; it can't wait. */
export function fake(script: readonly Answer[], onStall: () => void = () => {}): ScriptedModel {
  const model = fakeModel();
  for (const [index, answer] of script.entries()) {
    if ("error" in answer) model.respond(new Error(answer.error));
    else if ("calls" in answer) {
      const tool_calls = answer.calls.map(([id, name, args]) => ({ id, name, args, type: "tool_call" as const }));
      model.respond(new AIMessage({ content: "", tool_calls, id: `${callCount(index)}` }));
    } else if (answer.stall) {
      model.respond(() => {
        onStall();
        return new AIMessage("too late");
      });
    } else model.respond(new AIMessage(answer.text));
  }
  return {
    model,
    prompts: () => model.calls.map(({ messages }) => messages.map((message) => `${message.type}: ${message.text}`)),
  };
}

let count = 0;
/** Ids that no other script uses. */
const callCount = (index: number): string => `ai-${++count}-${index}`;

/** LangChain's client of OpenAI, and behind it a server that plays the script. */
export async function overHttp(script: readonly Answer[]): Promise<ScriptedModel & { server: ModelServer }> {
  const server = await modelServer(
    ...script.map((answer) => {
      if ("error" in answer) return { status: 500 };
      if ("calls" in answer) {
        return { calls: answer.calls.map(([id, name, input]) => ({ id, name, arguments: JSON.stringify(input) })) };
      }
      return { text: answer.text, ...(answer.stall ? { stallAfter: 2 } : {}) };
    }),
  );
  onTestFinished(() => server[Symbol.asyncDispose]());
  const model = new ChatOpenAI({
    model: "gpt-4o",
    apiKey: "none",
    maxRetries: 0,
    configuration: { baseURL: server.baseURL },
  });
  const prompts = () =>
    server.requests.map(({ body }) =>
      (body as unknown as { messages: { role: string; content: unknown }[] }).messages.map(
        ({ role, content }) => `${role}: ${typeof content === "string" ? content : JSON.stringify(content)}`,
      ),
    );
  return { model, server, prompts };
}
