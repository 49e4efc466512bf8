import { MemoryError, type MessageInput } from "@throughline/core";
import { type ModelMessage, modelMessageSchema } from "ai";
import { describe, expect, test } from "vitest";
import { fromModelMessages } from "./from-model-messages.ts";
import { toModelMessages } from "./to-model-messages.ts";

/** Through the neutral form, through JSON as a store keeps it, and back. */
const roundTrip = (messages: readonly ModelMessage[], exact: boolean): ModelMessage[] =>
  toModelMessages(JSON.parse(JSON.stringify(fromModelMessages(messages))) as MessageInput[], { exact });

const isValid = (messages: readonly ModelMessage[]): boolean =>
  messages.every((message) => modelMessageSchema.safeParse(message).success);

const tool = (output: unknown): ModelMessage[] =>
  [
    { role: "assistant", content: [{ type: "tool-call", toolCallId: "c", toolName: "t", input: { a: 1 } }] },
    { role: "tool", content: [{ type: "tool-result", toolCallId: "c", toolName: "t", output }] },
  ] as ModelMessage[];

describe("B4: what the AI SDK holds comes back", () => {
  test.each<[string, ModelMessage[]]>([
    ["a text", [{ role: "user", content: "Hi" }]],
    [
      "a reasoning with its signature",
      [
        {
          role: "assistant",
          content: [
            { type: "reasoning", text: "Hm", providerOptions: { anthropic: { signature: "s" } } },
            { type: "text", text: "Hi" },
          ],
        },
      ],
    ],
    ["a message's own provider options", [{ role: "user", content: "Hi", providerOptions: { p: { cache: true } } }]],
    [
      "a part's provider options",
      [{ role: "user", content: [{ type: "text", text: "Hi", providerOptions: { p: { cache: true } } }] }],
    ],
    [
      "a file in base64",
      [{ role: "user", content: [{ type: "file", data: "AAEC", mediaType: "application/pdf", filename: "a.pdf" }] }],
    ],
    [
      "a file by address",
      [{ role: "user", content: [{ type: "file", data: new URL("https://a.example/x.png"), mediaType: "image/png" }] }],
    ],
    [
      "a text file",
      [{ role: "user", content: [{ type: "file", data: { type: "text", text: "käse" }, mediaType: "text/plain" }] }],
    ],
    [
      "a file that a provider keeps",
      [
        {
          role: "user",
          content: [
            {
              type: "file",
              data: { type: "reference", reference: { openai: "file-1" } },
              mediaType: "application/pdf",
            },
          ],
        },
      ],
    ],
    [
      "a reasoning file",
      [
        {
          role: "assistant",
          content: [
            { type: "reasoning-file", data: "AAEC", mediaType: "image/png" },
            { type: "text", text: "x" },
          ],
        },
      ],
    ],
    [
      "a custom part",
      [
        {
          role: "assistant",
          content: [{ type: "custom", kind: "openai.compaction", providerOptions: { openai: { itemId: "cmp" } } }],
        },
      ],
    ],
    ["a tool's text", tool({ type: "text", value: "x" })],
    ["a tool's JSON", tool({ type: "json", value: { a: [1, null] } })],
    ["a tool's JSON that is a text", tool({ type: "json", value: "x" })],
    ["a tool's JSON that looks like parts", tool({ type: "json", value: [{ type: "text", text: "x" }] })],
    ["a tool's error", tool({ type: "error-text", value: "x" })],
    ["a tool's error in JSON", tool({ type: "error-json", value: { code: 1 } })],
    ["a denial with its reason", tool({ type: "execution-denied", reason: "no" })],
    ["a denial without a reason", tool({ type: "execution-denied" })],
    ["a tool's output's provider options", tool({ type: "text", value: "x", providerOptions: { p: { a: 1 } } })],
    [
      "a tool's content",
      tool({
        type: "content",
        value: [
          { type: "text", text: "x", providerOptions: { p: { a: 1 } } },
          { type: "file", data: { type: "data", data: "AAEC" }, mediaType: "image/png" },
          { type: "file", data: { type: "url", url: new URL("https://a.example/x.png") }, mediaType: "image/png" },
          { type: "custom", providerOptions: { p: { a: 1 } } },
        ],
      }),
    ],
    [
      "a tool that the provider ran",
      [
        {
          role: "assistant",
          content: [
            { type: "tool-call", toolCallId: "c", toolName: "web", input: {}, providerExecuted: true },
            { type: "tool-result", toolCallId: "c", toolName: "web", output: { type: "json", value: {} } },
            { type: "text", text: "x" },
          ],
        },
      ],
    ],
    [
      "a pending approval",
      [
        {
          role: "assistant",
          content: [
            { type: "tool-call", toolCallId: "c", toolName: "t", input: {} },
            { type: "tool-approval-request", approvalId: "a", toolCallId: "c", reason: "costly", signature: "s" },
          ],
        },
        { role: "tool", content: [{ type: "tool-approval-response", approvalId: "a", approved: false, reason: "no" }] },
      ],
    ],
  ])("%s", (_, messages) => {
    expect(isValid(messages)).toBe(true);
    const back = roundTrip(messages, true);
    expect(back).toEqual(messages);
    expect(isValid(back)).toBe(true);
  });

  test("bytes, data URLs and images come back as base64 of the right type", () => {
    const png = new Uint8Array([137, 80, 78, 71, 13, 10, 26, 10]);
    const back = roundTrip(
      [
        {
          role: "user",
          content: [
            { type: "file", data: png, mediaType: "image/png" },
            { type: "file", data: png.buffer, mediaType: "image/png" },
            { type: "file", data: { type: "data", data: png }, mediaType: "image/png" },
            { type: "file", data: new URL("data:image/png;base64,iVBORw0KGgo="), mediaType: "image/*" },
            { type: "image", image: png },
          ],
        },
      ],
      false,
    );
    const file = { type: "file", data: "iVBORw0KGgo=", mediaType: "image/png" };
    expect(back).toEqual([{ role: "user", content: [file, file, file, file, file] }]);
  });

  test("older forms of a tool's content come back in the new one", () => {
    const [, result] = roundTrip(
      tool({
        type: "content",
        value: [
          { type: "image-data", data: "AAEC", mediaType: "image/png" },
          { type: "file-url", url: "https://a.example/x.pdf", mediaType: "application/pdf" },
        ],
      }),
      false,
    );
    expect(result?.content[0]).toMatchObject({
      output: {
        type: "content",
        value: [
          { type: "file", data: { type: "data", data: "AAEC" }, mediaType: "image/png" },
          {
            type: "file",
            data: { type: "url", url: new URL("https://a.example/x.pdf") },
            mediaType: "application/pdf",
          },
        ],
      },
    });
  });

  test("dates and undefined members of a tool's values become what the wire shows", () => {
    const input = { at: new Date(0), no: undefined, deep: { list: [undefined] } };
    const [message] = fromModelMessages([
      { role: "assistant", content: [{ type: "tool-call", toolCallId: "c", toolName: "t", input }] },
    ]);
    expect(message?.parts).toMatchObject([{ input: { at: "1970-01-01T00:00:00.000Z", deep: { list: [null] } } }]);
  });

  test("native is left out where the neutral form holds everything", () => {
    const [message] = fromModelMessages([{ role: "user", content: [{ type: "text", text: "Hi" }] }]);
    expect(message).toEqual({ role: "user", parts: [{ type: "text", text: "Hi" }] });
  });

  test("native never holds the content", () => {
    const [message] = fromModelMessages([
      { role: "user", content: [{ type: "text", text: "secret words", providerOptions: { p: { a: 1 } } }] },
    ]);
    const native = message?.parts?.[0]?.native;
    expect(native).toBeDefined();
    expect(JSON.stringify(native)).not.toContain("secret");
  });
});

