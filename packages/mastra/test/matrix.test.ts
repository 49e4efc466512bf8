import type { Agent } from "@mastra/core/agent";
import type { Processor } from "@mastra/core/processors";
import { InMemoryStore } from "@mastra/core/storage";
import { resultTable } from "@throughline/testkit";
import { describe, expect, test, vi } from "vitest";
import { withMemory } from "../src/index.ts";
import { quietAgent, tools } from "./support/agents.ts";
import { call, type ScriptedStep, say, scriptedModel } from "./support/scripted-model.ts";
import { recorded, testMemory } from "./support/test-memory.ts";

const MODES = ["generate", "stream"] as const;
type Mode = (typeof MODES)[number];

/** One way that a run can go. */
interface Way {
  steps: ScriptedStep[] | ((stop: () => void) => ScriptedStep[]);
  status: string;
  lines: string[];
  /** Where streaming shows more than a plain run. */
  streamedLines?: string[];
  maxSteps?: number;
  /** What the app does with a run that waits. */
  resume?: "approve" | "decline" | { answer: string };
  /** A processor of the app. */
  input?: Partial<Processor>;
  output?: Partial<Processor>;
  /** Does the reader leave after the first word? */
  leaves?: boolean;
  only?: Mode;
}

const oslo = call(["c1", "weather", { city: "Oslo" }]);
const both = (...calls: Parameters<typeof call>) => call(["c1", "weather", { city: "Oslo" }], ...calls);
const toolLines = ["assistant: weather#c1", 'tool: #c1="sunny in Oslo"'];
const down = { throws: new Error("the model is down") };

