import type { MessageInput, Part } from "@throughline/core";
import { expect, test } from "vitest";
import { withFailures } from "./tool-failures.ts";

const result = (callId: string, output: string): Part => ({ type: "tool-result", callId, tool: "book", output });
const marks = (messages: readonly MessageInput[]) =>
  messages.flatMap(({ parts = [] }) =>
    parts.flatMap((part) => (part.type === "tool-result" ? [part.isError === true] : [])),
  );

test("B7: results of a tool that threw and of a denied call are errors, any other is none", () => {
  const told = [
    { role: "user" as const, parts: [{ type: "text" as const, text: "Go on." }] },
    {
      role: "tool" as const,
      parts: [
        result("1", "An error occurred while running the tool. Please try again. Error: no such city"),
        result("2", "Tool execution was not approved."),
        result("3", "Tool execution was not approved."),
      ],
    },
  ];
  const decided: MessageInput[] = [
    { role: "tool", parts: [{ type: "approval", callId: "2", state: "denied" }] },
    { role: "tool", parts: [{ type: "approval", callId: "3", state: "approved" }] },
  ];
  expect(
    marks(
      withFailures(
        told.map((input) => ({ input })),
        decided,
      ),
    ),
  ).toEqual([true, true, false]);
});
