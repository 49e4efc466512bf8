import { Command, MemorySaver } from "@langchain/langgraph";
import { resultTable } from "@throughline/testkit";
import { createAgent, humanInTheLoopMiddleware, modelRetryMiddleware } from "langchain";
import { describe, expect, test } from "vitest";
import { memoryMiddleware, withMemory } from "../src/index.ts";
import { type Answer, call, fail, fake, overHttp, say, stall } from "./support/script.ts";
import { type RecordedTurn, recorded, testMemory } from "./support/test-memory.ts";
import { tools } from "./support/tools.ts";

const ROWS = [
  "plain answer",
  "three tool steps",
  "parallel tools, one throws",
  "model fails at once",
  "model fails after a tool",
  "model fails, is tried again",
  "tool asks a person, resumed",
  "approval, then resumed",
  "stopped while the model answers",
  "stopped while a tool runs",
  "reader leaves while a tool runs",
  "recursion limit",
] as const;
const COLUMNS = [
  "invoke",
  "stream",
  "invoke, withMemory",
  "stream, withMemory",
  "OpenAI over HTTP, withMemory",
] as const;
type Column = (typeof COLUMNS)[number];

const table = resultTable({ corner: "a run of `createAgent`", rows: ROWS, columns: COLUMNS });

interface Play {
  script: readonly Answer[];
  recursionLimit?: number;
  approval?: boolean;
  retry?: boolean;
  /** Stop the run as the model or the tool hangs. */
  stop?: boolean;
  /** Leave the stream as the model or the tool hangs. */
  leave?: boolean;
  resume?: unknown;
}

/** Plays a script against a fresh memory in one of the ways, and gives what was recorded. */
async function play(column: Column, given: Play) {
  const { memory, conversation } = testMemory();
  const controller = new AbortController();
  let leaves = false;
  const onHang = () => {
    leaves = given.leave === true;
    if (given.stop) controller.abort();
  };
  const scripted = column.startsWith("OpenAI") ? await overHttp(given.script) : fake(given.script, onHang);
  const agent = createAgent({
    model: scripted.model,
    tools: tools(onHang),
    checkpointer: new MemorySaver(),
    middleware: [
      ...(given.retry ? [modelRetryMiddleware({ maxRetries: 1, initialDelayMs: 0, jitter: false })] : []),
      memoryMiddleware(memory),
      ...(given.approval ? [humanInTheLoopMiddleware({ interruptOn: { weather: true } })] : []),
    ],
  });
  const errors: unknown[] = [];
  const run = async (input: unknown) => {
    const base = { recursionLimit: given.recursionLimit ?? 25, signal: controller.signal };
    const config = column.endsWith("withMemory")
      ? withMemory(conversation, base)
      : { ...base, configurable: { thread_id: "chat", user_id: "ada" } };
    // What a script says is one of the agent's inputs.
    const start = input as Parameters<typeof agent.invoke>[0];
    try {
      if (column.startsWith("invoke")) {
        const invoked = agent.invoke(start, config);
        await invoked;
        return;
      }
      for await (const [mode, chunk] of await agent.stream(start, { ...config, streamMode: ["messages", "updates"] })) {
        if (mode === "messages" && String(chunk[0].content).includes("two")) onHang();
        if (leaves || (given.leave && mode === "updates" && "model_request" in chunk)) break;
      }
    } catch (error) {
      errors.push(error);
      if (process.env.DBG) console.log(error);
    }
  };
  await run({ messages: [{ role: "user", content: "How is Oslo?" }] });
  const before = await recorded(conversation);
  if (given.resume !== undefined) await run(new Command({ resume: given.resume }));
  const turns = given.resume === undefined ? before : await recorded(conversation);
  return { before, turns, errors, memory, conversation, scripted };
}

/** What a table says of what was recorded. */
const cellOf = (turns: readonly RecordedTurn[]): string =>
  turns.map(({ status, lines }) => `${status}, ${lines.length}`).join("; ") || "–";

const oslo = call(["c1", "weather", { city: "Oslo" }]);

