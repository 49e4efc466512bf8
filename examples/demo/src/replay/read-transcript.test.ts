import { describe, expect, it } from "vitest";
import { readTranscript } from "./read-transcript.ts";

const line = (fields: Record<string, unknown> = {}) =>
  JSON.stringify({ role: "user", content: "Hello", time: "2026-01-02T03:04:05Z", ...fields });

const reasons = (text: string) => readTranscript(text).bad.map((bad) => `${bad.line}: ${bad.why}`);

describe("readTranscript", () => {
  it("reads messages with their line numbers, passing over empty lines and a byte order mark", () => {
    const text = `\ufeff${line()}\r\n\n${line({ role: "assistant", session: "s1", subject: "Mira", extra: 1 })}\n`;
    expect(readTranscript(text)).toEqual({
      lines: [
        { line: 1, role: "user", content: "Hello", time: "2026-01-02T03:04:05.000Z" },
        {
          line: 3,
          role: "assistant",
          content: "Hello",
          time: "2026-01-02T03:04:05.000Z",
          conversation: "s1",
          subject: "Mira",
        },
      ],
      bad: [],
    });
  });

  it("reads times with an offset, without a zone and without a time of day, alike on every machine", () => {
    const times = ["2026-01-02T03:04:05+02:00", "2026-01-02T03:04", "2026-01-02"].map((time) => line({ time }));
    expect(readTranscript(times.join("\n")).lines.map(({ time }) => time)).toEqual([
      "2026-01-02T01:04:05.000Z",
      "2026-01-02T03:04:00.000Z",
      "2026-01-02T00:00:00.000Z",
    ]);
  });

  it("says of each bad line what is wrong with it", () => {
    const text = [
      line(),
      "{ role: user }",
      line({ role: "robot" }),
      line({ content: 7 }),
      line({ content: "  " }),
      line({ time: "yesterday" }),
      line({ time: undefined }),
      line({ content: "\ud83d" }),
      "[]",
      "null",
      line({ conversation: "" }),
      line({ session: "x".repeat(513) }),
      line({ subject: "a\0" }),
    ].join("\n");
    expect(reasons(text)).toEqual([
      "2: not JSON",
      "3: role: must be user, assistant or system",
      "4: content: must be a text",
      "5: content: must not be empty",
      expect.stringMatching(/^6: time: must be an ISO 8601 time/),
      expect.stringMatching(/^7: time: must be/),
      "8: content: holds half of a character (a lone surrogate)",
      "9: must be a JSON object",
      "10: must be a JSON object",
      "11: conversation: must not be empty",
      "12: session: must not be over 512 bytes",
      "13: subject: holds NUL or a lone surrogate",
    ]);
  });

  it("doesn't take one conversation for two people's", () => {
    const text = [line({ conversation: "c", subject: "Ann" }), line({ conversation: "c", subject: "Bob" })].join("\n");
    expect(reasons(text)).toEqual(["2: subject: another one than in the lines before it of this conversation"]);
  });

  it("keeps line separators of Unicode inside a text", () => {
    expect(readTranscript(line({ content: "a\u2028b" })).lines[0]?.content).toBe("a\u2028b");
  });
});
