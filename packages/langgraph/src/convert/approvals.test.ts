import { Command } from "@langchain/langgraph";
import type { MessageInput, Part } from "@throughline/core";
import { describe, expect, test } from "vitest";
import { type Decision, readDecisions, withWord } from "./approvals.ts";

const call = (callId: string): Part => ({ type: "tool-call", callId, tool: "book", input: { to: callId } });
const approval = (callId: string, state: "requested" | "approved" | "denied", reason?: string): Part => ({
  type: "approval",
  callId,
  state,
  ...(reason === undefined ? {} : { reason }),
});
const asking = (...parts: Part[]): MessageInput => ({ id: "a", role: "assistant", parts });
const told = (
  messages: readonly MessageInput[],
  decisions: readonly Decision[],
  stored: readonly MessageInput[] = [],
) => withWord(messages, { stored, asked: [], decisions });
const result: MessageInput = {
  role: "tool",
  parts: [{ type: "tool-result", callId: "1", tool: "book", output: "ok" }],
};

describe("W12: what a person says of a call", () => {
  test("is read from what resumes a graph, by itself or by its interrupt, and from nothing else", () => {
    const decisions = [{ type: "approve" }];
    expect(readDecisions(new Command({ resume: { decisions } }))).toEqual(decisions);
    expect(readDecisions(new Command({ resume: { "interrupt-1": { decisions } } }))).toEqual(decisions);
    expect([{ messages: [] }, new Command({ resume: "yes" }), null, undefined].flatMap(readDecisions)).toEqual([]);
  });

  test("stands behind the calls that were asked about, in their order", () => {
    const before = [asking(call("1"), approval("1", "requested"), call("2"), approval("2", "requested")), result];
    const [, word, rest] = told(before, [{ type: "edit" }, { type: "reject", message: "too dear" }]);
    expect(word).toEqual({
      id: "a@told",
      role: "tool",
      parts: [approval("1", "approved"), approval("2", "denied", "too dear")],
    });
    expect(rest).toBe(result);
    expect(told(before, [])).toEqual(before);
    expect(told([asking(call("1"))], [{ type: "approve" }])).toHaveLength(1);
  });

  test("a message of a state has the approvals that it was stored with, once", () => {
    const stored = [asking(call("1"), approval("1", "requested"))];
    const again = told([asking(call("1"))], [], stored);
    expect(again).toEqual(stored);
    expect(told(again, [], stored)).toEqual(stored);
  });

  test("words of an answer that was cut short ask for nothing", () => {
    const words: MessageInput = { role: "assistant", content: "It is" };
    expect(withWord([words], { stored: [], asked: [{ name: "book", args: {} }], decisions: [] })).toEqual([words]);
  });
});