describe.each(COLUMNS)("B2/L7: a run of createAgent is one turn: %s", (column) => {
  const seen = (row: (typeof ROWS)[number], turns: readonly RecordedTurn[]) => table.record(row, column, cellOf(turns));

  test("of a plain answer", async () => {
    const { turns } = await play(column, { script: [say("Sunny.")] });
    expect(turns).toEqual([{ status: "completed", lines: ["user: How is Oslo?", "assistant: Sunny."] }]);
    seen("plain answer", turns);
  });

  test("of a loop of three tool steps", async () => {
    const steps = ["Oslo", "Bergen", "Voss"].map((city, index) => call([`c${index}`, "weather", { city }]));
    const { turns } = await play(column, { script: [...steps, say("All sunny.")] });
    expect(turns).toEqual([
      {
        status: "completed",
        lines: [
          "user: How is Oslo?",
          "assistant: weather#c0",
          'tool: #c0="sunny in Oslo"',
          "assistant: weather#c1",
          'tool: #c1="sunny in Bergen"',
          "assistant: weather#c2",
          'tool: #c2="sunny in Voss"',
          "assistant: All sunny.",
        ],
      },
    ]);
    seen("three tool steps", turns);
  });

  test("of parallel tools, one of which throws", async () => {
    const script = [call(["c1", "weather", { city: "Oslo" }], ["c2", "broken", {}]), say("Half known.")];
    const { turns } = await play(column, { script });
    expect(turns).toEqual([
      {
        status: "completed",
        lines: [
          "user: How is Oslo?",
          "assistant: weather#c1 broken#c2",
          'tool: #c1="sunny in Oslo"',
          expect.stringMatching(/^tool: #c2!="Error: no such city/),
          "assistant: Half known.",
        ],
      },
    ]);
    seen("parallel tools, one throws", turns);
  });

  test("of a model that fails at once: failed, with the question", async () => {
    const { turns, errors } = await play(column, { script: [fail("down")] });
    expect(errors).toHaveLength(1);
    expect(turns).toEqual([{ status: "failed", lines: ["user: How is Oslo?"] }]);
    seen("model fails at once", turns);
  });

  test("of a model that fails in a later step: failed, with what had run", async () => {
    const { turns, errors } = await play(column, { script: [oslo, fail("down")] });
    expect(errors).toHaveLength(1);
    expect(turns).toEqual([
      { status: "failed", lines: ["user: How is Oslo?", "assistant: weather#c1", 'tool: #c1="sunny in Oslo"'] },
    ]);
    seen("model fails after a tool", turns);
  });

  test("of a model that fails and is tried again: completed once", async () => {
    const { turns } = await play(column, { script: [fail("down"), say("Sunny.")], retry: true });
    expect(turns).toEqual([{ status: "completed", lines: ["user: How is Oslo?", "assistant: Sunny."] }]);
    seen("model fails, is tried again", turns);
  });

  test("of a tool that asks a person: paused, and completed by the resume", async () => {
    const script = [
      call(["c1", "ask", { question: "Which Oslo?" }], ["c2", "weather", { city: "Oslo" }]),
      say("Sunny."),
    ];
    const { before, turns } = await play(column, { script, resume: "Norway" });
    expect(before).toEqual([expect.objectContaining({ status: "paused" })]);
    expect(turns).toEqual([
      {
        status: "completed",
        lines: [
          "user: How is Oslo?",
          "assistant: ask#c1 weather#c2",
          'tool: #c1="Norway"',
          'tool: #c2="sunny in Oslo"',
          "assistant: Sunny.",
        ],
      },
    ]);
    seen("tool asks a person, resumed", turns);
  });

  test("of a call that waits for approval: paused, and completed by the resume", async () => {
    const resume = { decisions: [{ type: "approve" }] };
    const { before, turns } = await play(column, { script: [oslo, say("Sunny.")], approval: true, resume });
    expect(before).toEqual([expect.objectContaining({ status: "paused" })]);
    expect(turns).toEqual([
      {
        status: "completed",
        lines: [
          "user: How is Oslo?",
          // Only a config of `withMemory` hears what is asked, and what the person says.
          ...(column.endsWith("withMemory")
            ? ["assistant: weather#c1 requested#c1", "tool: approved#c1"]
            : ["assistant: weather#c1"]),
          'tool: #c1="sunny in Oslo"',
          "assistant: Sunny.",
        ],
      },
    ]);
    seen("approval, then resumed", turns);
  });

  test("of a run that is stopped while the model answers: aborted, with the words that came", async () => {
    // A plain request over HTTP shows nobody that it has begun.
    const { turns } = await play(column, { script: [stall("one two three")], stop: true });
    const words = column.startsWith("OpenAI") ? ["assistant: one two "] : [];
    expect(turns).toEqual([{ status: "aborted", lines: ["user: How is Oslo?", ...words] }]);
    seen("stopped while the model answers", turns);
  });

  test("of a run that is stopped while a tool runs: aborted", async () => {
    const { turns } = await play(column, { script: [call(["c1", "hang", {}])], stop: true });
    expect(turns).toEqual([{ status: "aborted", lines: ["user: How is Oslo?", "assistant: hang#c1"] }]);
    seen("stopped while a tool runs", turns);
  });

  test("of a reader who leaves while a tool runs: aborted", async () => {
    if (column.startsWith("invoke")) return seen("reader leaves while a tool runs", []);
    const { conversation } = await play(column, { script: [call(["c1", "hang", {}])], leave: true });
    await expect
      .poll(() => recorded(conversation))
      .toEqual([{ status: "aborted", lines: ["user: How is Oslo?", "assistant: hang#c1"] }]);
    seen("reader leaves while a tool runs", await recorded(conversation));
  });

  test("of a run that reaches the recursion limit", async () => {
    const script = [oslo, call(["c2", "weather", { city: "Bergen" }]), say("never")];
    const { turns, errors } = await play(column, { script, recursionLimit: 4 });
    expect(errors).toEqual([expect.objectContaining({ name: "GraphRecursionError" })]);
    // Without the config nobody tells of it: the thread, which can go on, is recorded as one that waits.
    expect(turns).toEqual([
      {
        status: column.endsWith("withMemory") ? "failed" : "paused",
        lines: expect.arrayContaining(["assistant: weather#c2"]),
      },
    ]);
    seen("recursion limit", turns);
  });
});

test("B2: the table in the README is what these tests saw", () =>
  expect(table.json()).toMatchFileSnapshot("runs.table.json"));