const WAYS: Record<string, Way> = {
  plain: { steps: [say("Hello.")], status: "completed", lines: ["assistant: Hello."] },
  "tool steps": {
    steps: [
      oslo,
      {
        content: [{ type: "text", text: "And now" }, ...(call(["c2", "weather", { city: "Voss" }]).content ?? [])],
        finish: "tool-calls",
      },
      say("Sunny."),
    ],
    status: "completed",
    lines: [...toolLines, "assistant: And now weather#c2", 'tool: #c2="sunny in Voss"', "assistant: Sunny."],
  },
  "parallel tools, one throws": {
    steps: [both(["c2", "broken", {}]), say("Sunny.")],
    status: "completed",
    lines: [
      "assistant: weather#c1 broken#c2",
      'tool: #c1="sunny in Oslo"',
      'tool: #c2!="no such city"',
      "assistant: Sunny.",
    ],
  },
  reasoning: {
    steps: [
      {
        content: [
          { type: "reasoning", text: "hm" },
          { type: "text", text: "Hello." },
        ],
        finish: "stop",
      },
    ],
    status: "completed",
    lines: ["assistant: (hm) Hello."],
  },
  "step limit": { steps: [oslo, say("Never.")], maxSteps: 1, status: "completed", lines: toolLines },
  "cut off by length": {
    steps: [{ content: [{ type: "text", text: "It is" }], finish: "length" }],
    status: "completed",
    lines: ["assistant: It is"],
  },
  "client's own tool": {
    steps: [both(["c2", "pick", {}])],
    status: "paused",
    lines: ["assistant: weather#c1 pick#c2", 'tool: #c1="sunny in Oslo"'],
  },
  "model error at first": { steps: [down], status: "failed", lines: [] },
  "model error after a tool": { steps: [oslo, down], status: "failed", lines: toolLines },
  "model error in the middle of a word": {
    steps: [oslo, { content: [{ type: "text", text: "It is" }], errorPart: new Error("broke off") }],
    status: "failed",
    lines: [...toolLines, "assistant: It is"],
    only: "stream",
  },
  "model error, tried again": {
    steps: [{ throws: Object.assign(new Error("busy"), { isRetryable: true }) }, say("Hello.")],
    status: "completed",
    lines: ["assistant: Hello."],
  },
  "aborted before it answers": {
    steps: (stop) => [{ hangs: true, onHang: stop }],
    status: "aborted",
    lines: [],
  },
  "aborted while it speaks": {
    steps: (stop) => [oslo, { content: [{ type: "text", text: "It is sunny in Oslo." }], hangsAfter: 3, onHang: stop }],
    status: "aborted",
    lines: [...toolLines, "assistant: It is sunny "],
    only: "stream",
  },
  "aborted while a tool runs": {
    steps: [both(["c2", "stopping", {}]), say("Never.")],
    status: "aborted",
    lines: ["assistant: weather#c1 stopping#c2", 'tool: #c1="sunny in Oslo"'],
  },
  "reader leaves": {
    steps: [oslo, say("It is sunny in Oslo.")],
    leaves: true,
    status: "completed",
    lines: [...toolLines, "assistant: It is sunny in Oslo."],
    only: "stream",
  },
  "waits for approval": {
    steps: [both(["c2", "danger", {}])],
    status: "paused",
    lines: ["assistant: weather#c1 danger#c2 requested#c2"],
  },
  "approved in another process": {
    steps: [both(["c2", "danger", {}]), say("Did it.")],
    resume: "approve",
    status: "completed",
    lines: [
      "assistant: weather#c1 danger#c2 requested#c2",
      'tool: #c1="sunny in Oslo"',
      "tool: approved#c2",
      'tool: #c2="done"',
      "assistant: Did it.",
    ],
  },
  "declined in another process": {
    steps: [call(["c2", "danger", {}]), say("As you like.")],
    resume: "decline",
    status: "completed",
    lines: [
      "assistant: danger#c2 requested#c2",
      "tool: denied#c2",
      'tool: #c2!="Tool call was not approved by the user"',
      "assistant: As you like.",
    ],
  },
  "tool asks the person": {
    steps: [both(["c2", "ask", {}])],
    status: "paused",
    lines: ["assistant: weather#c1 ask#c2"],
  },
  "answered in another process": {
    steps: [both(["c2", "ask", {}]), say("Noted.")],
    resume: { answer: "the red one" },
    status: "completed",
    lines: [
      "assistant: weather#c1 ask#c2",
      'tool: #c1="sunny in Oslo"',
      'tool: #c2="the red one"',
      "assistant: Noted.",
    ],
  },
  "blocked on its way in": {
    steps: [say("Never.")],
    input: { processInput: ({ abort }) => abort("not allowed") },
    status: "failed",
    lines: [],
  },
  "blocked before a step": {
    steps: [oslo, say("Never.")],
    input: { processInputStep: ({ stepNumber, abort }) => (stepNumber === 1 ? abort("not allowed") : undefined) },
    status: "failed",
    lines: toolLines,
  },
  "blocked on its way out": {
    steps: [oslo, say("A secret.")],
    output: { processOutputResult: ({ abort }) => abort("not allowed") },
    status: "failed",
    lines: toolLines,
  },
  "changed on its way out": {
    steps: [say("A secret.")],
    output: {
      processOutputResult: ({ messages }) =>
        messages.map((row) => ({ ...row, content: { format: 2, parts: [{ type: "text", text: "A [name]." }] } })),
    },
    status: "completed",
    lines: ["assistant: A [name]."],
  },
  "another processor throws": {
    steps: [say("Never.")],
    input: {
      processInput: () => {
        throw new Error("a bug");
      },
    },
    status: "failed",
    lines: [],
  },
};

const table = resultTable({ corner: "how the run goes", rows: Object.keys(WAYS), columns: ["`generate`", "`stream`"] });

/** Runs to the end in one of Mastra's ways; gives what it waits for, if it does. */
async function play(mode: Mode, way: Way, run: () => Promise<unknown>): Promise<string | undefined> {
  try {
    // Both ways give an object that knows its run.
    const result = (await run()) as {
      runId: string;
      fullStream?: AsyncIterable<{ type: string }>;
      finishReason: unknown;
    };
    if (mode === "stream") {
      for await (const part of result.fullStream ?? []) if (way.leaves && part.type === "text-delta") break;
    }
    return (await result.finishReason) === "suspended" ? result.runId : undefined;
  } catch {
    return undefined;
  }
}

