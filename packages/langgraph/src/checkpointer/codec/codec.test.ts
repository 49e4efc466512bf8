import { isDeepStrictEqual } from "node:util";
import { Document } from "@langchain/core/documents";
import {
  AIMessage,
  AIMessageChunk,
  type BaseMessage,
  ChatMessage,
  FunctionMessage,
  HumanMessage,
  HumanMessageChunk,
  RemoveMessage,
  SystemMessage,
  ToolMessage,
  ToolMessageChunk,
} from "@langchain/core/messages";
import { Command, Overwrite, Send } from "@langchain/langgraph";
import { DeltaSnapshot } from "@langchain/langgraph-checkpoint";
import { MemoryError } from "@throughline/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decode } from "./decode.ts";
import { encode, type UnknownValues } from "./encode.ts";

const roundTrip = (value: unknown): unknown => decode(encode(value));

function codeOf(work: () => unknown): unknown {
  try {
    work();
    return "nothing was thrown";
  } catch (error) {
    return MemoryError.isInstance(error) ? [error.code, error.details?.path] : error;
  }
}

describe("L3: what JSON has no form for", () => {
  const values: Record<string, unknown> = {
    undefined: undefined,
    NaN: Number.NaN,
    Infinity,
    "-Infinity": -Infinity,
    "-0": -0,
    bigint: 12345678901234567890n,
    "negative bigint": -7n,
    date: new Date("2026-01-02T03:04:05.678Z"),
    "invalid date": new Date(Number.NaN),
    map: new Map<unknown, unknown>([
      [1, "one"],
      [{ key: true }, new Date(5)],
      ["m", new Map([["in", 1n]])],
    ]),
    set: new Set<unknown>([1, "one", new Set([undefined])]),
    "regular expression": /a[\]/"]+/giu,
    url: new URL("https://example.org/a?b=c#d"),
    Uint8Array: new Uint8Array([0, 255, 254, 1]),
    Float32Array: new Float32Array([0.5, -0, Number.NaN]),
    Float64Array: new Float64Array([Math.PI]),
    BigInt64Array: new BigInt64Array([-1n, 2n]),
    "Int16Array over a part": new Int16Array(new Int16Array([1, 2, 3, 4]).buffer, 2, 2),
    Buffer: Buffer.from([0, 255, 10]),
    ArrayBuffer: new Uint8Array([1, 2, 3]).buffer,
    DataView: new DataView(new Uint8Array([9, 8]).buffer),
    "no prototype": Object.assign(Object.create(null), { a: 1 }),
    "holes in an array": Object.assign(Array(3), { 0: 1, 2: 3 }),
    "undefined in an array": [undefined, null],
    "undefined member": { a: undefined, b: [{ c: undefined }] },
    "marks of ours": { "~1": ["d", 0], nested: { "~2": 1 }, "~": 1 },
    "a member called __proto__": JSON.parse('{"__proto__":{"polluted":true},"a":{"__proto__":[1]}}'),
  };

  for (const [name, value] of Object.entries(values)) {
    it(`L3: ${name} comes back as it was, alone and nested`, () => {
      expect(roundTrip(value)).toStrictEqual(value);
      expect(roundTrip({ deep: [{ in: value }, value] })).toStrictEqual({ deep: [{ in: value }, value] });
      expect(Object.prototype).not.toHaveProperty("polluted");
    });
  }

  it("L3: -0 stays -0, and a member called __proto__ changes no prototype", () => {
    expect(Object.is(roundTrip(-0), -0)).toBe(true);
    const back = roundTrip({ ["__proto__"]: { x: 1 }, date: new Date(1) });
    expect(Object.getPrototypeOf(back)).toBe(Object.prototype);
    expect(Object.keys(back as object)).toEqual(["__proto__", "date"]);
  });

  it("L3: an error keeps its class, name, message, stack, cause, code and members", () => {
    class QuotaError extends RangeError {
      readonly limit = 5;
      get code() {
        return "QUOTA";
      }
    }
    const error = new QuotaError("too much", { cause: new TypeError("because") });
    const back = roundTrip({ error }) as { error: RangeError & { limit: number; code: string } };
    expect(back.error).toBeInstanceOf(RangeError);
    expect(back.error).toMatchObject({ message: "too much", limit: 5, code: "QUOTA" });
    expect(back.error.name).toBe("RangeError");
    expect(back.error.stack).toBe(error.stack);
    expect(back.error.cause).toBeInstanceOf(TypeError);
    const plain = roundTrip(new (class Lost extends Error {})("gone")) as Error;
    expect([plain.name, plain.message, plain instanceof Error]).toEqual(["Lost", "gone", true]);
    const many = roundTrip(new AggregateError([new Error("a"), 1], "many")) as AggregateError;
    expect(many).toBeInstanceOf(AggregateError);
    expect(many.errors).toEqual([new Error("a"), 1]);
    const memory = roundTrip(new MemoryError("NOT_FOUND", "not there")) as MemoryError;
    expect([memory.name, memory.code]).toEqual(["MemoryError", "NOT_FOUND"]);
  });
});

