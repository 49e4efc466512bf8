import type { Message, Part } from "@throughline/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readBody, type TurnBody, writeBody } from "./turn-body.ts";

const text = fc.string({ unit: "binary", maxLength: 20 });
const time = fc.constantFrom("2026-01-01T00:00:00.000Z", "2026-01-02T00:00:00.000Z");
const optional = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined });
const part = fc.oneof(
  fc.record({ type: fc.constant("text" as const), text }),
  fc.record({ type: fc.constant("reasoning" as const), text }),
  fc.record({ type: fc.constant("tool-call" as const), callId: text, tool: text, input: fc.jsonValue() }),
) as fc.Arbitrary<Part>;
const message: fc.Arbitrary<Message> = fc.record(
  {
    id: fc.oneof(text, fc.constant("turn-1:0"), fc.constant("turn-1")),
    role: fc.constantFrom("user", "assistant", "tool", "system"),
    parts: fc.array(part, { maxLength: 3 }),
    createdAt: time,
    name: text,
    origin: fc.constantFrom("user", "assistant", "tool", "operator", "memory", "document", "import", "user-confirmed"),
    seq: fc.nat(),
    turn: text,
  },
  { requiredKeys: ["id", "role", "parts", "createdAt"] },
);
const body = fc.record({
  id: fc.oneof(text, fc.constant("turn-1")),
  status: fc.constantFrom("completed", "aborted", "failed", "paused"),
  startedAt: time,
  endedAt: optional(time),
  agentName: optional(text),
  replaces: optional(text),
  error: optional(fc.record({ code: text, message: text })),
  messages: fc.array(message, { maxLength: 4 }),
}) as fc.Arbitrary<TurnBody>;

describe("turn bodies", () => {
  it("W1: come back as they were written, whatever they hold", () => {
    fc.assert(
      fc.property(body, (written) => {
        expect(readBody(writeBody(written))).toEqual(JSON.parse(JSON.stringify(written)));
      }),
    );
  });

  it("W1: keep what a host adds, natives and odd members", () => {
    const odd = {
      id: "m",
      role: "user",
      parts: [{ type: "text", text: "hello", extra: 1 } as Part],
      createdAt: "2026-01-01T00:00:00.000Z",
      native: { format: "x@1", value: [null, { a: 1 }] },
    } as Message;
    const unknown = { ...odd, later: true } as Message;
    const written: TurnBody = { id: "t", status: "paused", startedAt: odd.createdAt, messages: [odd, unknown] };
    expect(readBody(writeBody(written))).toEqual(written);
  });

  it("J3: a value that is not JSON is refused with a code", () => {
    const parts = [{ type: "custom", kind: "x", value: 1n }] as unknown as Part[];
    const createdAt = "2026-01-01T00:00:00.000Z";
    const turn: TurnBody = {
      id: "t",
      status: "completed",
      startedAt: createdAt,
      messages: [{ id: "m", role: "user", parts, createdAt }],
    };
    expect(() => writeBody(turn)).toThrowError(expect.objectContaining({ code: "INVALID_JSON" }));
  });
});