describe("B4: what can't be carried raises UNSUPPORTED_CONTENT", () => {
  const codeOf = (run: () => unknown): string | undefined => {
    try {
      run();
    } catch (error) {
      if (MemoryError.isInstance(error)) return error.code;
    }
    return undefined;
  };
  const cycle: { self?: unknown } = {};
  cycle.self = cycle;

  test.each<[string, unknown]>([
    ["a part of an unknown type", { role: "user", content: [{ type: "hologram" }] }],
    ["a tool output of an unknown type", tool({ type: "hologram" })[1]],
    [
      "an input that is a cycle",
      { role: "assistant", content: [{ type: "tool-call", toolCallId: "c", toolName: "t", input: cycle }] },
    ],
    [
      "an input with a big integer",
      { role: "assistant", content: [{ type: "tool-call", toolCallId: "c", toolName: "t", input: { n: 1n } }] },
    ],
  ])("%s", (_, message) => {
    expect(codeOf(() => fromModelMessages([message as ModelMessage]))).toBe("UNSUPPORTED_CONTENT");
  });

  test("a part of another framework, or its owner is told and the rest is kept", () => {
    const parts = [{ type: "custom", kind: "other.thing", value: 1 } as const, { type: "text", text: "x" } as const];
    const message: MessageInput = { role: "assistant", parts };
    expect(codeOf(() => toModelMessages([message]))).toBe("UNSUPPORTED_CONTENT");
    const told: string[] = [];
    expect(toModelMessages([message], { onUnsupported: ({ code }) => told.push(code) })).toEqual([
      { role: "assistant", content: "x" },
    ]);
    expect(told).toEqual(["UNSUPPORTED_CONTENT"]);
  });
});

