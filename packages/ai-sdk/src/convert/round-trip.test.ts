import type { JsonObject, MessageInput } from "@throughline/core";
import { type ModelMessage, modelMessageSchema } from "ai";
import fc from "fast-check";
import { expect, test } from "vitest";
import { fromModelMessages } from "./from-model-messages.ts";
import { toModelMessages } from "./to-model-messages.ts";

const key = fc.stringMatching(/^[a-z]{1,8}$/);
// Minus zero has no form in JSON.
const json = fc.jsonValue({ maxDepth: 2 }).map((value) => JSON.parse(JSON.stringify(value)));
const object = fc.dictionary(key, json, { minKeys: 1, maxKeys: 2 });

/** A part, sometimes with provider options as a provider adds them. */
const withOptions = <Part extends object>(
  part: fc.Arbitrary<Part>,
): fc.Arbitrary<Part & { providerOptions?: JsonObject }> =>
  fc.oneof(
    part,
    fc.tuple(part, object).map(([value, options]) => ({ ...value, providerOptions: { openai: options } })),
  );

const base64 = fc.uint8Array({ maxLength: 24 }).map((bytes) => Buffer.from(bytes).toString("base64"));
const text = withOptions(fc.record({ type: fc.constant("text"), text: fc.string({ minLength: 1 }) }));
const reasoning = withOptions(fc.record({ type: fc.constant("reasoning"), text: fc.string() }));
const inlineFile = fc.record({
  type: fc.constant("file"),
  data: fc.record({ type: fc.constant("data"), data: base64 }),
  mediaType: fc.constant("image/png"),
});
const file = withOptions(
  fc.record({
    type: fc.constant("file"),
    data: fc.oneof(
      base64,
      fc.webUrl().map((url) => new URL(url)),
      fc.record({ type: fc.constant("text"), text: fc.string() }),
      fc.record({ type: fc.constant("reference"), reference: fc.dictionary(key, fc.string(), { minKeys: 1 }) }),
    ),
    mediaType: fc.constantFrom("image/png", "application/pdf"),
  }),
);
const output = fc.oneof(
  fc.record({ type: fc.constantFrom("text", "error-text"), value: fc.string() }),
  fc.record({ type: fc.constantFrom("json", "error-json"), value: json }),
  fc.record({
    type: fc.constant("json"),
    value: fc.array(fc.record({ type: fc.constant("text"), text: fc.string() })),
  }),
  fc.record({ type: fc.constant("execution-denied"), reason: fc.string() }),
  fc.record({
    type: fc.constant("content"),
    value: fc.array(fc.oneof(text, inlineFile), { minLength: 1, maxLength: 3 }),
  }),
);

/** Parallel calls and their results. */
const step = fc
  .array(fc.record({ id: fc.uuid(), call: withOptions(fc.record({ input: json })), output }), {
    minLength: 1,
    maxLength: 3,
  })
  .map((calls) => [
    {
      role: "assistant",
      content: calls.map(({ id, call }) => ({ type: "tool-call", toolCallId: id, toolName: "t", ...call })),
    },
    {
      role: "tool",
      content: calls.map(({ id, output: value }) => ({
        type: "tool-result",
        toolCallId: id,
        toolName: "t",
        output: value,
      })),
    },
  ]);

const said = (role: string, ...parts: fc.Arbitrary<object>[]) =>
  fc.array(fc.oneof(...parts), { minLength: 1, maxLength: 3 }).map((content) => [{ role, content }]);

// The arbitraries build messages by their documented shapes; the SDK's schema confirms it below.
const transcript = fc
  .array(fc.oneof(said("user", text, file), said("assistant", text, reasoning), step), { maxLength: 6 })
  .map((messages) => messages.flat() as unknown as ModelMessage[]);

/** Through the neutral form, through JSON as a store keeps it, and back. */
const roundTrip = (messages: readonly ModelMessage[], exact: boolean): ModelMessage[] =>
  toModelMessages(JSON.parse(JSON.stringify(fromModelMessages(messages))) as MessageInput[], { exact });

const isValid = (messages: readonly ModelMessage[]): boolean =>
  messages.every((message) => modelMessageSchema.safeParse(message).success);

/** One text part and a text are the same message. */
const normal = (messages: readonly ModelMessage[]) =>
  messages.map((message) => {
    const [only, ...others] = typeof message.content === "string" ? [] : message.content;
    const isText = only?.type === "text" && others.length === 0 && only.providerOptions === undefined;
    return isText ? { ...message, content: only.text } : message;
  });

const runs = { numRuns: 150 };

test("B4: any transcript comes back exactly, as messages the SDK takes", () => {
  fc.assert(
    fc.property(transcript, (messages) => {
      expect(isValid(messages)).toBe(true);
      const back = roundTrip(messages, true);
      expect(normal(back)).toEqual(normal(messages));
      expect(isValid(back)).toBe(true);
    }),
    runs,
  );
});

test("W14: any transcript is valid in the portable form, each result behind its call, nothing of a provider", () => {
  fc.assert(
    fc.property(transcript, (messages) => {
      const portable = roundTrip(messages, false);
      expect(isValid(portable)).toBe(true);
      const calls = new Set<string>();
      for (const part of portable.flatMap(({ content }) => (typeof content === "string" ? [] : [...content]))) {
        expect(part).not.toHaveProperty("providerOptions");
        expect(part.type).not.toBe("reasoning");
        if (part.type === "tool-call") calls.add(part.toolCallId);
        if (part.type === "tool-result") expect(calls).toContain(part.toolCallId);
      }
    }),
    runs,
  );
});

test("B4: what a provider's options name __proto__ comes back too", () => {
  const options = JSON.parse('{"openai":{"a":{"__proto__":"x"}}}');
  const given: ModelMessage[] = [
    {
      role: "user",
      content: [
        { type: "text", text: "hi", providerOptions: options },
        { type: "text", text: "there" },
      ],
    },
  ];
  const [back] = roundTrip(given, true);
  expect(JSON.stringify(back)).toBe(JSON.stringify(given[0]));
});

test("B4: any transcript has the same neutral form after a second trip", () => {
  fc.assert(
    fc.property(transcript, (messages) => {
      const once = JSON.parse(JSON.stringify(fromModelMessages(messages)));
      expect(fromModelMessages(toModelMessages(once, { exact: true }))).toEqual(once);
    }),
    runs,
  );
});
