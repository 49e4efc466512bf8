import { Agent, type AgentInputItem, type ModelRequest, Runner, type StreamEvent, tool } from "@openai/agents";
import {
  assistantMessage,
  functionCall,
  modelError,
  modelStreamResponder,
  ScriptedModel,
  type ScriptedModelInput,
} from "@openai/agents/testing";
import { z } from "zod";

export const say = (text: string) => [assistantMessage(text)];

export const call = (...calls: [id: string, tool: string, input: Record<string, unknown>][]) =>
  calls.map(([callId, name, input]) => functionCall(name, input, { callId }));

export const fail = (message = "the model is down") => modelError(new Error(message));

/** Streams words; after `breakAt` of them it fails, and `onWord` runs after each. */
export const words = (text: string, options: { breakAt?: number; onWord?(count: number): void } = {}) =>
  modelStreamResponder(async function* (): AsyncGenerator<StreamEvent> {
    yield { type: "response_started" };
    const all = text.match(/\S+\s*/g) ?? [];
    for (const [index, delta] of all.entries()) {
      if (index === options.breakAt) throw new Error("the model broke off");
      yield { type: "output_text_delta", delta };
      // Lets the consumer take the word before the next one.
      await new Promise((resolve) => setImmediate(resolve));
      options.onWord?.(index + 1);
    }
    const usage = { inputTokens: 0, outputTokens: 0, totalTokens: 0 };
    yield { type: "response_done", response: { id: "r", usage, output: say(text) } };
  });

export const weather = tool({
  name: "weather",
  description: "The weather in a city.",
  parameters: z.object({ city: z.string() }),
  execute: ({ city }) => `sunny in ${city}`,
});

/** An agent that plays its steps. */
export function scriptedAgent(
  steps: readonly ScriptedModelInput[],
  config: Partial<ConstructorParameters<typeof Agent>[0]> = {},
) {
  const model = new ScriptedModel(steps);
  // The tests' agents say text.
  const agent = new Agent({ name: "Ann", instructions: "Be brief.", tools: [weather], model, ...config } as never);
  return { agent: agent as Agent, model };
}

/** A runner that traces nothing. */
export const quietRunner = () => new Runner({ tracingDisabled: true });

/** What a model was asked, each item as one short line. */
export const asked = ({ input }: Pick<ModelRequest, "input">): string[] =>
  typeof input === "string" ? [`user: ${input}`] : input.map(shown);

function shown(item: AgentInputItem): string {
  switch (item.type) {
    case "function_call":
      return `${item.name}#${item.callId}`;
    case "function_call_result": {
      const { output } = item;
      return `#${item.callId}=${typeof output === "object" && "text" in output ? output.text : JSON.stringify(output)}`;
    }
    case "reasoning":
      return `(${item.content.map(({ text }) => text).join()})`;
    default: {
      if (!("role" in item)) return String(item.type);
      const content =
        typeof item.content === "string"
          ? item.content
          : item.content.map((part) => ("text" in part ? part.text : part.type)).join();
      return `${item.role}: ${content}`;
    }
  }
}
