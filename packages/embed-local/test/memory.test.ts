import { createMemory, inMemoryStore } from "@throughline/core";
import { describe, expect, test } from "vitest";
import { localEmbedder } from "../src/index.ts";

const say = (text: string) => [
  { role: "user" as const, content: text },
  { role: "assistant" as const, content: "I see." },
];

async function remembering(...texts: string[]) {
  const memory = createMemory({ agent: "demo", store: inMemoryStore(), embedder: localEmbedder(), env: {} });
  for (const [index, text] of texts.entries()) {
    await memory.conversation({ id: `c${index}`, subject: "ann" }).record({ messages: say(text) });
  }
  await memory.settled();
  return memory;
}

const textsOf = (found: { hits: { message: { parts: readonly object[] }; matched: string }[] }) =>
  found.hits.map(({ message, matched }) => [
    message.parts.map((part) => ("text" in part ? part.text : "")).join(),
    matched,
  ]);

describe("a memory with the local embedder", () => {
  test("S1: finds by meaning what shares no word with the question, with no key and no network", async () => {
    const memory = await remembering("We adopted a puppy last week.", "The invoice was paid on Friday.");
    const found = await memory.subject("ann").search("new dog", { role: "user" });
    expect(textsOf(found)[0]).toEqual(["We adopted a puppy last week.", "semantic"]);
    await memory.close();
  });

  test("S5: another script is found by its words, and made-up words find nothing", async () => {
    const memory = await remembering("我喜欢喝绿茶", "We adopted a puppy last week.");
    expect(textsOf(await memory.subject("ann").search("绿茶"))).toEqual([["我喜欢喝绿茶", "keyword"]]);
    expect((await memory.subject("ann").search("zxqvbnrt")).hits).toEqual([]);
    const byMeaning = await memory.subject("ann").search("zxqvbnrt", { mode: "semantic" });
    expect(byMeaning.hits).toEqual([]);
    expect(byMeaning.reason).toBeDefined();
    await memory.close();
  });

  test("T6: the manifest names the model", async () => {
    const memory = await remembering("We adopted a puppy.");
    expect((await memory.manifest()).embedding).toMatchObject({
      modelId: "throughline/glove-6b-100d@1",
      dimensions: 100,
    });
    await memory.close();
  });
});
