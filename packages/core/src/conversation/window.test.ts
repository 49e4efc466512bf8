import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { assistant, call, result, texts, turnRow } from "../../test/support.ts";
import type { Message, Part, Role, TurnRow, TurnStatus } from "../index.ts";
import { estimateTokens } from "../text/tokens.ts";
import { countMessages, messageTokens } from "./message-text.ts";
import { sanitizeTranscript } from "./sanitize.ts";
import { selectWindow } from "./window.ts";

const text = (value: string): Part => ({ type: "text", text: value });
const exchange = (seq: number, question: string, answer: string, status: TurnStatus = "completed"): TurnRow =>
  turnRow(
    seq,
    [
      { role: "user", parts: [text(question)] },
      { role: "assistant", parts: [text(answer)] },
    ],
    status,
  );

/** Calls without a result behind them, and results without a call before them. */
function unpaired(messages: readonly Message[]): string[] {
  const open = new Set<string>();
  const faults: string[] = [];
  for (const part of messages.flatMap((message) => message.parts)) {
    if (part.type === "tool-call" && open.has(part.callId)) faults.push(`call ${part.callId} twice`);
    if (part.type === "tool-call") open.add(part.callId);
    if (part.type === "tool-result" && !open.delete(part.callId)) faults.push(`result ${part.callId}`);
  }
  return [...faults, ...[...open].map((callId) => `call ${callId}`)];
}

/** Messages of any shape: calls and results in any order, reasoning anywhere, a call id used twice at most. */
const anyMessages = fc.array(
  fc.record({
    role: fc.constantFrom<Role>("user", "assistant", "tool"),
    parts: fc.array(
      fc.oneof(
        fc.string({ minLength: 1, maxLength: 80 }).map(text),
        fc.nat(4).map((id) => call(`c${id}`)),
        fc.nat(4).map((id) => result(`c${id}`)),
        fc.constant<Part>({ type: "reasoning", text: "hm" }),
      ),
      { minLength: 1, maxLength: 4 },
    ),
  }),
  { minLength: 1, maxLength: 6 },
);

const anyTurns = fc
  .array(fc.tuple(anyMessages, fc.constantFrom<TurnStatus>("completed", "completed", "aborted", "failed", "paused")), {
    minLength: 1,
    maxLength: 12,
  })
  .map((turns) => turns.map(([messages, status], index) => turnRow(index + 1, messages, status)));

describe("window", () => {
  const five = [1, 2, 3, 4, 5].map((seq) => exchange(seq, `q${seq}`, `a${seq}`));

  it("W2/W14: a call id that a provider gives anew in each turn comes once in the whole", () => {
    const turns = [1, 2, 3].map((seq) =>
      turnRow(seq, [
        { role: "user", parts: [text(`q${seq}`)] },
        { role: "assistant", parts: [call("call_0")] },
        { role: "tool", parts: [result("call_0")] },
      ]),
    );
    const { messages } = selectWindow(turns, { maxMessages: 20, maxTokens: 8_000 }, estimateTokens);
    const ids = messages.flatMap(({ parts }) =>
      parts.flatMap((part) => (part.type === "tool-call" ? [part.callId] : [])),
    );
    expect(ids).toEqual(["call_0", "call_0-2", "call_0-3"]);
    expect(unpaired(messages)).toEqual([]);
  });

  it("W2: takes the newest whole turns that fit maxMessages", () => {
    const window = selectWindow(five, { maxMessages: 5, maxTokens: 8_000 }, estimateTokens);
    expect(texts(window.messages)).toEqual(["q4", "a4", "q5", "a5"]);
    expect(window.leftOut.map((turn) => turn.id)).toEqual(["t3", "t2", "t1"]);
  });

  it("W2: takes the newest whole turns that fit maxTokens", () => {
    const cost = messageTokens(five[4]?.messages ?? [], estimateTokens);
    const window = selectWindow(five, { maxMessages: 100, maxTokens: cost * 2 }, estimateTokens);
    expect(texts(window.messages)).toEqual(["q4", "a4", "q5", "a5"]);
  });

  it("W3: keeps the newest turn verbatim, however large", () => {
    const turns = [exchange(1, "small", "small"), exchange(2, "x ".repeat(50_000), "y")];
    const window = selectWindow(turns, { maxMessages: 1, maxTokens: 10 }, estimateTokens);
    expect(window.turns.map((entry) => entry.turn.id)).toEqual(["t2"]);
    expect(window.messages).toHaveLength(2);
  });

  it("W12: shows completed turns, aborted and failed ones without unresolved calls, and a paused one walked past alike", () => {
    const turns = [
      exchange(1, "q1", "a1"),
      turnRow(
        2,
        [
          { role: "user", parts: [text("q2")] },
          { role: "assistant", parts: [text("par"), call("c1")] },
        ],
        "aborted",
      ),
      turnRow(3, [{ role: "user", parts: [text("q3")] }], "failed"),
      turnRow(
        4,
        [
          { role: "user", parts: [text("q4")] },
          { role: "assistant", parts: [call("c2")] },
        ],
        "paused",
      ),
    ];
    const window = selectWindow(turns, { maxMessages: 20, maxTokens: 8_000 }, estimateTokens);
    expect(texts(window.messages)).toEqual(["q1", "a1", "q2", "par", "q3", "q4"]);
  });

  it("W2/W3/PR4: never splits a pair, never leaves a hole, always holds the newest turn and its limits", () => {
    fc.assert(
      fc.property(
        anyTurns,
        fc.integer({ min: 1, max: 30 }),
        fc.integer({ min: 1, max: 400 }),
        (turns, maxMessages, maxTokens) => {
          const window = selectWindow(turns, { maxMessages, maxTokens }, estimateTokens);
          expect(unpaired(window.messages)).toEqual([]);
          const shown = turns.filter((turn) => sanitizeTranscript(turn.messages).length > 0);
          const chosen = window.turns.map((entry) => entry.turn.id);
          // A suffix of what can be shown: no hole, and the newest is in it.
          expect(chosen).toEqual(shown.slice(shown.length - chosen.length).map((turn) => turn.id));
          if (shown.length > 0) expect(chosen.length).toBeGreaterThan(0);
          if (chosen.length > 1) {
            expect(countMessages(window.messages)).toBeLessThanOrEqual(maxMessages);
            expect(messageTokens(window.messages, estimateTokens)).toBeLessThanOrEqual(maxTokens);
          }
        },
      ),
      { numRuns: 10_000 },
    );
  });
});

