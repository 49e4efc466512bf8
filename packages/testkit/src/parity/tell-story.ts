import {
  type ConversationRef,
  createMemory,
  type Distiller,
  type Memory,
  type MemoryEvent,
  type MemoryStore,
  type Summarizer,
} from "@throughline/core";
import { modelServer } from "../wire/model-server.ts";
import { readRecords, type StoryRecords } from "./read-records.ts";
import { STORY, STORY_POLICY, STORY_TOOLS, type StoryStep } from "./story.ts";
import type { StoryAgent, StoryHost } from "./story-host.ts";

const START = Date.parse("2026-03-02T09:00:00.000Z");
const STEP_MS = 60_000;

/** What came of a story. */
export interface StoryTold {
  /** What is in the store. */
  records: StoryRecords;
  /** The bodies that the model was sent, as JSON. */
  requests: string[];
  /** What the model refused, one sentence each. */
  refusals: readonly string[];
  /** What the memory and the host threw, and events that tell of a failure. */
  problems: string[];
}

/** Where and how a story is told. */
export interface TellStoryOptions {
  /** Empty, and closed by whoever opened it. */
  store: MemoryStore;
  /** @default "chat" */
  api?: "chat" | "responses";
  /** Gets the story's time with every step: a host that stamps its messages itself needs the same clock. */
  onTime?(now: Date): void;
}

const isFailure = (event: MemoryEvent): event is Extract<MemoryEvent, { type: `${string}_failed` }> =>
  event.type.endsWith("_failed");

/** Names the question of every turn it is given. */
const summarizer: Summarizer = ({ previous, turns }) =>
  [
    ...(previous === null ? [] : [previous]),
    ...turns.map(({ messages }) =>
      messages
        .flatMap(({ role, parts }) => (role === "user" ? parts : []))
        .flatMap((part) => (part.type === "text" ? [part.text] : [])),
    ),
  ].join(" ");

/** Believes what is said of nuts. */
const distiller: Distiller = ({ turns }) =>
  turns.flatMap(({ id, messages }) =>
    JSON.stringify(messages).includes("allergic to nuts")
      ? [{ key: "allergy", value: "nuts", quote: "I am allergic to nuts", confidence: 0.9, turn: id }]
      : [],
  );

/**
 * Tells the story through a host and gives what it has left in the store. The model is a server on this machine; the
 * host's own client talks to it. Needs no clock, no key and no network.
 */
export async function tellStory(
  host: StoryHost,
  { store, api = "chat", onTime }: TellStoryOptions,
): Promise<StoryTold> {
  await using server = await modelServer();
  let now = START;
  let ids = 0;
  const problems: string[] = [];
  const memory = createMemory({
    agent: "guide",
    store,
    policy: STORY_POLICY,
    summarizer,
    distiller,
    env: {},
    forgetKey: "the story's",
    clock: () => new Date(now),
    createId: () => `made-${String(++ids).padStart(5, "0")}`,
    onEvent: (event) => void (isFailure(event) && problems.push(`${event.type}: ${event.code}`)),
  });
  const agent = host.open({
    memory,
    baseURL: server.baseURL,
    api,
    agentName: "Guide",
    instructions: "Be brief.",
    tools: STORY_TOOLS,
  });
  for (const step of STORY) {
    now += STEP_MS;
    onTime?.(new Date(now));
    if ("happens" in step) await step.happens(memory);
    else {
      server.answer(...step.model);
      await play(agent, memory, step).catch((error: unknown) => problems.push(String(error)));
    }
    await memory.settled();
  }
  const records = await readRecords(
    memory,
    store,
    STORY.flatMap((step) => ("in" in step ? [step.in.id] : [])),
  );
  await memory.close();
  const requests = server.requests.map(({ body }) => JSON.stringify(body));
  return { records, requests, refusals: [...server.refusals], problems };
}

async function play(agent: StoryAgent, memory: Memory, step: Exclude<StoryStep, { happens: unknown }>): Promise<void> {
  const controller = new AbortController();
  let said = "";
  const input = {
    conversation: memory.conversation(step.in satisfies ConversationRef),
    signal: controller.signal,
    onText(text: string) {
      said += text;
      if ("says" in step && step.stopAt !== undefined && said.includes(step.stopAt)) controller.abort();
    },
  };
  await ("says" in step ? agent.say(step.says, input) : agent.decide(step.approves, input));
}
