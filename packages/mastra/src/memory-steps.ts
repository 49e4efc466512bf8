import type { RequestContext } from "@mastra/core/request-context";
import { createStep } from "@mastra/core/workflows";
import { createReport, MemoryError } from "@throughline/core";
import * as z from "zod";
import type { Row } from "./convert/rows.ts";
import { toRows } from "./convert/to-rows.ts";
import { identifyConversation, type MemorySource } from "./identify.ts";
import type { MemorySettings } from "./memory-settings.ts";

/** What a step's `execute` is given, as far as it is read here. */
interface StepRun {
  requestContext: RequestContext;
  resourceId?: string | undefined;
  workflowId: string;
  getStepResult(step: string): unknown;
}

/** What a model is to be shown of the past. */
export interface Recalled {
  /** The memory block for the system part; empty when there is nothing to say. */
  system: string;
  /** The stored history without the turn under way, as Mastra takes it. */
  messages: Row[];
}

const LOAD_ID = "load-memory";
const SAVE_ID = "save-memory";

const loaded = z.object({
  /** What the person said. */
  prompt: z.string(),
  /** Id of the turn that the run is recorded as. */
  turn: z.string(),
});

/**
 * Steps for a workflow whose agents have no memory of their own. `loadMemory` opens the run's turn with what the person
 * said, `saveMemory` ends it with the answer, in whichever process the run goes on in between; a step that runs twice
 * records once. `recalled` gives a step between them what the model should be shown: read when it is needed, so that
 * nothing of the memory is kept with a suspended run.
 *
 * @example
 * const { loadMemory, saveMemory, recalled } = memorySteps(memory);
 * createWorkflow({ id, inputSchema: z.object({ prompt: z.string() }), outputSchema: saveMemory.outputSchema })
 *   .then(loadMemory).then(answer).then(saveMemory).commit();
 */
export function memorySteps(source: MemorySource, settings: Omit<MemorySettings, "tools"> = {}) {
  const report = createReport(settings.onError);
  const find = ({ requestContext, resourceId }: StepRun) =>
    identifyConversation(source, { requestContext, threadId: undefined, resourceId }, settings.identify, false);

  const loadMemory = createStep({
    id: LOAD_ID,
    description: "Opens the turn of a workflow's run with what the person said.",
    inputSchema: z.object({ prompt: z.string() }),
    outputSchema: loaded,
    async execute(run) {
      const { prompt } = run.inputData;
      const agentName = settings.agentName ?? run.workflowId;
      const turn = await find(run).begin({ messages: [{ role: "user", content: prompt }], agentName });
      const outcome = await turn.pause();
      if (outcome.status === "failed") report(outcome);
      return { prompt, turn: turn.id };
    },
  });

  const saveMemory = createStep({
    id: SAVE_ID,
    description: "Ends the turn of a workflow's run with the answer.",
    inputSchema: z.object({ text: z.string() }),
    outputSchema: z.object({ text: z.string(), turn: z.string() }),
    async execute(run) {
      const { text } = run.inputData;
      const { prompt, turn: id } = loadedOf(run);
      const conversation = find(run);
      // Named by its turn: the same answer again is the same message.
      const answer = { id: `${id}:answer`, role: "assistant" as const, content: text };
      const open = await conversation.resume(id);
      const outcome = open
        ? await open.complete([answer])
        : await conversation.record({ id, messages: [{ role: "user", content: prompt }, answer] });
      if (outcome.status === "failed" || (outcome.status === "refused" && outcome.code !== "TIER_OFF")) report(outcome);
      return { text, turn: id };
    },
  });

  const recalled = async (run: StepRun): Promise<Recalled> => {
    const { prompt, turn: id } = loadedOf(run);
    const { system, messages } = await find(run).begin({ query: prompt, recall: settings.recall });
    const past = messages.filter((message) => message.turn !== id && message.role !== "system");
    return { system, messages: toRows(past, { exact: settings.replay === "exact", onUnsupported: report }) };
  };

  return { loadMemory, saveMemory, recalled };
}

function loadedOf(run: StepRun): z.output<typeof loaded> {
  const parsed = loaded.safeParse(run.getStepResult(LOAD_ID));
  if (parsed.success) return parsed.data;
  throw new MemoryError(
    "INVALID_ARGUMENT",
    `The workflow "${run.workflowId}" has no loadMemory before this step: add it.`,
  );
}
