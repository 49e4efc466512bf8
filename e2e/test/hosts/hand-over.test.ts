import { createMemory, type Memory } from "@throughline/core";
import {
  type ModelServer,
  modelServer,
  resultTable,
  type StoryAgent,
  type StoryHost,
  type StoryTool,
  type WireAnswer,
} from "@throughline/testkit";
import { describe, expect, test, vi } from "vitest";
import * as z from "zod";
import { HOSTS } from "../../hosts/hosts.ts";
import { recordedLines, requestLines } from "../../hosts/request-lines.ts";
import { DATABASES, type Database } from "../support/databases.ts";

// The AI SDK tells of each schema that OpenAI takes less exactly.
vi.stubGlobal("AI_SDK_LOG_WARNINGS", false);

type Api = "chat" | "responses";

/** What the first host's client speaks, and the second one's. */
const APIS: readonly (readonly [Api, Api])[] = [
  ["chat", "chat"],
  ["responses", "responses"],
  ["responses", "chat"],
  ["chat", "responses"],
];
const databaseOf = (wanted: string): Database => DATABASES.find(({ name }) => name === wanted) as Database;
const SHORT = { chat: "C", responses: "R" } as const;
const NAMES = HOSTS.map(({ name }) => name);
const table = resultTable({ corner: "begun in → continued in", rows: NAMES, columns: NAMES });

const TOOLS: readonly StoryTool[] = [
  {
    name: "weather",
    description: "The weather in a city.",
    input: z.object({ city: z.string() }),
    run: async ({ city }) => `sunny in ${String(city)}`,
  },
  {
    name: "book",
    description: "Books a train.",
    input: z.object({ to: z.string() }),
    needsApproval: true,
    run: async ({ to }) => `booked: ${String(to)}`,
  },
];
const call = (id: string, name: string, input: object) => ({ id, name, arguments: JSON.stringify(input) });

/** A person, an agent in two frameworks, and one model behind both. */
async function meet(
  [one, other]: readonly [StoryHost, StoryHost],
  [from, to]: readonly [Api, Api],
  database: Database,
) {
  const server = await modelServer();
  const place = database.place();
  const memories: Memory[] = [];
  const agentOf = (host: StoryHost, api: Api) => {
    // As two processes would have it: only the database is the same.
    const memory = createMemory({
      agent: "guide",
      store: place.open(),
      env: {},
      forgetKey: "a test's",
      onEvent: () => {},
    });
    memories.push(memory);
    const { baseURL } = server;
    const agent = host.open({ memory, baseURL, api, agentName: "Guide", instructions: "Be brief.", tools: TOOLS });
    return { memory, agent };
  };
  return {
    server,
    first: agentOf(one, from),
    second: agentOf(other, to),
    async [Symbol.asyncDispose]() {
      for (const memory of memories) await memory.close();
      await place.remove();
      await server[Symbol.asyncDispose]();
    },
  };
}

/** One run: what was asked, and what the model was sent first. */
async function say(
  { memory, agent }: { memory: Memory; agent: StoryAgent },
  server: ModelServer,
  text: string,
  ...answers: WireAnswer[]
): Promise<string[]> {
  const before = server.requests.length;
  server.answer(...answers);
  await agent.say(text, {
    conversation: memory.conversation({ id: "chat", subject: "ada" }),
    signal: new AbortController().signal,
    onText() {},
  });
  await memory.settled();
  expect(server.refusals).toEqual([]);
  expect(server.requests.length - before, text).toBe(answers.length);
  const [request] = server.requests.slice(before);
  return request === undefined ? [] : requestLines(request);
}

const PAST = [
  "user: How is it in Oslo and Voss?",
  "assistant: Let me look.",
  'weather#call-1({"city":"Oslo"})',
  'weather#call-2({"city":"Voss"})',
  "#call-1=sunny in Oslo",
  "#call-2=sunny in Voss",
  "assistant: Sunny in both.",
  "user: I live in Oslo.",
  'memory_remember#call-3({"key":"city","value":"Oslo"})',
  "#call-3=Remembered.",
  "assistant: Good to know.",
];
const NEXT = [
  "user: And in Bergen?",
  'weather#call-4({"city":"Bergen"})',
  "#call-4=sunny in Bergen",
  "assistant: There too.",
];
const LAST = ["user: Thank you.", "assistant: You are welcome."];

/** Everything but the system part, which comes first, holds the instructions once and one block of what is known. */
function history(lines: readonly string[]): string[] {
  const system = lines.filter((line) => line.startsWith("system: "));
  expect(lines.slice(0, system.length)).toEqual(system);
  const text = system.join("\n");
  expect([text.split("Be brief.").length, text.split("</memory>").length]).toEqual([
    2,
    text.includes("<memory>") ? 2 : 1,
  ]);
  // What a host's own state holds of its own provider's reasoning goes back to it; the server has checked that it may.
  return lines.slice(system.length).filter((line) => line !== "reasoning!");
}

