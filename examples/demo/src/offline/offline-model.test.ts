import type { LanguageModelV4FunctionTool, LanguageModelV4Prompt } from "@ai-sdk/provider";
import { generateText, isStepCount, streamText, tool } from "ai";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { offlineModel } from "./offline-model.ts";

const tools: LanguageModelV4FunctionTool[] = ["memory_remember", "memory_recall", "memory_forget", "memory_search"].map(
  (name) => ({ type: "function", name, inputSchema: { type: "object" } }),
);

const user = (text: string): LanguageModelV4Prompt[number] => ({ role: "user", content: [{ type: "text", text }] });

const result = (toolName: string, value: string): LanguageModelV4Prompt[number] => ({
  role: "tool",
  content: [{ type: "tool-result", toolCallId: "1", toolName, output: { type: "text", value } }],
});

function model() {
  let calls = 0;
  return offlineModel({ createId: () => `call-${++calls}` });
}

async function ask(...prompt: LanguageModelV4Prompt) {
  const { content } = await model().doGenerate({ prompt, tools });
  return content.map((part) =>
    part.type === "text" ? part.text : part.type === "tool-call" ? [part.toolName, JSON.parse(part.input)] : part.type,
  );
}

describe("offlineModel", () => {
  it("remembers what it is told through the memory tool, with the person's own words", async () => {
    expect(await ask(user("My dog is called Biscuit."))).toEqual([
      ["memory_remember", { key: "dog", value: "Biscuit", type: "fact", quote: "My dog is called Biscuit" }],
    ]);
  });

  it("answers from the memory block in its prompt, and knows nothing without one", async () => {
    const block =
      "<memory>\n<facts>\n- diet: vegan (preference, noted by the assistant)\n- likes: figs &amp; rice (preference)\n</facts>\n</memory>";
    const question = user("What could I cook tonight?");
    expect(await ask({ role: "system", content: `Be kind.\n${block}` }, question)).toEqual([
      expect.stringMatching(/vegan and like figs & rice/),
    ]);
    expect(await ask(question)).toEqual([expect.stringMatching(/^I don't know/)]);
  });

  it("looks a thing up, then searches what was said, then says that it doesn't know", async () => {
    const question = user("What's my dog called?");
    expect(await ask(question)).toEqual([["memory_recall", { key: "dog" }]]);
    expect(await ask(question, result("memory_recall", "Biscuit"))).toEqual(["Your dog: Biscuit."]);
    const nothing = result("memory_recall", 'Nothing is remembered under "dog".');
    expect(await ask(question, nothing)).toEqual([["memory_search", { query: "dog" }]]);
    const found =
      "- 2026-03-02T10:00 assistant: A dog?\n- 2026-03-02T10:00 user: Biscuit is my dog.\nA good one.\n- 2026-03-01T10:00 user: x";
    expect(await ask(question, nothing, result("memory_search", found))).toEqual([
      'On 2026-03-02 you told me: "Biscuit is my dog.\nA good one."',
    ]);
    expect(await ask(question, nothing, result("memory_search", "Nothing was found."))).toEqual([
      "I don't know your dog: my memory holds nothing about it.",
    ]);
  });

  it("owns up to a refused tool call and to a tool it wasn't given", async () => {
    const said = user("My dog is called Biscuit.");
    expect(await ask(said, result("memory_remember", "Not remembered: facts are off."))).toEqual([
      "I could not remember that. Not remembered: facts are off.",
    ]);
    const { content } = await model().doGenerate({ prompt: [said] });
    expect(content).toEqual([{ type: "text", text: expect.stringContaining("memory_remember") }]);
  });

  it("runs in the SDK's own tool loop, plain and streamed", async () => {
    const ran: unknown[] = [];
    const memory_remember = tool({
      inputSchema: z.object({ key: z.string(), value: z.string() }),
      execute: async (input) => {
        ran.push(input);
        return "Remembered.";
      },
    });
    const options = { model: model(), prompt: "My dog is Rex.", tools: { memory_remember }, stopWhen: isStepCount(3) };
    const { text } = await generateText(options);
    const streamed = streamText(options);
    let whole = "";
    for await (const delta of streamed.textStream) whole += delta;
    expect(text).toBe("I'll remember your dog: Rex.");
    expect(whole).toBe(text);
    expect(ran).toEqual([
      { key: "dog", value: "Rex" },
      { key: "dog", value: "Rex" },
    ]);
  });
});
