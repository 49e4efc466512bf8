import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { call, result, texts, turnRow } from "../../test/support.ts";
import type { MessageInput, Part, TurnRow } from "../index.ts";
import { reconcileMessages } from "./reconcile.ts";

const text = (value: string): Part => ({ type: "text", text: value });
const turn = (seq: number, question: string, answer: string): TurnRow =>
  turnRow(seq, [
    { role: "user", parts: [text(question)] },
    { role: "assistant", parts: [text(answer)] },
  ]);
const stored = [turn(1, "hello", "hi"), turn(2, "yes", "good"), turn(3, "and now?", "now this")];
const flat = stored.flatMap((entry) => entry.messages);
const withoutIds = (messages: readonly MessageInput[]): MessageInput[] => messages.map(({ id: _id, ...rest }) => rest);
const fresh = (messages: readonly MessageInput[]) => texts(messages.map((entry) => ({ parts: entry.parts ?? [] })));
const ask = (value: string, id?: string): MessageInput => ({
  role: "user",
  parts: [text(value)],
  ...(id ? { id } : {}),
});

describe("reconciling a host's copy of the history", () => {
  it("W15: takes one new message as new, even where its words were said before", () => {
    const found = reconcileMessages(stored, [ask("yes")]);
    expect(fresh(found.fresh)).toEqual(["yes"]);
    expect(found.known).toEqual([]);
    expect(found.forkedFrom).toBeUndefined();
  });

  it("W15/B9: knows a resent history by its ids", () => {
    const found = reconcileMessages(stored, [...flat, ask("next", "n1")]);
    expect(found.known.map((message) => message.id)).toEqual(flat.map((message) => message.id));
    expect(fresh(found.fresh)).toEqual(["next"]);
  });

  it("W15/B9: knows a resent history without ids by content and position", () => {
    const found = reconcileMessages(stored, [...withoutIds(flat), ask("next")]);
    expect(found.known).toHaveLength(6);
    expect(fresh(found.fresh)).toEqual(["next"]);
    expect(found.forkedFrom).toBeUndefined();
  });

  it("W15: knows a host's own window of the history", () => {
    const found = reconcileMessages(stored, [...withoutIds(flat.slice(2)), ask("next")]);
    expect(found.known).toHaveLength(4);
    expect(fresh(found.fresh)).toEqual(["next"]);
  });

  it("W15: knows a copy that begins before what was read", () => {
    const longer = [
      ask("long ago"),
      { role: "assistant" as const, parts: [text("indeed")] },
      ...withoutIds(flat),
      ask("next"),
    ];
    expect(fresh(reconcileMessages(stored, longer).fresh)).toEqual(["next"]);
  });

  it("W15: sees a regenerated answer: the question comes again, its answer doesn't", () => {
    const byId = reconcileMessages(stored, flat.slice(0, 5));
    expect(byId.replaces).toBe("t3");
    expect(byId.forkedFrom).toBe("t3");
    expect(fresh(byId.fresh)).toEqual(["and now?"]);
    const byContent = reconcileMessages(stored, withoutIds(flat.slice(0, 5)), { complete: true });
    expect(byContent.replaces).toBe("t3");
    expect(fresh(byContent.fresh)).toEqual(["and now?"]);
  });

  it("W15: sees an edited question: a known id with other words", () => {
    const edited = [...flat.slice(0, 2), ask("no", flat[2]?.id)];
    const found = reconcileMessages(stored, edited);
    expect(found.replaces).toBe("t2");
    expect(fresh(found.fresh)).toEqual(["no"]);
  });

  it("W15: reports a fork without deciding on it: the copy goes on elsewhere after a stored message", () => {
    const found = reconcileMessages(stored, [...flat.slice(0, 2), ask("something else", "n1")]);
    expect(found.forkedFrom).toBe("t2");
    expect(found.replaces).toBeUndefined();
    expect(fresh(found.fresh)).toEqual(["something else"]);
  });

  it("W15: takes a history that shares nothing as new", () => {
    const found = reconcileMessages(stored, [
      ask("other"),
      { role: "assistant", parts: [text("thing")] },
      ask("altogether"),
    ]);
    expect(found.known).toEqual([]);
    expect(found.fresh).toHaveLength(3);
  });

  it("W12: sees that a tool result goes on with the paused turn", () => {
    const paused = turnRow(
      4,
      [
        { role: "user", parts: [text("book it")] },
        { role: "assistant", parts: [call("c9"), { type: "approval", callId: "c9", state: "requested" }] },
      ],
      "paused",
    );
    const answer: MessageInput = {
      role: "tool",
      parts: [{ type: "approval", callId: "c9", state: "approved" }, result("c9")],
    };
    const found = reconcileMessages([...stored, paused], [...withoutIds([...flat, ...paused.messages]), answer]);
    expect(found.continues).toBe("t4");
    expect(found.fresh).toEqual([answer]);
    expect(reconcileMessages([...stored, paused], [ask("something new")]).continues).toBeUndefined();
  });

  it("W15/W12: knows the call again that a client brings with its result alone, and no call that is answered", () => {
    const call: MessageInput = {
      role: "assistant",
      parts: [{ type: "tool-call", callId: "c9", tool: "pick", input: {} }],
    };
    const answer: MessageInput = { role: "tool", parts: [result("c9")] };
    const paused = (status: TurnRow["status"]): TurnRow => {
      const [question] = turn(4, "q4", "a4").messages;
      const calling = { ...call, id: "t4-c", createdAt: "2026-01-01T00:00:00.000Z", parts: [...(call.parts ?? [])] };
      return { ...turn(4, "q4", "a4"), status, messages: [...(question ? [question] : []), calling] };
    };
    const found = reconcileMessages([...stored, paused("paused")], [{ ...call, id: "another" }, answer]);
    expect(found.continues).toBe("t4");
    expect(found.fresh).toEqual([answer]);
    expect(reconcileMessages([...stored, paused("completed")], [call, answer]).fresh).toHaveLength(2);
    expect(reconcileMessages([...stored, paused("paused")], [call]).fresh).toHaveLength(1);
  });

  it("W15: is quick where the same few words are said all the time, with or without an end in common", () => {
    const turns = Array.from({ length: 400 }, (_, index) => turn(index + 1, "yes", index % 2 ? "ok" : "good"));
    const copy = withoutIds(turns.flatMap((entry) => entry.messages));
    const startedAt = performance.now();
    expect(fresh(reconcileMessages(turns, [...copy, ask("next")]).fresh)).toEqual(["next"]);
    const edited = reconcileMessages(turns, [...copy.slice(0, 500), ask("other"), ask("next")]);
    expect(fresh(edited.fresh)).toEqual(["other", "next"]);
    expect(reconcileMessages(turns, [ask("something"), ...copy.slice(0, 3)]).known.length).toBeGreaterThan(0);
    expect(performance.now() - startedAt).toBeLessThan(1_500);
  });

  it("W15/PR4: with any stored history, a full resend leaves exactly the new message", () => {
    const words = fc.constantFrom("yes", "no", "ok", "why?", "tell me more", "and then?");
    fc.assert(
      fc.property(
        fc.array(fc.tuple(words, words), { minLength: 1, maxLength: 8 }),
        words,
        fc.boolean(),
        (pairs, next, ids) => {
          const turns = pairs.map(([question, answer], index) => turn(index + 1, question, answer));
          const copy = turns.flatMap((entry) => entry.messages);
          const host = [...(ids ? copy : withoutIds(copy)), ask(next)];
          const found = reconcileMessages(turns, host);
          expect(fresh(found.fresh)).toEqual([next]);
          expect(found.replaces).toBeUndefined();
        },
      ),
      { numRuns: 10_000 },
    );
  });
});