/** Begun in one, continued in the other, and then again in the first. */
async function handOver(hosts: readonly [StoryHost, StoryHost], apis: readonly [Api, Api], database: Database) {
  await using world = await meet(hosts, apis, database);
  const { server, first, second } = world;
  const begun = await say(
    first,
    server,
    "How is it in Oslo and Voss?",
    {
      ...(apis[0] === "responses" ? { reasoning: "Two cities." } : {}),
      text: "Let me look.",
      calls: [call("call-1", "weather", { city: "Oslo" }), call("call-2", "weather", { city: "Voss" })],
    },
    { text: "Sunny in both." },
  );
  expect(history(begun)).toEqual(PAST.slice(0, 1));
  await say(
    first,
    server,
    "I live in Oslo.",
    { calls: [call("call-3", "memory_remember", { key: "city", value: "Oslo" })] },
    { text: "Good to know." },
  );
  const taken = await say(
    second,
    server,
    "And in Bergen?",
    { calls: [call("call-4", "weather", { city: "Bergen" })] },
    { text: "There too." },
  );
  expect(history(taken)).toEqual([...PAST, ...NEXT.slice(0, 1)]);
  expect(taken.join("\n")).toContain("- city: Oslo");
  // Nothing that only the other one's provider knows.
  if (hosts[0] !== hosts[1]) {
    const sent = JSON.stringify(server.requests.at(-2)?.body);
    expect(sent).not.toMatch(/item_reference|(rs|msg|fc|resp|chatcmpl)_wire|reasoning_content|Two cities/);
  }
  const back = await say(first, server, "Thank you.", { text: "You are welcome." });
  expect(history(back)).toEqual([...PAST, ...NEXT, ...LAST.slice(0, 1)]);

  const { turns } = await second.memory.conversation({ id: "chat", subject: "ada" }).transcript();
  expect(turns.map(({ status, hidden = false }) => [status, hidden])).toEqual(Array(4).fill(["completed", false]));
  expect(recordedLines(turns.flatMap(({ messages }) => messages))).toEqual([...PAST, ...NEXT, ...LAST]);
}

/** Begun in one and left waiting for a person; continued in the other; then the person decides in the first. */
async function leaveWaiting(hosts: readonly [StoryHost, StoryHost], apis: readonly [Api, Api], database: Database) {
  await using world = await meet(hosts, apis, database);
  const { server, first, second } = world;
  await say(first, server, "Good morning.", { text: "Good morning, Ada." });
  await say(first, server, "Book the train.", {
    ...(apis[0] === "responses" ? { reasoning: "A train." } : {}),
    calls: [call("call-1", "book", { to: "Voss" })],
  });
  const begun = ["user: Good morning.", "assistant: Good morning, Ada."];
  const taken = await say(second, server, "How is it there?", { text: "Sunny." });
  // A call that nobody has decided about has no answer that a model could be shown.
  expect(history(taken)).toEqual([...begun, "user: Book the train.", "user: How is it there?"]);
  const conversation = () => first.memory.conversation({ id: "chat", subject: "ada" });
  const statuses = async () => (await conversation().transcript()).turns.map(({ status }) => status);
  expect(await statuses()).toEqual(["completed", "paused", "completed"]);
  // Whether a new message leaves anything to decide about in one and the same host, is that host's affair.
  if (hosts[0] === hosts[1]) return;

  server.answer({ text: "It is booked." });
  await first.agent.decide(true, {
    conversation: conversation(),
    signal: new AbortController().signal,
    onText() {},
  });
  await first.memory.settled();
  expect(server.refusals).toEqual([]);
  const later = await say(second, server, "Thank you.", { text: "You are welcome." });
  const booked = [
    "user: Book the train.",
    'book#call-1({"to":"Voss"})',
    "#call-1=booked: Voss",
    "assistant: It is booked.",
  ];
  const between = ["user: How is it there?", "assistant: Sunny."];
  // A turn stands where it came to its end.
  expect(history(later)).toEqual([...begun, ...between, ...booked, "user: Thank you."]);
  expect(await statuses()).toEqual(Array(4).fill("completed"));
}

const PAIRS = HOSTS.flatMap((one) => HOSTS.map((other) => ({ one, other })));
/** Each with the one after it: what differs between databases does so for any pair. */
const RING = HOSTS.map((one, index) => ({ one, other: HOSTS[(index + 1) % HOSTS.length] as StoryHost }));

describe("on SQLite", () => {
  const database = databaseOf("SQLite");
  test.each(PAIRS)("W14: what $one.name began $other.name goes on with, and back", async ({ one, other }) => {
    // Which of its own clients a host's own state can be shown to is the host's affair.
    const apis = APIS.filter(([from, to]) => one !== other || from === to);
    for (const pair of apis) await handOver([one, other], pair, database);
    table.record(one.name, other.name, apis.map((pair) => pair.map((api) => SHORT[api]).join("→")).join(", "));
  });
  test.each(PAIRS)("W14: what waits in $one.name doesn't keep $other.name from going on", async ({ one, other }) => {
    for (const pair of APIS.slice(0, 2)) await leaveWaiting([one, other], pair, database);
  });
});

describe.runIf(DATABASES.some(({ name }) => name === "PostgreSQL"))("on PostgreSQL", () => {
  test.each(RING)("W14: what $one.name began $other.name goes on with, and back", async ({ one, other }) => {
    await handOver([one, other], ["chat", "responses"], databaseOf("PostgreSQL"));
    await leaveWaiting([one, other], ["chat", "chat"], databaseOf("PostgreSQL"));
  });
});

test("W14: the table in the README is what these tests saw", () =>
  expect(table.json()).toMatchFileSnapshot("../hand-over.table.json"));
