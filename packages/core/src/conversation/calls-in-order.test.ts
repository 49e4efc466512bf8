import { expect, it } from "vitest";
import type { Message, Part } from "../contract/message.ts";
import { callsInOrder } from "./calls-in-order.ts";

const message = (id: string, role: Message["role"], ...parts: Part[]): Message => ({
  id,
  role,
  parts,
  createdAt: "2026-03-01T09:00:00.000Z",
});
const call = (callId: string): Part => ({ type: "tool-call", callId, tool: "look", input: {} });
const result = (callId: string) =>
  message(`=${callId}`, "tool", { type: "tool-result", callId, tool: "look", output: callId });
const word = (callId: string) => message(`?${callId}`, "tool", { type: "approval", callId, state: "approved" });
const ids = (messages: readonly Message[]) => messages.map(({ id }) => id);

it("W12: puts a person's word about a call before its result", () => {
  const told = [message("a", "assistant", call("1"), call("2")), result("1"), result("2"), word("2")];
  expect(ids(callsInOrder(told))).toEqual(["a", "=1", "?2", "=2"]);
});

it("B7: puts the results of calls that ran side by side in the order of the calls", () => {
  const told = [
    message("a", "assistant", call("1"), call("2"), call("3")),
    result("3"),
    result("1"),
    result("2"),
    message("b", "assistant", call("4")),
    result("4"),
  ];
  expect(ids(callsInOrder(told))).toEqual(["a", "=1", "=2", "=3", "b", "=4"]);
});

it("leaves a result where something was said before it, and one without a call", () => {
  const told = [
    message("a", "assistant", call("1"), call("2")),
    result("2"),
    message("u", "user", { type: "text", text: "faster" }),
    result("1"),
    result("none"),
  ];
  expect(ids(callsInOrder(told))).toEqual(["a", "=2", "u", "=1", "=none"]);
  const plain = told.slice(0, 2);
  expect(callsInOrder(plain)).toBe(plain);
});
