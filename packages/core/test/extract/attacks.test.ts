import { describe, expect, it } from "vitest";
import { modelDistiller, patternDistiller } from "../../src/index.ts";
import { assistant, user } from "../support.ts";
import { extracting, scripted } from "./distillers.ts";

const SECRETS: readonly string[] = [
  "my API key is sk-proj-abcdefghijklmnopqrstuvwxyz123456",
  "my card number is 4111 1111 1111 1111",
  "my password is hunter2",
  "the token is ghp_abcdefghijklmnopqrstuvwxyz0123456789",
  "aws is AKIAIOSFODNN7EXAMPLE",
  "the key is AIzaSyA1234567890abcdefghijklmnopqrstuv",
  "the bot is xoxb-123456789012-abcdefABCDEF",
  "jwt eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N",
  "the key is -----BEGIN PRIVATE KEY----- MIIEvQ",
  "db is postgres://ana:s3cr3t@db.example/app",
  "mein Passwort ist Sommer2026",
  "我的密码是 abc12345",
];

describe("what is attacked", () => {
  it.each(SECRETS)("X2: a secret is neither stored nor quarantined, even asked for: %s", async (secret) => {
    const { distiller } = scripted({
      Remember: [
        { key: "secret", value: secret, quote: secret },
        { key: "other", value: "has a secret", quote: secret },
        { key: "missing", value: secret, quote: "nobody said this" },
      ],
    });
    const { memory, events } = extracting(distiller);
    const chat = memory.conversation({ id: "c", subject: "ana" });
    await chat.record({ messages: [user(`Remember: ${secret}`), assistant("I will.")] });
    await memory.settled();
    const audit = await memory.subject("ana").audit();
    expect([audit.facts, audit.quarantined]).toEqual([[], []]);
    expect(events.find(({ type }) => type === "memory.extracted")).toMatchObject({ refused: 3 });
  });

  it("X2: the distiller by patterns keeps no secret, and numbers that are none stay facts", async () => {
    const { memory } = extracting(patternDistiller());
    const chat = memory.conversation({ id: "c", subject: "ana" });
    for (const secret of SECRETS) await chat.record({ messages: [user(`Remember: ${secret}`), assistant("OK.")] });
    await chat.record({ messages: [user("Remember: my booking is 4111 1111 1111 1112"), assistant("OK.")] });
    await chat.record({ messages: [user("Remember: the password policy changes in May"), assistant("OK.")] });
    await memory.settled();
    expect((await memory.subject("ana").facts()).map(({ value }) => value).sort()).toEqual([
      "my booking is 4111 1111 1111 1112",
      "the password policy changes in May",
    ]);
  });

  it.each([
    [
      "truncated",
      '{"facts": [{"key":"city","value":"Porto","quote":"I live in Porto","confidence":1},{"key":"x","val',
      1,
    ],
    ["fenced", '```json\n{"facts":[{"key":"city","value":"Porto","quote":"I live in Porto","confidence":1}]}\n```', 1],
    [
      "prose around",
      'Sure! {"facts":[{"key":"city","value":"Porto","quote":"I live in Porto","confidence":1}]} Done.',
      1,
    ],
    ["strings", '["I live in Porto", "Porto"]', 0],
    ["numbers", "[1,2,3]", 0],
    ["a list of lists", '[[{"key":"city","value":"Porto","quote":"I live in Porto","confidence":1}]]', 0],
    [
      "prototype keys",
      '{"facts":[{"__proto__":{"confidence":1},"constructor":1,"key":"__proto__","value":"Porto","quote":"I live in Porto","confidence":1}]}',
      1,
    ],
    [
      "a prototype as value",
      '{"facts":[{"key":"city","value":{"__proto__":{"a":"Porto"}},"quote":"I live in Porto","confidence":1}]}',
      1,
    ],
    ["a confidence of 7", '{"facts":[{"key":"city","value":"Porto","quote":"I live in Porto","confidence":7}]}', 0],
    ["half a pair", '{"facts":[{"key":"city","value":"Porto\\ud800","quote":"I live in Porto","confidence":1}]}', 0],
    ["nothing", "", 0],
    ["null", "null", 0],
  ])("X8: an answer with %s stores what is whole and nothing else", async (_, answer, facts) => {
    const { memory } = extracting(modelDistiller(() => Promise.resolve(answer)));
    await memory
      .conversation({ id: "c", subject: "ana" })
      .record({ messages: [user("I live in Porto."), assistant("OK.")] });
    await memory.settled();
    expect(await memory.subject("ana").facts()).toHaveLength(facts);
    expect(({} as Record<string, unknown>).confidence).toBeUndefined();
  });

  it("X8: an answer of ten megabytes is a failure, and of a list without end a bounded part is taken", async () => {
    const item = { topic: "city", value: "Porto", quote: "I live in Porto", confidence: 1 };
    const answer = JSON.stringify({ facts: Array.from({ length: 130_000 }, () => item) });
    const huge = extracting(modelDistiller(() => Promise.resolve(answer)));
    const words = [user("I live in Porto."), assistant("OK.")];
    await huge.memory.conversation({ id: "c", subject: "ana" }).record({ messages: words });
    await huge.memory.settled();
    expect(await huge.memory.subject("ana").facts()).toEqual([]);
    expect(await huge.memory.operator.failures()).toMatchObject([{ work: "extract", code: "DISTILLER_FAILED" }]);
    const many = extracting(() => Array.from({ length: 5_000 }, () => item));
    await many.memory.conversation({ id: "c", subject: "ana" }).record({ messages: words });
    await many.memory.settled();
    const told = many.events.find(({ type }) => type === "memory.extracted");
    expect(told).toMatchObject({ candidates: 5_000, invalid: 4_800, stored: 1 });
  });

  it("A2/X3: a person who is erased while a pass runs doesn't come back, nor do doubtful candidates", async () => {
    const { promise: reached, resolve: reach } = Promise.withResolvers<void>();
    const { promise: gone, resolve: go } = Promise.withResolvers<void>();
    const { memory } = extracting(
      async () => {
        reach();
        await gone;
        return [
          { key: "city", value: "Porto", quote: "I live in Porto", confidence: 1 },
          { key: "job", value: "pilot", quote: "I am a pilot", confidence: 1 },
        ];
      },
      { policy: { extract: { when: "scheduled" } } },
    );
    await memory.ingest({
      id: "m1",
      subject: "ana",
      source: "mail",
      text: "I live in Porto.",
      at: "2026-02-01T08:00:00Z",
    });
    await memory
      .conversation({ id: "c", subject: "ana" })
      .record({ messages: [user("I live in Porto."), assistant("OK.")] });
    const pass = memory.distill();
    await reached;
    await memory.subject("ana").erase();
    go();
    await pass;
    await memory.settled();
    const audit = await memory.subject("ana").audit();
    expect([audit.facts, audit.quarantined, audit.events]).toEqual([[], [], []]);
  });
});
