import { inMemoryStore, type MemoryStore } from "@throughline/core";
import { isStepCount, streamText } from "ai";
import { expect, test } from "vitest";
import { withMemory } from "../src/index.ts";
import { call, say, scriptedModel } from "./scripted-model.ts";
import { recorded, testMemory, tools } from "./test-memory.ts";

/** A store whose one method waits at a gate, and counts who came. */
function gated(method: "readContext" | "commitTurn") {
  const gate = Promise.withResolvers<void>();
  const store = inMemoryStore();
  const calls: string[] = [];
  const counted = Object.fromEntries(
    Object.entries(store).map(([name, value]) => [
      name,
      typeof value !== "function"
        ? value
        : async (...given: never[]) => {
            calls.push(name);
            if (name === method) await gate.promise;
            return value.apply(store, given);
          },
    ]),
  ) as unknown as MemoryStore;
  return { store: { ...store, ...counted }, calls, open: gate.resolve };
}

test("I4: the memory reads while the app prepares, in one trip to the store, and the model waits for both", async () => {
  const { store, calls, open } = gated("readContext");
  const { conversation } = testMemory(store);
  const model = scriptedModel(say("Hello."));
  const order: string[] = [];
  const reading = withMemory(conversation, { prompt: "Hi" }).then((run) => {
    order.push("memory");
    return run;
  });
  const preparing = Promise.resolve("the app's own").then(() => order.push("app"));
  await preparing;
  await expect.poll(() => calls.filter((name) => name === "readContext").length).toBe(1);
  expect(order).toEqual(["app"]);
  expect(model.prompts()).toEqual([]);
  open();
  const run = await reading;
  await streamText({ model, ...run }).consumeStream();
  expect(order).toEqual(["app", "memory"]);
  expect(calls.filter((name) => name === "readContext")).toHaveLength(1);
});

test("W5: no word waits for a write: the answer is there while the store still holds back the turn", async () => {
  const { store, calls, open } = gated("commitTurn");
  const { conversation } = testMemory(store);
  const model = scriptedModel(call(["c1", "weather", { city: "Oslo" }]), say("It is sunny."));
  const run = await withMemory(conversation, { prompt: "How is Oslo?" });
  const result = streamText({ model, tools, stopWhen: isStepCount(3), ...run });
  let text = "";
  let wasOpen = false;
  for await (const words of result.textStream) {
    text += words;
    if (text !== "It is sunny.") continue;
    wasOpen = true;
    open();
  }
  expect(wasOpen).toBe(true);
  expect(await recorded(conversation)).toMatchObject([{ status: "completed" }]);
  expect(calls.filter((name) => name === "commitTurn")).toHaveLength(1);
});
