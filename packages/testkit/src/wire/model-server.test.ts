import { describe, expect, it } from "vitest";
import { modelServer } from "./model-server.ts";
import type { WireAnswer } from "./wire-answer.ts";

const user = { role: "user", content: "Hi" };
const fn = { name: "weather", arguments: "{}" };
const asks = { role: "assistant", content: null, tool_calls: [{ id: "c1", type: "function", function: fn }] };
const told = { role: "tool", tool_call_id: "c1", content: "sunny" };
const call = { type: "function_call", call_id: "c1", ...fn };
const output = { type: "function_call_output", call_id: "c1", output: "sunny" };
const said = { role: "assistant", content: [{ type: "output_text", text: "Hello." }] };
const thought = { type: "reasoning", summary: [], encrypted_content: "sealed" };

async function post(api: "chat/completions" | "responses", body: object, ...answers: WireAnswer[]) {
  await using server = await modelServer(...answers);
  const response = await fetch(`${server.baseURL}/${api}`, { method: "POST", body: JSON.stringify(body) });
  return { status: response.status, text: await response.text().catch(() => "cut"), server };
}

describe("B8: the model server refuses what the provider refuses", () => {
  it.each([
    ["no message", []],
    ["an unknown role", [{ role: "oracle", content: "Hi" }]],
    ["a result without a call", [user, told]],
    ["a result behind somebody else", [user, asks, user, told]],
    ["a second result of a call", [user, asks, told, told]],
    ["a call without a result", [user, asks]],
    ["a call without a result in the middle", [user, asks, user]],
    ["an assistant that says nothing", [user, { role: "assistant", content: null }, user]],
    ["an empty list of parts", [{ role: "user", content: [] }]],
    ["arguments that are no text", [user, { ...asks, tool_calls: [{ ...asks.tool_calls[0], function: {} }] }, told]],
  ])("chat: %s", async (_, messages) => {
    const { status, server } = await post("chat/completions", { model: "m", messages }, { text: "Hello." });
    expect(status).toBe(400);
    expect(server.refusals).toHaveLength(1);
    expect(server.requests).toEqual([]);
  });

  it.each([
    ["no item", [], 400],
    ["an unknown type", [{ type: "dream" }], 400],
    ["an output without a call", [user, output], 400],
    ["an output before its call", [user, output, call], 400],
    ["a call without an output", [user, call], 400],
    ["two outputs of one call", [user, call, output, output], 400],
    ["a shell call without an output", [user, { type: "shell_call", call_id: "s1", action: {} }], 400],
    ["lone reasoning at the end", [user, thought], 400],
    ["reasoning before a user's message", [thought, user], 400],
    ["reasoning before an output", [user, call, thought, output], 400],
    ["an id that it never made", [user, { ...said, id: "msg_stale" }], 404],
    ["reasoning that it doesn't keep", [user, { type: "reasoning", id: "rs_stale", summary: [] }, said], 404],
    ["a reference to what it doesn't keep", [user, { type: "item_reference", id: "rs_stale" }], 404],
    ["an id of another kind", [user, { ...said, id: "x1" }], 400],
  ])("responses: %s", async (_, input, expected) => {
    const { status, server } = await post("responses", { model: "m", input }, { text: "Hello." });
    expect(status).toBe(expected);
    expect(server.refusals).toHaveLength(1);
  });

  it("responses: an item of a reasoning step whose reasoning is left out", async () => {
    await using server = await modelServer({ reasoning: "Hm.", text: "Hello." }, { text: "Again." }, { text: "Yes." });
    const ask = async (input: unknown) => {
      const body = JSON.stringify({ model: "m", input });
      const response = await fetch(`${server.baseURL}/responses`, { method: "POST", body });
      // The server's own answers have this shape.
      return { status: response.status, body: (await response.json()) as { output: { id: string }[] } };
    };
    const { body } = await ask("Hi");
    expect((await ask([user, body.output[1], user])).status).toBe(400);
    expect((await ask([user, ...body.output, user])).status).toBe(200);
    const unkept = body.output.map(({ id: _, ...item }) => item).slice(1);
    expect((await ask([user, ...unkept, user])).status).toBe(200);
  });

  it("there is nothing else", async () => {
    await using server = await modelServer();
    const response = await fetch(`${server.baseURL}/embeddings`, { method: "POST", body: "{}" });
    expect(response.status).toBe(404);
  });
});

describe("B8: the model server answers as the provider does", () => {
  it("takes valid requests and plays its script, then fails", async () => {
    const messages = [user, asks, told, { role: "assistant", content: "Hello." }, user];
    const chat = await post("chat/completions", { model: "m", messages }, { text: "Hello." });
    expect([chat.status, chat.server.refusals]).toEqual([200, []]);
    expect(JSON.parse(chat.text)).toMatchObject({ choices: [{ message: { content: "Hello." } }] });
    const input = [user, thought, call, output, said, user];
    const calls = [{ id: "c2", name: "weather", arguments: "{}" }];
    const responses = await post("responses", { model: "m", input }, { calls });
    expect(JSON.parse(responses.text)).toMatchObject({ output: [{ type: "function_call", call_id: "c2" }] });
    expect((await post("responses", { model: "m", input: "Hi" })).status).toBe(500);
    expect((await post("responses", { model: "m", input: "Hi" }, { status: 429 })).status).toBe(429);
  });

  it.each(["chat/completions", "responses"] as const)(
    "%s: streams, fails and breaks off in the middle",
    async (api) => {
      const body = { model: "m", stream: true, ...(api === "responses" ? { input: "Hi" } : { messages: [user] }) };
      const text = "one two three";
      expect((await post(api, body, { text })).text).toMatch(/three.*(response.completed|\[DONE\])/s);
      const failed = await post(api, body, { text, failAfter: 2 });
      expect(failed.text).toMatch(/two.*failed/s);
      expect(failed.text).not.toContain("three");
      expect((await post(api, body, { text, dropAfter: 1 })).text).toBe("cut");
    },
  );
});
