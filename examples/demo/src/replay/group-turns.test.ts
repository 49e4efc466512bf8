import { describe, expect, it } from "vitest";
import { groupTurns } from "./group-turns.ts";
import type { TranscriptLine } from "./read-transcript.ts";

const lines = (...said: [TranscriptLine["role"], string, string?][]): TranscriptLine[] =>
  said.map(([role, content, conversation], index) => ({
    line: index + 1,
    role,
    content,
    time: `2026-01-01T00:00:0${index}.000Z`,
    ...(conversation === undefined ? {} : { conversation }),
  }));

const shape = (turns: ReturnType<typeof groupTurns>) =>
  turns.map(({ conversation, messages }) => [conversation, messages.map(({ content }) => content).join(" ")]);

describe("groupTurns", () => {
  it("begins a turn where a person speaks after an answer", () => {
    const turns = groupTurns(
      lines(["user", "a"], ["user", "b"], ["assistant", "c"], ["assistant", "d"], ["user", "e"]),
      { conversation: "file" },
    );
    expect(shape(turns)).toEqual([
      ["file", "a b c d"],
      ["file", "e"],
    ]);
    expect(turns[0]).toMatchObject({ startedAt: "2026-01-01T00:00:00.000Z", endedAt: "2026-01-01T00:00:03.000Z" });
  });

  it("keeps conversations apart whose lines are mixed", () => {
    const turns = groupTurns(
      lines(
        ["user", "a", "x"],
        ["user", "b", "y"],
        ["assistant", "c", "x"],
        ["assistant", "d", "y"],
        ["user", "e", "x"],
      ),
      { conversation: "file" },
    );
    expect(shape(turns)).toEqual([
      ["x", "a c"],
      ["y", "b d"],
      ["x", "e"],
    ]);
  });

  it("gives the same turn the same id, and one that differs another", () => {
    const ids = (content: string) =>
      groupTurns(lines(["user", "a"], ["assistant", "b"], ["user", content]), { conversation: "f" }).map(
        ({ id }) => id,
      );
    expect(ids("c")).toEqual(ids("c"));
    expect(ids("c")[1]).not.toBe(ids("d")[1]);
    expect(new Set([...ids("a"), ...ids("b")]).size).toBe(3);
  });
});