describe("L3: what LangChain and LangGraph put into states", () => {
  const messages: BaseMessage[] = [
    new HumanMessage("hello"),
    new HumanMessage({
      content: [{ type: "text", text: "hi" }],
      name: "ann",
      id: "1",
      additional_kwargs: { at: new Date(1) },
    }),
    new AIMessage({
      content: "",
      tool_calls: [{ name: "search", args: { q: "x" }, id: "c1", type: "tool_call" }],
      invalid_tool_calls: [{ name: "bad", args: "{", id: "c2", error: "no JSON", type: "invalid_tool_call" }],
      usage_metadata: { input_tokens: 1, output_tokens: 2, total_tokens: 3 },
      response_metadata: { model: "m", finished: true },
    }),
    // The provider's own form without ours, which the constructor would work out anew.
    Object.assign(new AIMessage({ content: "x" }), {
      additional_kwargs: { tool_calls: [{ id: "c", type: "function", function: { name: "f", arguments: "{}" } }] },
    }),
    new AIMessage({ content: [{ type: "text", text: "v1" }], response_metadata: { output_version: "v1" } }),
    new AIMessageChunk({
      content: "par",
      tool_call_chunks: [{ name: "search", args: '{"q":', id: "c1", index: 0, type: "tool_call_chunk" }],
    }),
    new HumanMessageChunk({ content: "chunk" }),
    new SystemMessage({ content: "be kind", id: "s" }),
    new ToolMessage({
      content: "found",
      tool_call_id: "c1",
      status: "error",
      artifact: { bytes: new Uint8Array([1]) },
    }),
    new ToolMessageChunk({ content: "fo", tool_call_id: "c1" }),
    new FunctionMessage({ content: "old", name: "f" }),
    new ChatMessage({ content: "any", role: "critic" }),
    new RemoveMessage({ id: "gone" }),
    new HumanMessage({ content: "more", custom: { kept: 1n } } as unknown as { content: string }),
  ];

  for (const message of messages) {
    it(`L3: ${message.constructor.name} (${messages.indexOf(message)}) keeps its class and all that it holds`, () => {
      const back = roundTrip([message]) as BaseMessage[];
      expect(back[0]).toBeInstanceOf(message.constructor);
      expect(back[0]?.constructor).toBe(message.constructor);
      expect(back[0]?.toDict()).toEqual(message.toDict());
      const { lc_kwargs: _kwargs, ...fields } = { ...(message as BaseMessage & { lc_kwargs: unknown }) };
      expect({ ...back[0] }).toMatchObject(fields);
    });
  }

  it("L3: Send, Command, Overwrite, Document and a delta snapshot come back as themselves, nested", () => {
    const send = new Send("node", { when: new Date(5), messages: [new HumanMessage("hi")] }, { timeout: 500 });
    const command = new Command({
      update: { at: new Date(1) },
      resume: undefined,
      goto: [send, "end"],
      graph: Command.PARENT,
    });
    const back = roundTrip({ send, command, list: [new Overwrite([1n]), new DeltaSnapshot([new Map()])] }) as {
      send: Send;
      command: Command;
      list: [Overwrite, DeltaSnapshot];
    };
    expect(back.send).toBeInstanceOf(Send);
    expect(back.send).toEqual(send);
    expect((back.send.args as { messages: unknown[] }).messages[0]).toBeInstanceOf(HumanMessage);
    expect(back.command).toBeInstanceOf(Command);
    expect(back.command).toEqual(command);
    expect(back.list[0]).toBeInstanceOf(Overwrite);
    expect(back.list[0].value).toEqual([1n]);
    expect(back.list[1]).toBeInstanceOf(DeltaSnapshot);
    expect(back.list[1].value).toEqual([new Map()]);
    const document = new Document({ pageContent: "page", metadata: { at: new Date(2) }, id: "d" });
    expect(roundTrip(document)).toBeInstanceOf(Document);
    expect(roundTrip(document)).toEqual(document);
    const interrupt = { id: "i", value: { question: "sure?", at: new Date(3) } };
    expect(roundTrip(interrupt)).toEqual(interrupt);
  });
});