const resumeRun = (
  agent: Agent,
  mode: Mode,
  resume: NonNullable<Way["resume"]>,
  options: { runId: string; toolCallId: string },
) => {
  if (typeof resume === "object") {
    return mode === "generate" ? agent.resumeGenerate(resume, options) : agent.resumeStream(resume, options);
  }
  if (resume === "approve") {
    return mode === "generate" ? agent.approveToolCallGenerate(options) : agent.approveToolCall(options);
  }
  return mode === "generate" ? agent.declineToolCallGenerate(options) : agent.declineToolCall(options);
};

describe.each(Object.entries(WAYS))("B2, R1: %s", (name, way) => {
  test.each(MODES.filter((mode) => way.only === undefined || way.only === mode))(
    "%s: one turn, with the right status and content",
    async (mode) => {
      vi.spyOn(console, "error").mockImplementation(() => {});
      const { memory, conversation } = testMemory();
      const controller = new AbortController();
      const stop = () => controller.abort();
      const model = scriptedModel(...(typeof way.steps === "function" ? way.steps(stop) : way.steps));
      const storage = new InMemoryStore();
      // As another process would have it: only Mastra's storage and the memory's are the same.
      const make = () =>
        quietAgent(
          withMemory(
            memory,
            {
              id: "ann",
              name: "Ann",
              instructions: "Be brief.",
              model,
              maxRetries: 1,
              tools: tools(stop),
              inputProcessors: way.input ? [{ id: "app", ...way.input } as Processor & { processInput: never }] : [],
              outputProcessors: way.output
                ? [{ id: "app", ...way.output } as Processor & { processOutputResult: never }]
                : [],
            },
            { tools: false },
          ),
          storage,
        );
      const owner = { memory: { thread: "chat", resource: "ada" } };
      const pick = { id: "pick", description: "The client's.", inputSchema: { type: "object", properties: {} } };
      const options = {
        ...owner,
        abortSignal: controller.signal,
        maxSteps: way.maxSteps ?? 5,
        ...(name.startsWith("client") ? { clientTools: { pick } as never } : {}),
      };
      const agent = make();
      const waiting = await play(mode, way, () => agent[mode]("How is Oslo?", options));
      if (way.resume) {
        const given = { runId: waiting ?? "none", toolCallId: "c2", ...owner };
        await play(mode, way, () => resumeRun(make(), mode, way.resume as never, given));
      }
      await vi.waitFor(async () => expect(await recorded(conversation)).not.toEqual([]));
      expect(await recorded(conversation)).toEqual([
        { status: way.status, lines: ["user: How is Oslo?", ...way.lines] },
      ]);
      table.record(name, `\`${mode}\``, way.status);

      // Whatever was recorded is valid input for the next run, once.
      const next = scriptedModel(say("Next."));
      const later = quietAgent(
        withMemory(memory, { id: "bo", name: "Bo", instructions: "Be brief.", model: next }, { tools: false }),
      );
      await later.generate("And now?", owner);
      expect(orphans(next.prompts()[0] ?? [])).toEqual([]);
      const said = JSON.stringify(next.prompts()[0]);
      expect(said.split("How is Oslo?").length - 1).toBe(1);
      expect(await recorded(conversation)).toHaveLength(2);
    },
  );
});

for (const [name, way] of Object.entries(WAYS)) {
  if (way.only === "stream") table.record(name, "`generate`", "–");
}

test("R1: the table in the README is what these tests saw", async () => {
  await expect(table.json()).toMatchFileSnapshot("runs.table.json");
});

/** Calls without results and results without calls in what the model was asked. */
function orphans(prompt: ReturnType<ReturnType<typeof scriptedModel>["prompts"]>[number]): string[] {
  const open = new Set<string>();
  const wrong: string[] = [];
  for (const message of prompt) {
    if (typeof message.content === "string") continue;
    for (const part of message.content) {
      if (part.type === "tool-call") open.add(part.toolCallId);
      if (part.type === "tool-result" && !open.delete(part.toolCallId)) wrong.push(`result ${part.toolCallId}`);
      if (part.type === "reasoning") wrong.push("reasoning");
    }
  }
  return [...wrong, ...open];
}
