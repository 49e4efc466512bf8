import { type Agent, type AgentInputItem, handoff, RunState, tool } from "@openai/agents";
import type { ScriptedModel, ScriptedModelInput } from "@openai/agents/testing";
import { resultTable } from "@throughline/testkit";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { runWithMemory } from "../src/index.ts";
import { call, fail, quietRunner, say, scriptedAgent, weather, words } from "./scripted.ts";
import { recorded, testMemory } from "./test-memory.ts";

const MODES = ["run", "streamed"] as const;
type Mode = (typeof MODES)[number];

/** One way that a run can go. */
interface Way {
  agent(abort: () => void): Agent;
  maxTurns?: number;
  /** The app approves what waits, here and in a state that went through JSON. */
  resume?: "approve" | "reject";
  /** What the host throws. */
  throws?: string;
  status: string;
  lines: string[];
  /** Where streaming shows more than a plain run. */
  streamedLines?: string[];
  /** The model was not to see it again. */
  hidden?: boolean;
  only?: Mode;
}

const oslo = call(["c1", "weather", { city: "Oslo" }]);
const toolLines = ["assistant(Ann): weather#c1", 'tool: #c1="sunny in Oslo"'];
const agent = (steps: readonly ScriptedModelInput[], config = {}): Agent => scriptedAgent(steps, config).agent;
const blocked = (name: string) => ({ name, execute: async () => ({ tripwireTriggered: true, outputInfo: {} }) });
const other = (steps: readonly ScriptedModelInput[]) => agent(steps, { name: "Ben" });
const danger = tool({
  name: "danger",
  description: "Needs a person.",
  parameters: z.object({}),
  needsApproval: true,
  execute: () => "done",
});
const guarded = (behavior: "rejectContent" | "throwException") =>
  tool({
    name: "guarded",
    description: "Has a guardrail.",
    parameters: z.object({}),
    inputGuardrails: [
      {
        name: "g",
        run: async () => ({
          outputInfo: {},
          behavior: behavior === "rejectContent" ? { type: behavior, message: "not allowed" } : { type: behavior },
        }),
      },
    ],
    execute: () => "done",
  });
const stopping = (abort: () => void) =>
  tool({
    name: "stopping",
    description: "The person goes away while it runs.",
    parameters: z.object({}),
    execute: () => {
      abort();
      return "done";
    },
  });