describe("L3: what can't be kept", () => {
  it("L3: a cycle is refused, and the error names its place", () => {
    const inner: Record<string, unknown> = { name: "a" };
    const state = { list: [inner] };
    inner.up = state;
    expect(codeOf(() => encode(state))).toEqual(["UNSUPPORTED_CONTENT", "$.list[0].up"]);
    const map = new Map<string, unknown>();
    map.set("self key", map);
    expect(codeOf(() => encode({ map }))).toEqual(["UNSUPPORTED_CONTENT", '$.map["self key"]']);
    const shared = { a: 1 };
    expect(roundTrip([shared, shared])).toEqual([shared, shared]);
  });

  it("L3: classes of the app's become what JSON makes of them, or are refused by their place", () => {
    class Money {
      amount = 5n;
      print = () => "5";
    }
    class Stamp {
      toJSON() {
        return { stamped: new Date(4) };
      }
    }
    const state = { a: [new Money()], b: new Stamp(), c: () => 1, d: [Symbol("x")] };
    expect(roundTrip(state)).toEqual({ a: [{ amount: 5n }], b: { stamped: new Date(4) }, d: [undefined] });
    const refuse: UnknownValues = "refuse";
    expect(codeOf(() => encode({ a: [new Money()] }, refuse))).toEqual(["UNSUPPORTED_CONTENT", "$.a[0]"]);
    expect(codeOf(() => encode({ c: () => 1 }, refuse))).toEqual(["UNSUPPORTED_CONTENT", "$.c"]);
  });

  it("L3: a value that goes too deep is refused, and one of 300 levels is kept", () => {
    const kinds: ((held: unknown) => unknown)[] = [
      (held) => [held],
      (held) => ({ held }),
      (held) => new Map([["held", held]]),
      (held) => Object.assign(Object.create(null), { held }),
    ];
    for (const wrap of kinds) {
      const nest = (levels: number): unknown => {
        let value: unknown = 1n;
        for (let level = 0; level < levels; level++) value = wrap(value);
        return value;
      };
      expect(roundTrip(nest(0))).toBe(1n);
      expect(encode(roundTrip(nest(300)))).toBe(encode(nest(300)));
      for (const levels of [302, 1_000, 50_000]) {
        expect(codeOf(() => encode(nest(levels)))).toMatchObject(["UNSUPPORTED_CONTENT", expect.any(String)]);
      }
    }
  });

  it("L3: 10 MB of texts and bytes come back", () => {
    const state = {
      texts: Array.from({ length: 5_000 }, (_, index) => `${index} ${"é中😀".repeat(100)}`),
      bytes: new Uint8Array(4 * 1024 * 1024).map((_, index) => index * 31),
    };
    const text = encode(state);
    expect(text.length).toBeGreaterThan(7_000_000);
    const back = decode(text) as typeof state;
    expect(back.texts).toEqual(state.texts);
    expect(Buffer.compare(back.bytes, state.bytes)).toBe(0);
  });
});

