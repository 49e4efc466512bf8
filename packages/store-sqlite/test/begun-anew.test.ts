import { createMemory, type Embedder } from "@throughline/core";
import { sqliteStore } from "@throughline/store-sqlite";
import { expect, it } from "vitest";

it("A2/E3: a conversation deleted and begun anew while its turns are embedded is found from its first turn on", async () => {
  let meanwhile = async (): Promise<unknown> => undefined;
  const embedder: Embedder = {
    modelId: "ships and the rest",
    dimensions: 2,
    async embed(texts) {
      await meanwhile();
      return texts.map((text) => (text.includes("ship") ? Float32Array.of(1, 0) : Float32Array.of(0, 1)));
    },
  };
  const memory = createMemory({
    agent: "helper",
    env: {},
    store: sqliteStore({ path: ":memory:" }),
    embedder,
    policy: { enabled: true },
    semanticFloor: 0.5,
  });
  const chat = memory.conversation({ id: "c", subject: "ana" });
  const say = (id: string, content: string) => chat.record({ id, messages: [{ role: "user", content }] });
  await say("first", "a cup of tea");
  await memory.settled();
  for (const id of ["t1", "t2", "t3"]) await say(id, `about ships, ${id}`);
  meanwhile = async () => {
    meanwhile = async () => undefined;
    await chat.delete();
    await say("anew", "the walrus is here");
  };
  await memory.settled();
  await memory.sweep();
  const found = async (query: string, mode: "keyword" | "semantic") =>
    (await chat.search(query, { mode })).hits.map(({ turn }) => turn);
  expect(await found("walrus", "keyword")).toEqual(["anew"]);
  expect(await found("anything else", "semantic")).toEqual(["anew"]);
  expect(await found("ship", "semantic")).toEqual([]);
  expect(await memory.sweep()).toMatchObject({ conversations: 0, failed: 0 });
  await memory.close();
});
