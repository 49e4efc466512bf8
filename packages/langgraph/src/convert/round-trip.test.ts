import {
  AIMessage,
  type BaseMessage,
  ChatMessage,
  HumanMessage,
  SystemMessage,
  ToolMessage,
} from "@langchain/core/messages";
import { createMemory, inMemoryStore } from "@throughline/core";
import {
  type Arbitrary,
  array,
  assert,
  asyncProperty,
  base64String,
  boolean,
  constant,
  constantFrom,
  dictionary,
  integer,
  jsonValue,
  oneof,
  option,
  property,
  record,
  string,
  uint8Array,
  uniqueArray,
} from "fast-check";
import { describe, expect, test } from "vitest";
import { fromLangChainMessages } from "./from-langchain-messages.ts";
import { toLangChainMessages } from "./to-langchain-messages.ts";

// What the host itself keeps of a message as it stores one: JSON.
const json = (value: unknown) => JSON.parse(JSON.stringify(value));
const stored = (messages: readonly BaseMessage[]) =>
  messages.map((message) => json({ type: message.type, ...message.toDict().data }));

const word = string({ minLength: 1, maxLength: 8 });
const id = string({ minLength: 1, maxLength: 8, unit: "grapheme-ascii" }).filter((text) => text.trim() !== "");
const args = dictionary(word, jsonValue({ maxDepth: 2 }), { maxKeys: 3 }).map(json);
const extra = option(
  record({ index: integer({ min: 0, max: 9 }), cache_control: constant({ type: "ephemeral" }) }, { requiredKeys: [] }),
  { nil: {} },
);
const mime = constantFrom("image/png", "audio/wav", "application/pdf");
const dataUrl = base64String().map((data) => `data:image/png;base64,${data}`);
const address = constantFrom("https://example.com/a.png", "https://example.com/b.pdf");

const block: Arbitrary<object> = oneof(
  record({ type: constant("text"), text: string() }),
  record({ type: constant("reasoning"), reasoning: string() }),
  record({ type: constant("thinking"), thinking: string(), signature: word }),
  record({ type: constant("redacted_thinking"), data: word }),
  record({ type: constant("image_url"), image_url: oneof(dataUrl, address) }),
  record({
    type: constant("image_url"),
    image_url: record({ url: oneof(dataUrl, address), detail: constantFrom("low", "high") }),
  }),
  record({
    type: constant("input_audio"),
    input_audio: record({ data: base64String(), format: constantFrom("wav", "mp3") }),
  }),
  record({ type: constant("file"), file: record({ file_data: dataUrl, filename: word }) }),
  record({ type: constant("file"), file: record({ file_id: word }) }),
  record({
    type: constantFrom("image", "audio", "file"),
    source_type: constant("base64"),
    mime_type: mime,
    data: base64String(),
    metadata: record({ filename: word }),
  }),
  record({ type: constantFrom("image", "audio", "file"), source_type: constant("url"), url: address }),
  record({ type: constantFrom("image", "audio", "video", "file"), mimeType: mime, data: base64String() }),
  record({ type: constantFrom("image", "video"), url: address, id: word }),
  record({ type: constant("image"), fileId: word }),
  record({ type: constant("text-plain"), mimeType: constant("text/plain"), text: string(), title: word }),
  record({ type: constant("server_tool_call"), id, name: word, args }),
  record({ type: constant("server_tool_call_result"), toolCallId: id, status: constant("success"), output: args }),
  record({ type: constant("document"), source: record({ type: constant("text"), data: string() }) }),
  record({ type: constant("non_standard"), value: args }),
).chain((made) => extra.map((more) => json({ ...made, ...more })));

const content = oneof(string(), array(block, { maxLength: 4 }));
const fields = {
  id: option(id, { nil: undefined }),
  name: option(word, { nil: undefined }),
  additional_kwargs: option(args, { nil: {} }),
  response_metadata: option(record({ model_name: word, logprobs: jsonValue().map(json) }), { nil: {} }),
};
const call = record({ id, name: word, args, type: constant("tool_call" as const) });

const human = record({ content, ...fields }).map((made) => new HumanMessage(made as never));
const system = record({ content, ...fields }).map((made) => new SystemMessage(made as never));
const chat = record({ content, role: constantFrom("user", "developer", "critic"), ...fields }).map(
  (made) => new ChatMessage(made as never),
);
const assistant = record({
  content,
  ...fields,
  calls: uniqueArray(call, { selector: (made) => made.id, maxLength: 3 }),
  inContent: boolean(),
  usage_metadata: option(record({ input_tokens: integer(), output_tokens: integer(), total_tokens: integer() }), {
    nil: undefined,
  }),
  invalid_tool_calls: option(
    array(record({ id, name: word, args: word, error: word, type: constant("invalid_tool_call") }), {
      minLength: 1,
      maxLength: 1,
    }),
    { nil: [] },
  ),
}).map(({ calls, inContent, ...made }) => {
  const blocks = calls
    .toReversed()
    .map(({ id: callId, name, args: input }) => ({ type: "tool_use", id: callId, name, input }));
  const all = inContent && Array.isArray(made.content) ? [...made.content, ...blocks] : made.content;
  return new AIMessage({ ...made, content: all, tool_calls: calls } as never);
});
const toolResult = record({
  content,
  ...fields,
  tool_call_id: id,
  status: constantFrom(undefined, "success", "error"),
  artifact: option(jsonValue().map(json), { nil: undefined }),
  metadata: option(args, { nil: undefined }),
}).map((made) => new ToolMessage(made as never));
const messages = array(oneof(human, system, chat, assistant, toolResult), { maxLength: 6 });

describe("within LangChain", () => {
  test("B4: whatever a message holds comes back as it was", () => {
    assert(
      property(messages, (given) => {
        const back = toLangChainMessages(fromLangChainMessages(given), { exact: true });
        expect(stored(back)).toEqual(stored(given));
      }),
      { numRuns: 500 },
    );
  });

  test("B4: through a store as well", async () => {
    await assert(
      asyncProperty(array(oneof(assistant, toolResult), { minLength: 1, maxLength: 4 }), async (given) => {
        const memory = createMemory({ agent: "a", store: inMemoryStore() });
        const conversation = memory.conversation({ id: "c" });
        const unique = given.map((message, index) => Object.assign(message, { id: `m${index}` }));
        await conversation.record({
          id: "t",
          messages: [{ id: "q", role: "user", content: "?" }, ...fromLangChainMessages(unique)],
        });
        const { turns } = await conversation.transcript();
        const back = toLangChainMessages(turns[0]?.messages.slice(1) ?? [], { exact: true });
        expect(stored(back)).toEqual(stored(unique));
      }),
      { numRuns: 100 },
    );
  });

  test("B4: bytes stay bytes", () => {
    assert(
      property(uint8Array(), (data) => {
        const given = new HumanMessage({ content: [{ type: "image", mimeType: "image/png", data }] });
        const [back] = toLangChainMessages(fromLangChainMessages([given]), { exact: true });
        expect(back?.content).toEqual(given.content);
      }),
    );
  });
});

describe("for another provider", () => {
  test("W14: what is shown holds no thinking, no metadata and no provider's own id or block", () => {
    assert(
      property(messages, (given) => {
        for (const made of toLangChainMessages(fromLangChainMessages(given))) {
          if (made.type === "ai") expect(made.id).toBeUndefined();
          expect(made.response_metadata).toEqual({});
          const types = typeof made.content === "string" ? [] : made.content.map(({ type }) => type);
          expect(types.filter((type) => !["text", "image_url", "file", "audio"].includes(type))).toEqual([]);
        }
      }),
    );
  });
});
