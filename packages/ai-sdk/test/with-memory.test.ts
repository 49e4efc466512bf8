import { createMemory, inMemoryStore } from "@throughline/core";
import { generateText, isStepCount, streamText, tool } from "ai";
import { expect, test } from "vitest";
import { z } from "zod";
import { memoryTools, withMemory } from "../src/index.ts";
import { call, say, scriptedModel } from "./scripted-model.ts";

const weather = tool({
  inputSchema: z.object({ city: z.string() }),
  execute: ({ city }) => `sunny in ${city}`,
});

test("V1: a run is recorded as one turn and served to the next", async () => {
  const memory = createMemory({ agent: "a", store: inMemoryStore(), env: {} });
  const conversation = memory.conversation({ id: "c1", subject: "ada" });
  const model = scriptedModel(
    call(["1", "weather", { city: "Oslo" }], ["2", "memory_remember", { key: "city", value: "Oslo" }]),
    say("Sunny in Oslo."),
  );
  const result = await generateText({
    model,
    tools: { weather, ...memoryTools(conversation) },
    stopWhen: isStepCount(5),
    ...(await withMemory(conversation, { prompt: "Weather in Oslo?", instructions: "Be brief." })),
  });
  expect(result.text).toBe("Sunny in Oslo.");
  expect((await conversation.transcript()).turns).toMatchObject([{ status: "completed" }]);
  const second = memory.conversation({ id: "c1", subject: "ada" });
  const model2 = scriptedModel(say("As before, sunny."));
  const stream = streamText(
    await withMemory(second, { model: model2, messages: [{ role: "user", content: "And now?" }], system: "Be brief." }),
  );
  await stream.consumeStream();
  expect((await conversation.transcript()).turns).toHaveLength(2);
});