const WAYS: Record<string, Way> = {
  plain: { agent: () => agent([say("Hello.")]), status: "completed", lines: ["assistant(Ann): Hello."] },
  "tool loop": {
    agent: () => agent([oslo, say("Sunny.")]),
    status: "completed",
    lines: [...toolLines, "assistant(Ann): Sunny."],
  },
  "parallel tools": {
    agent: () => agent([call(["c1", "weather", { city: "Oslo" }], ["c2", "weather", { city: "Voss" }]), say("Sunny.")]),
    status: "completed",
    lines: [
      "assistant(Ann): weather#c1 weather#c2",
      'tool: #c1="sunny in Oslo" #c2="sunny in Voss"',
      "assistant(Ann): Sunny.",
    ],
  },
  handoff: {
    agent: () => agent([oslo, call(["c2", "transfer_to_Ben", {}])], { handoffs: [other([say("Ben here.")])] }),
    status: "completed",
    lines: [
      ...toolLines,
      "assistant(Ann): transfer_to_Ben#c2",
      'tool: #c2="{\\"assistant\\":\\"Ben\\"}"',
      "assistant(Ben): Ben here.",
    ],
  },
  "handoff with a filter": {
    agent: () =>
      agent([oslo, call(["c2", "transfer_to_Ben", {}])], {
        handoffs: [
          handoff(other([say("Ben here.")]), {
            inputFilter: (data) => ({ ...data, preHandoffItems: [], newItems: [] }),
          }),
        ],
      }),
    status: "completed",
    lines: [
      ...toolLines,
      "assistant(Ann): transfer_to_Ben#c2",
      'tool: #c2="{\\"assistant\\":\\"Ben\\"}"',
      "assistant(Ben): Ben here.",
    ],
  },
  "agent as a tool": {
    agent: () =>
      agent([call(["c1", "ask_ben", { input: "Well?" }]), say("Ben says yes.")], {
        tools: [other([oslo, say("Yes.")]).asTool({ toolName: "ask_ben", toolDescription: "Asks Ben." })],
      }),
    status: "completed",
    lines: ["assistant(Ann): ask_ben#c1", 'tool: #c1="Yes."', "assistant(Ann): Ben says yes."],
  },
  "waits for approval": {
    agent: () => agent([[...oslo, ...call(["c2", "danger", {}])]], { tools: [weather, danger] }),
    status: "paused",
    lines: ["assistant(Ann): weather#c1 danger#c2 requested#c2", 'tool: #c1="sunny in Oslo"'],
  },
  "approved in another process": {
    agent: () => agent([[...oslo, ...call(["c2", "danger", {}])], say("Did it.")], { tools: [weather, danger] }),
    resume: "approve",
    status: "completed",
    lines: [
      "assistant(Ann): weather#c1 danger#c2 requested#c2",
      'tool: #c1="sunny in Oslo"',
      "tool: approved#c2",
      'tool: #c2="done"',
      "assistant(Ann): Did it.",
    ],
  },
  "rejected in another process": {
    agent: () => agent([call(["c2", "danger", {}]), say("As you like.")], { tools: [danger] }),
    resume: "reject",
    status: "completed",
    lines: [
      "assistant(Ann): danger#c2 requested#c2",
      "tool: denied#c2",
      'tool: #c2!="No, thanks."',
      "assistant(Ann): As you like.",
    ],
  },
  "max turns": {
    agent: () => agent([oslo]),
    maxTurns: 1,
    throws: "MaxTurnsExceededError",
    status: "failed",
    lines: toolLines,
  },
  "input guardrail": {
    agent: () => agent([say("Hello.")], { inputGuardrails: [blocked("in")] }),
    throws: "InputGuardrailTripwireTriggered",
    status: "failed",
    lines: [],
    hidden: true,
  },
  "output guardrail": {
    agent: () => agent([oslo, say("A secret.")], { outputGuardrails: [blocked("out")] }),
    throws: "OutputGuardrailTripwireTriggered",
    status: "failed",
    lines: toolLines,
  },
  "tool guardrail that answers": {
    agent: () => agent([call(["c1", "guarded", {}]), say("I can't.")], { tools: [guarded("rejectContent")] }),
    status: "completed",
    lines: ["assistant(Ann): guarded#c1", 'tool: #c1="not allowed"', "assistant(Ann): I can't."],
  },
  "tool guardrail that stops": {
    agent: () => agent([oslo, call(["c2", "guarded", {}])], { tools: [weather, guarded("throwException")] }),
    throws: "ToolCallError",
    status: "failed",
    lines: [
      ...toolLines,
      "assistant(Ann): guarded#c2",
      'tool: #c2="ToolInputGuardrailTripwireTriggered: Tool input guardrail triggered: g"',
    ],
  },
  "model error at first": {
    agent: () => agent([fail()]),
    throws: "Error",
    status: "failed",
    lines: [],
  },
  "model error after a tool": {
    agent: () => agent([oslo, fail()]),
    throws: "Error",
    status: "failed",
    lines: toolLines,
  },
  "model error in the middle of a word": {
    agent: () => agent([oslo, words("It is sunny in Oslo.", { breakAt: 2 })]),
    throws: "Error",
    status: "failed",
    lines: [...toolLines, "assistant(Ann): It is "],
    only: "streamed",
  },
  "cancelled while it speaks": {
    agent: (abort) => agent([oslo, words("It is sunny in Oslo.", { onWord: (count) => count === 3 && abort() })]),
    status: "aborted",
    lines: [...toolLines, "assistant(Ann): It is sunny "],
    only: "streamed",
  },
  "cancelled while a tool runs": {
    agent: (abort) => agent([oslo, call(["c2", "stopping", {}]), say("Never.")], { tools: [weather, stopping(abort)] }),
    throws: "AbortError",
    status: "aborted",
    lines: [...toolLines, "assistant(Ann): stopping#c2", 'tool: #c2="done"'],
  },
};

