import { inMemoryStore } from "@throughline/core";
import { resultTable } from "@throughline/testkit";
import { describe, expect, test } from "vitest";
import { HOSTS, type HostName, hostOf, type Send } from "./hosts.ts";
import { call, type ScriptedStep, say } from "./scripted-model.ts";
import { recorded, testMemory } from "./test-memory.ts";

const WORDS = Array.from({ length: 40 }, (_, index) => `word${index}`).join(" ");
const weather = (n: number, city: string) => call([`c${n}`, "weather", { city }]);
const oslo = weather(1, "Oslo");
const ran = ["user: How is Oslo?", "assistant: weather#c1", 'tool: #c1="sunny in Oslo"'];
const done = (...lines: string[]) => ({ status: "completed", lines });
const ask = { text: "How is Oslo?" };

interface Cell {
  script: ScriptedStep[];
  /** What the client does, one request after the other. */
  sends: Send[];
  /** What is recorded and visible. */
  turns: object[];
  /** Hosts that can't do it, or do it otherwise. */
  but?: Partial<Record<HostName, object[] | string>>;
}

const slow = { ...say(WORDS), wordDelayMs: 1 };
const cut = (min: string) => expect.stringMatching(new RegExp(`^assistant: ${min}`));

const CELLS: Record<string, Cell> = {
  plain: { script: [say("Sunny.")], sends: [ask], turns: [done("user: How is Oslo?", "assistant: Sunny.")] },
  "three tool steps": {
    script: [oslo, weather(2, "Bergen"), weather(3, "Voss"), say("All sunny.")],
    sends: [ask],
    turns: [
      done(
        ...ran,
        "assistant: weather#c2",
        'tool: #c2="sunny in Bergen"',
        "assistant: weather#c3",
        'tool: #c3="sunny in Voss"',
        "assistant: All sunny.",
      ),
    ],
  },
  "parallel tools": {
    script: [call(["c1", "weather", { city: "Oslo" }], ["c2", "weather", { city: "Voss" }]), say("Both sunny.")],
    sends: [ask],
    turns: [
      done(
        "user: How is Oslo?",
        "assistant: weather#c1 weather#c2",
        'tool: #c1="sunny in Oslo"',
        'tool: #c2="sunny in Voss"',
        "assistant: Both sunny.",
      ),
    ],
  },
  "step limit": {
    script: [oslo],
    sends: [{ ...ask, steps: 1 }],
    turns: [done(...ran)],
    // It never sees what the last calls gave.
    but: { middleware: [{ status: "paused", lines: ran.slice(0, 2) }] },
  },
  "provider error at once": {
    script: [{ throws: new Error("down") }],
    sends: [ask],
    turns: [{ status: "failed", lines: ["user: How is Oslo?"] }],
  },
  "provider error mid-run": {
    script: [oslo, { ...say("It is sunny"), errorPart: new Error("gone"), finish: "error" }],
    sends: [ask],
    turns: [{ status: "failed", lines: [...ran, "assistant: It is sunny"] }],
    // A plain call has no words before its end.
    but: { generateText: [{ status: "failed", lines: [...ran, "assistant: It is sunny"] }] },
  },
  abort: {
    script: [oslo, slow],
    sends: [{ ...ask, abortAt: 6 }],
    turns: [{ status: "aborted", lines: [...ran, cut("word0 word1")] }],
    but: { generateText: [{ status: "aborted", lines: ran }] },
  },
  "client gone": {
    script: [oslo, slow],
    sends: [{ ...ask, leaveAt: "word6" }],
    turns: [done(...ran, `assistant: ${WORDS}`)],
  },
  "client gone, with its signal": {
    script: [oslo, slow],
    sends: [{ ...ask, leaveAt: "word6", signal: true }],
    turns: [{ status: "aborted", lines: [...ran, cut("word0 word1")] }],
    but: { generateText: "no client is told of words" },
  },
  "approval and resume": {
    script: [oslo, say("Sunny.")],
    sends: [
      { ...ask, approval: true },
      { approve: true, approval: true },
    ],
    turns: [
      done(
        "user: How is Oslo?",
        "assistant: weather#c1 requested#c1",
        "tool: approved#c1",
        'tool: #c1="sunny in Oslo"',
        "assistant: Sunny.",
      ),
    ],
    // Requests for approval are the host's own and never reach a model.
    but: {
      middleware: [
        done("user: How is Oslo?", "assistant: weather#c1", 'tool: #c1="sunny in Oslo"', "assistant: Sunny."),
      ],
    },
  },
  regenerate: {
    script: [say("One."), say("Two."), oslo, say("Better.")],
    sends: [{ text: "First?" }, ask, { again: true }],
    turns: [done("user: First?", "assistant: One."), done(...ran, "assistant: Better.")],
  },
  "history resent": {
    script: [oslo, say("Sunny."), say("Yes."), say("Bye.")],
    sends: [ask, { text: "Sure?", whole: true }, { text: "Thanks.", whole: true }],
    turns: [
      done(...ran, "assistant: Sunny."),
      done("user: Sure?", "assistant: Yes."),
      done("user: Thanks.", "assistant: Bye."),
    ],
  },
};

const table = resultTable({ corner: "run", rows: Object.keys(CELLS), columns: HOSTS });

/** Tool messages by part: hosts that keep ids store them so. */
const parts = (turns: { status: string; lines: string[] }[]) =>
  turns.map(({ status, lines }) => ({
    status,
    lines: lines.flatMap((line) =>
      line.startsWith("tool: ")
        ? (line.slice(6).match(/(?:#\S+?!?="(?:[^"\\]|\\.)*")|\S+/g) ?? []).map((part) => `tool: ${part}`)
        : [line],
    ),
  }));

describe.each(HOSTS)("B2/V1/V2/V3: %s", (name) => {
  test.each(Object.entries(CELLS))("%s: one turn, as it was", async (row, { script, sends, turns, but }) => {
    const other = but?.[name];
    if (typeof other === "string") return table.record(row, name, `– (${other})`);
    const { memory, conversation } = testMemory(inMemoryStore());
    await using host = await hostOf(name, memory, script);
    for (const send of sends) await host.send(send);
    const visible = async () => {
      const hidden = new Set((await conversation.transcript()).turns.flatMap(({ hidden }, at) => (hidden ? [at] : [])));
      return parts((await recorded(conversation)).filter((_turn, at) => !hidden.has(at)));
    };
    await expect.poll(visible, { timeout: 3_000, interval: 10 }).toEqual(other ?? turns);
    table.record(row, name, [...new Set((await visible()).map(({ status }) => status))].join(", "));
  });
});

test("the table in the README is what these tests saw", () =>
  expect(table.json()).toMatchFileSnapshot("runs.table.json"));
