import { createMemory, inMemoryStore } from "@throughline/core";
import { expect, test } from "vitest";
import { callMemoryTool, toolDefinitions } from "./call-memory-tool.ts";
import { conversationRef } from "./conversation-ref.ts";
import { imageType } from "./image-type.ts";
import { nativeForm } from "./native-form.ts";
import { jsonOrText, toolResultEvents } from "./tool-events.ts";

test("B1: a conversation is the first text that names it, and none is made up", () => {
  const named = { id: [undefined, "", {}, "t", "u", 7], subject: [null, "ada"], login: [] };
  expect(conversationRef(named)).toEqual({ id: "t", subject: "ada" });
  expect(conversationRef({ ...named, id: ["", {}] })).toBeNull();
});

test("B1: a number is refused, and nobody else taken for whom it names", () => {
  const named = { id: ["t"], subject: [undefined, 42, "eve"], login: [] };
  expect(() => conversationRef(named)).toThrow(expect.objectContaining({ code: "INVALID_ID" }));
  expect(() => conversationRef({ ...named, subject: ["ada", 42], id: [7n, "t"] })).toThrow(
    expect.objectContaining({ code: "INVALID_ID" }),
  );
});

test("B4: a native form holds what is there, under the host's name, and nothing where nothing is", () => {
  expect(nativeForm("host@1", { as: "text", rest: undefined })).toEqual({
    native: { format: "host@1", value: { as: "text" } },
  });
  expect(nativeForm("host@1", { rest: undefined })).toEqual({});
});

test("B4: an image is told by its first bytes, and nothing else is", () => {
  expect([imageType("/9j/4AAQ"), imageType("iVBORw0KGgo="), imageType("aGVsbG8=")]).toEqual([
    "image/jpeg",
    "image/png",
    undefined,
  ]);
});

test("N2: the memory's own tools are told as what they did, unless they failed", () => {
  const result = { callId: "1", tool: "memory_remember", output: "Remembered." };
  expect(toolResultEvents(result)).toEqual([
    { type: "tool_result", ...result },
    { type: "memory", action: "remembered" },
  ]);
  expect(toolResultEvents({ ...result, isError: true })).toHaveLength(1);
  expect(toolResultEvents({ ...result, tool: "toString" })).toHaveLength(1);
  expect([jsonOrText({ a: undefined }), jsonOrText(7n)]).toEqual([{}, "7"]);
});

test("B3: a memory tool whose conversation can't be found answers the model and tells the app", async () => {
  const memory = createMemory({ agent: "a", env: {}, store: inMemoryStore() });
  const [tool] = toolDefinitions(memory, { only: ["memory_remember"] });
  if (tool === undefined) throw new Error("The tool was selected.");
  const told: unknown[] = [];
  const report = (error: unknown) => void told.push(error);
  const find = () => memory.conversation({ id: "c", subject: "ada" });
  const failure = new Error("nobody is named");
  const lost = () => Promise.reject(failure);
  expect(await callMemoryTool(tool, { key: "tea", value: "green" }, { find: lost, report })).toMatch(/not available/);
  expect(told).toEqual([failure]);
  await callMemoryTool(tool, { key: "tea", value: "green" }, { find, report });
  expect([await find().recall("tea"), told.length]).toEqual(["green", 1]);
});
