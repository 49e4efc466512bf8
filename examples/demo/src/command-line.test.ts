import { describe, expect, it } from "vitest";
import { readCommandLine } from "./command-line.ts";

const refusal = (...args: string[]) => {
  try {
    return readCommandLine(args);
  } catch (error) {
    return error;
  }
};

describe("readCommandLine", () => {
  it("plays the four agents when nothing is asked for", () => {
    expect(readCommandLine([])).toEqual({ kind: "demo" });
  });

  it("reads a chat and a replay with their options", () => {
    expect(readCommandLine(["--chat"])).toEqual({ kind: "chat", agent: "ai-sdk", subject: "you" });
    expect(readCommandLine(["--more"])).toEqual({ kind: "more" });
    expect(readCommandLine(["--chat", "--agent", "mastra", "--subject", "Ann", "--file=a.db"])).toEqual({
      kind: "chat",
      agent: "mastra",
      subject: "Ann",
      file: "a.db",
    });
    expect(readCommandLine(["--replay", "t.jsonl", "--search", "a b", "--search", "c", "--top", "3"])).toEqual({
      kind: "replay",
      transcript: "t.jsonl",
      searches: ["a b", "c"],
      top: 3,
    });
  });

  it.each([
    [["--frobnicate"]],
    [["stray"]],
    [["--chat", "--replay", "f"]],
    [["--chat", "--more"]],
    [["--chat", "--agent", "nobody"]],
    [["--agent", "mastra"]],
    [["--search", "words"]],
    [["--replay", "f", "--top", "0"]],
    [["--replay"]],
    [["--replay", ""]],
    [["--subject", "Ann"]],
    [["--file", "x.db"]],
  ])("refuses %j with the usage and exit code 2", (args) => {
    expect(refusal(...args)).toMatchObject({
      name: "Problem",
      exitCode: 2,
      message: expect.stringContaining("Usage:"),
    });
  });
});
