import type { Conversation, ConversationRef, Memory } from "@throughline/core";
import * as z from "zod";
import type { WireAnswer } from "../wire/wire-answer.ts";
import type { StoryTool } from "./story-host.ts";

/** What happens next, in one conversation or outside of all. */
export type StoryStep =
  | {
      in: ConversationRef;
      says: string;
      /** What the model answers to the requests of this run. */
      model: readonly WireAnswer[];
      /** The person stops the answer as soon as it has said this. */
      stopAt?: string;
    }
  | { in: ConversationRef; approves: boolean; model: readonly WireAnswer[] }
  | { happens(memory: Memory): Promise<unknown> };

const call = (id: string, name: string, input: object) => ({ id, name, arguments: JSON.stringify(input) });

/** Nobody knows yet who it is; the login is the browser's. */
const monday: ConversationRef = { id: "monday", login: "web-1" };
const friday: ConversationRef = { id: "friday", subject: "ada", login: "web-1" };

/** Two sessions of one person: everything that a memory keeps comes up once at least. */
export const STORY: readonly StoryStep[] = [
  {
    in: monday,
    says: "Good morning, this is Ada.",
    model: [{ calls: [call("call-who", "introduce", { name: "ada" })] }, { text: "Good morning, Ada." }],
  },
  {
    in: monday,
    says: "I live in Oslo. This trip is for my sister.",
    model: [
      {
        calls: [
          call("call-city", "memory_remember", { key: "city", value: "Oslo", quote: "I live in Oslo" }),
          call("call-trip", "memory_remember", { key: "occasion", value: "her sister", scope: "conversation" }),
        ],
      },
      { text: "I will keep that in mind." },
    ],
  },
  {
    happens: (memory) =>
      memory.operator.remember({ scope: "app", key: "refunds", value: "within 30 days", type: "instruction" }),
  },
  {
    in: monday,
    says: "How is the weather in Oslo and in Bergen?",
    model: [
      { text: "Let me look.", calls: [call("call-oslo", "weather", { city: "Oslo" })] },
      { calls: [call("call-bergen", "weather", { city: "Bergen" })] },
      { text: "Sunny in both." },
    ],
  },
  {
    in: monday,
    says: "And in Voss, Atlantis and Hamar?",
    model: [
      {
        calls: ["Voss", "Atlantis", "Hamar"].map((city) => call(`call-${city.toLowerCase()}`, "weather", { city })),
      },
      { text: "Sunny in Voss and Hamar; there is no Atlantis." },
    ],
  },
  {
    in: monday,
    says: "Tell me about the night train.",
    model: [{ text: "The night train leaves at eleven and arrives at seven.", stallAfter: 4 }],
    stopAt: "leaves ",
  },
  {
    in: monday,
    says: "Book it, please.",
    model: [{ calls: [call("call-book", "book", { train: "night" })] }],
  },
  { in: monday, approves: true, model: [{ text: "It is booked." }] },
  {
    in: monday,
    says: "And a hotel by the lake.",
    model: [{ calls: [call("call-hotel", "book", { train: "none" })] }],
  },
  { in: monday, approves: false, model: [{ text: "Then I leave it." }] },
  {
    in: monday,
    says: "Show me the whole timetable.",
    model: [{ calls: [call("call-table", "timetable", {})] }, { text: "There it is." }],
  },
  { in: monday, says: "I am allergic to nuts, by the way.", model: [{ text: "No nuts, then." }] },
  { in: monday, says: "Are you there?", model: [{ status: 400 }] },
  {
    in: monday,
    says: "Forget where I live.",
    model: [{ calls: [call("call-forget", "memory_forget", { key: "city" })] }, { text: "It is forgotten." }],
  },
  {
    in: friday,
    says: "Who was the trip for?",
    model: [{ calls: [call("call-find", "memory_search", { query: "trip sister" })] }, { text: "For your sister." }],
  },
  { in: friday, says: "Thank you.", model: [{ text: "Have a good journey." }] },
];

/** A result of this size becomes an artifact. */
const LARGE = 600;

/** The policy and the parts of the story's memory: small enough for a fold and an artifact to come up. */
export const STORY_POLICY = {
  enabled: true,
  conversation: { maxMessages: 8, keepMessages: 4 },
  artifacts: { offloadChars: LARGE },
  carryOver: { enabled: true, every: "first" },
  extract: { when: "after-reply" },
} as const;

/** The app's own tools. */
export const STORY_TOOLS: readonly StoryTool[] = [
  {
    name: "introduce",
    description: "The person says who they are.",
    input: z.object({ name: z.string() }),
    async run({ name }, conversation: Conversation) {
      await conversation.rebindSubject(String(name));
      return `This is ${String(name)}.`;
    },
  },
  {
    name: "weather",
    description: "The weather in a city.",
    input: z.object({ city: z.string() }),
    async run({ city }) {
      if (city === "Atlantis") throw new Error("no such city");
      return `sunny in ${String(city)}`;
    },
  },
  {
    name: "book",
    description: "Books a train.",
    input: z.object({ train: z.string() }),
    needsApproval: true,
    run: async ({ train }) => `booked: ${String(train)}`,
  },
  {
    name: "timetable",
    description: "All trains.",
    input: z.object({}),
    run: async () => Array.from({ length: LARGE / 10 }, (_, hour) => `train ${hour}: on time`).join("\n"),
  },
];