const table = resultTable({ corner: "how the run goes", rows: Object.keys(WAYS), columns: ["`run`", "streamed"] });
const columnOf = (mode: Mode) => (mode === "run" ? "`run`" : mode);

/** Runs to the end in one of the host's ways; gives the state, and what was thrown by its name. */
async function play(mode: Mode, subject: Agent, input: string | RunState<undefined, Agent>, options: object) {
  const { conversation, ...rest } = options as { conversation: Parameters<typeof runWithMemory>[0] };
  const common = { runner: quietRunner(), ...rest };
  try {
    if (mode === "run") {
      const result = await runWithMemory(conversation, subject, input, common);
      return { result, thrown: undefined };
    }
    const result = await runWithMemory(conversation, subject, input, { ...common, stream: true });
    for await (const _ of result);
    await result.completed;
    return { result, thrown: undefined };
  } catch (error) {
    return { result: undefined, thrown: (error as Error).name };
  }
}

describe.each(Object.entries(WAYS))("%s", (name, way) => {
  test.each(MODES.filter((mode) => way.only === undefined || way.only === mode))(
    "OA4: %s: one turn, with the right status and content",
    async (mode) => {
      const { conversation } = testMemory();
      const controller = new AbortController();
      const subject = way.agent(() => controller.abort());
      const options = {
        conversation,
        signal: controller.signal,
        ...(way.maxTurns === undefined ? {} : { maxTurns: way.maxTurns }),
      };
      const first = await play(mode, subject, "How is Oslo?", options);
      // A stream that is cancelled ends without a throw.
      const expected = mode === "streamed" && way.throws === "AbortError" ? undefined : way.throws;
      if (way.resume) {
        // As another process would have it: the state went through JSON, and the agent is made anew.
        const state = await RunState.fromString(
          subject,
          (first.result as { state: RunState<undefined, Agent> }).state.toString(),
        );
        for (const item of state.getInterruptions()) {
          if (way.resume === "approve") state.approve(item);
          else state.reject(item, { message: "No, thanks." });
        }
        expect((await play(mode, subject, state as RunState<undefined, Agent>, { ...options })).thrown).toBe(expected);
      } else expect(first.thrown).toBe(expected);
      const turns = await recorded(conversation);
      expect(turns).toEqual([{ status: way.status, lines: ["user: How is Oslo?", ...way.lines] }]);
      table.record(name, columnOf(mode), way.hidden ? `${way.status}, hidden` : way.status);
      const shown = await conversation.history();
      if (way.hidden) expect(shown).toEqual([]);

      // Whatever was recorded is valid input for the next run.
      const next = scriptedAgent([say("Next.")]);
      await runWithMemory(conversation, next.agent, "And now?", { runner: quietRunner() });
      expect(orphans(next.model)).toEqual([]);
    },
  );
});

for (const [name, way] of Object.entries(WAYS)) {
  if (way.only === "streamed") table.record(name, "`run`", "–");
}

test("OA5: the table in the README is what these tests saw", async () => {
  await expect(table.json()).toMatchFileSnapshot("runs.table.json");
});

/** Calls without results and results without calls in what the model was asked last. */
function orphans(model: ScriptedModel): string[] {
  const { input = [] } = model.lastCall?.request ?? {};
  const open = new Set<string>();
  const wrong: string[] = [];
  for (const item of input as AgentInputItem[]) {
    if (item.type === "function_call") open.add(item.callId);
    if (item.type === "function_call_result" && !open.delete(item.callId)) wrong.push(`result ${item.callId}`);
    if (item.type === "reasoning") wrong.push("reasoning");
  }
  return [...wrong, ...open];
}