describe("W14: the portable form", () => {
  test("leaves out reasoning, item ids, the provider's own tools and settled approvals", () => {
    const messages = roundTrip(
      [
        {
          role: "assistant",
          content: [
            { type: "reasoning", text: "Hm", providerOptions: { openai: { itemId: "rs" } } },
            { type: "tool-call", toolCallId: "w", toolName: "web", input: {}, providerExecuted: true },
            { type: "tool-result", toolCallId: "w", toolName: "web", output: { type: "json", value: {} } },
            {
              type: "tool-call",
              toolCallId: "c",
              toolName: "t",
              input: {},
              providerOptions: { openai: { itemId: "fc" } },
            },
            { type: "tool-approval-request", approvalId: "a", toolCallId: "c" },
          ],
        },
        { role: "tool", content: [{ type: "tool-approval-response", approvalId: "a", approved: true }] },
        {
          role: "tool",
          content: [{ type: "tool-result", toolCallId: "c", toolName: "t", output: { type: "text", value: "x" } }],
        },
      ],
      false,
    );
    expect(messages).toEqual([
      { role: "assistant", content: [{ type: "tool-call", toolCallId: "c", toolName: "t", input: {} }] },
      {
        role: "tool",
        content: [{ type: "tool-result", toolCallId: "c", toolName: "t", output: { type: "text", value: "x" } }],
      },
    ]);
  });

  test("keeps an approval of another framework that is pending, named by its call", () => {
    expect(
      toModelMessages([
        {
          role: "assistant",
          parts: [
            { type: "tool-call", callId: "c", tool: "t", input: {} },
            { type: "approval", callId: "c", state: "requested" },
          ],
        },
        { role: "tool", parts: [{ type: "approval", callId: "c", state: "approved" }] },
      ]),
    ).toEqual([
      {
        role: "assistant",
        content: [
          { type: "tool-call", toolCallId: "c", toolName: "t", input: {} },
          { type: "tool-approval-request", toolCallId: "c", approvalId: "c" },
        ],
      },
      { role: "tool", content: [{ type: "tool-approval-response", approvalId: "c", approved: true }] },
    ]);
  });

  test("names a file whose content is kept as an artifact", () => {
    expect(
      toModelMessages([
        { role: "user", parts: [{ type: "file", mediaType: "text/csv", artifact: "art-1", name: "a.csv" }] },
      ]),
    ).toEqual([{ role: "user", content: "[file a.csv, artifact art-1]" }]);
  });
});