describe("sanitizer", () => {
  const message = (role: Role, ...parts: Part[]): Message => ({
    id: "m",
    role,
    parts,
    createdAt: "2026-03-01T09:00:00.000Z",
  });

  it("W2: drops calls without results, results without calls, and results before their call", () => {
    const messages = [
      message("user", text("q")),
      message("tool", result("late")),
      message("assistant", call("late"), call("done")),
      message("tool", result("done"), result("stray")),
      message("assistant", text("a")),
    ];
    const kept = sanitizeTranscript(messages);
    expect(unpaired(kept)).toEqual([]);
    expect(kept.flatMap((entry) => entry.parts).filter((part) => part.type === "tool-result")).toHaveLength(1);
  });

  it("W2: leaves no reasoning alone", () => {
    const kept = sanitizeTranscript([message("assistant", { type: "reasoning", text: "hm" }, call("open"))]);
    expect(kept).toEqual([]);
  });

  it("W2: keeps reasoning that led to something, over message borders, and no other", () => {
    const thought: Part = { type: "reasoning", text: "hm" };
    const kept = sanitizeTranscript([
      message("assistant", thought),
      message("assistant", text("a")),
      message("assistant", { ...thought }),
      message("user", text("q")),
    ]);
    expect(kept.map((entry) => entry.parts[0]?.type)).toEqual(["reasoning", "text", "text"]);
  });

  it("W2: pairs call ids that a provider counts anew in each turn", () => {
    const twice = [1, 2].flatMap(() => [message("assistant", call("call_0")), message("tool", result("call_0"))]);
    expect(
      sanitizeTranscript(twice)
        .flatMap((entry) => entry.parts)
        .map((part) => "callId" in part && part.callId),
    ).toEqual(["call_0", "call_0", "call_0-2", "call_0-2"]);
  });

  it("W2: puts a result right behind its call where something was said in between", () => {
    const kept = sanitizeTranscript([
      message("user", text("q")),
      message("assistant", call("k")),
      message("user", text("steer")),
      message("tool", result("k")),
      message("assistant", text("a")),
    ]);
    expect(kept.map((entry) => entry.parts[0]?.type)).toEqual(["text", "tool-call", "tool-result", "text", "text"]);
  });

  it("W14: splits a row that holds a call, its result and the answer", () => {
    const row = message("assistant", text("let me look"), call("k"), result("k"), text("there"));
    expect(
      sanitizeTranscript([row]).map((entry) => [entry.id, entry.role, entry.parts.map((part) => part.type)]),
    ).toEqual([
      ["m", "assistant", ["text", "tool-call"]],
      ["m#1", "tool", ["tool-result"]],
      ["m#2", "assistant", ["text"]],
    ]);
  });

  it("B4: drops empty texts, and keeps a part's own form with the part", () => {
    const signed: Part = { ...call("k"), native: { format: "x", value: "signature" } };
    const kept = sanitizeTranscript([
      { ...message("assistant", text(""), signed, call("open")), native: { format: "x", value: 1 } },
      message("tool", result("k")),
    ]);
    expect(kept[0]).toEqual(message("assistant", signed));
    expect(sanitizeTranscript(kept, { portable: true })[0]).toEqual(message("assistant", call("k")));
  });

  it("W14: keeps a call whose approval is pending in this prompt", () => {
    const pending = [message("assistant", call("c1"), { type: "approval", callId: "c1", state: "requested" })];
    expect(sanitizeTranscript(pending)).toEqual([]);
    expect(sanitizeTranscript(pending, { openCalls: new Set(["c1"]) })).toEqual(pending);
  });

  it("W14: leaves reasoning and a host's own form out of what goes to another provider", () => {
    const own = {
      ...message("assistant", { type: "reasoning", text: "hm" }, text("a")),
      native: { format: "x", value: 1 },
    };
    expect(sanitizeTranscript([own], { portable: true })).toEqual([message("assistant", text("a"))]);
  });

  it("PR4: gives valid messages of any input, and the same of its own output", () => {
    fc.assert(
      fc.property(anyMessages, (messages) => {
        const given = messages.map((entry, index) => ({ ...message(entry.role, ...entry.parts), id: `m${index}` }));
        const kept = sanitizeTranscript(given);
        expect(unpaired(kept)).toEqual([]);
        expect(sanitizeTranscript(kept)).toEqual(kept);
        for (const entry of kept) {
          expect(entry.parts.length).toBeGreaterThan(0);
        }
      }),
      { numRuns: 10_000 },
    );
  });

  it("returns messages that need no change as they are", () => {
    const plain = [message("user", text("q")), message("assistant", text("a"))];
    expect(sanitizeTranscript(plain)[0]).toBe(plain[0]);
    expect(texts([assistant("x")].map((entry) => ({ parts: [text(entry.content)] })))).toEqual(["x"]);
  });
});