describe("L3: hostile texts", () => {
  it("L3/PR5: no other constructor is ever made, whatever the tag", () => {
    for (const tag of [
      "constructor",
      "__proto__",
      "toString",
      "Function",
      "Mconstructor",
      "M__proto__",
      "Mai ",
      "x",
      "",
    ]) {
      expect(
        codeOf(() => decode(JSON.stringify({ "~1": [tag, { content: "x" }] }))),
        tag,
      ).toMatchObject(["STORE_CORRUPT", undefined]);
    }
    const lc = {
      lc: 1,
      type: "constructor",
      id: ["langchain_core", "messages", "HumanMessage"],
      kwargs: { content: "x" },
    };
    expect(decode(JSON.stringify(lc))).toEqual(lc);
    const lc2 = { lc: 2, type: "constructor", id: ["Map"], method: "from", args: [[[1, 2]]] };
    expect(decode(JSON.stringify(lc2))).toEqual(lc2);
    expect(codeOf(() => decode('{"~2":["d",1]}'))).toMatchObject(["STORE_NEWER", undefined]);
  });

  it("L3/PR5: what a constructor makes nothing of, and what is nested without an end, is STORE_CORRUPT", () => {
    const texts = [
      '{"~1":["b","Float64Array","AAAA"]}',
      '{"~1":["e",{"message":{"toString":1}}]}',
      "[".repeat(200_000) + "]".repeat(200_000),
    ];
    for (const text of texts) expect(codeOf(() => decode(text))).toMatchObject(["STORE_CORRUPT", undefined]);
  });

  it("L3/PR5: any JSON is a value, a STORE_CORRUPT or a STORE_NEWER, and no prototype changes", () => {
    const tags = fc.constantFrom(
      "u",
      "f",
      "n",
      "d",
      "m",
      "s",
      "r",
      "l",
      "e",
      "b",
      "a",
      "o",
      "0",
      "Mai",
      "Mhuman",
      "Mai+",
      "Mtool",
      "Send",
      "Command",
      "Overwrite",
      "DeltaSnapshot",
      "Document",
    );
    const { json } = fc.letrec((tie) => ({
      json: fc.oneof(
        { maxDepth: 4 },
        fc.jsonValue(),
        fc.array(tie("json"), { maxLength: 3 }),
        fc.tuple(tags, tie("json"), tie("json")).map((parts) => ({ "~1": parts })),
        fc
          .tuple(fc.constantFrom("__proto__", "constructor", "prototype", "content"), tie("json"))
          .map(([key, value]) => JSON.parse(`{${JSON.stringify(key)}:${JSON.stringify(value)}}`)),
      ),
    }));
    const before = [Object.prototype, Array.prototype, HumanMessage.prototype, Error.prototype].map((prototype) =>
      Object.getOwnPropertyNames(prototype),
    );
    fc.assert(
      fc.property(json, (value) => {
        try {
          decode(JSON.stringify(value));
        } catch (error) {
          if (!MemoryError.isInstance(error)) throw error;
          expect(["STORE_CORRUPT", "STORE_NEWER"]).toContain(error.code);
        }
      }),
      { numRuns: 3_000 },
    );
    const after = [Object.prototype, Array.prototype, HumanMessage.prototype, Error.prototype].map((prototype) =>
      Object.getOwnPropertyNames(prototype),
    );
    expect(after).toEqual(before);
  });
});

describe("L3: properties", () => {
  const leaf = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.double(),
    fc.bigInt(),
    fc.boolean(),
    fc.constant(null),
    fc.constant(undefined),
    fc.date({ noInvalidDate: false }),
    fc.uint8Array(),
    fc.float32Array(),
    fc.webUrl().map((url) => new URL(url)),
    fc.constantFrom(/x/g, /\//u),
    fc.string().map((content) => new HumanMessage({ content, id: "h" })),
  );
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 5, depthSize: "small" },
      leaf,
      fc.array(tie("value"), { maxLength: 4 }),
      fc.sparseArray(tie("value"), { maxLength: 6, maxNumElements: 3 }),
      fc.dictionary(fc.oneof(fc.string(), fc.constantFrom("~1", "~", "~12", "toJSON", "constructor")), tie("value"), {
        maxKeys: 4,
        noNullPrototype: false,
      }),
      fc.array(fc.tuple(tie("value"), tie("value")), { maxLength: 3 }).map((entries) => new Map(entries)),
      fc.array(tie("value"), { maxLength: 3 }).map((items) => new Set(items)),
    ),
  }));

  it("L3: any value of these comes back the same, and is written the same again", () => {
    fc.assert(
      fc.property(value, (given) => {
        const text = encode(given, "refuse");
        const back = decode(text);
        // Vitest takes a member called constructor for the class.
        expect(isDeepStrictEqual(back, given)).toBe(true);
        expect(encode(back, "refuse")).toBe(text);
        // What is kept is well-formed text without NUL, as every store takes it, and one line.
        expect(text.isWellFormed() && !/[\0\n]/.test(text)).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });
});
