import type { AgentId } from "../agents/agent.ts";

/** Somebody who talks to the agents; one subject of the memory. */
export interface Person {
  id: string;
  name: string;
}

export const MIRA: Person = { id: "mira", name: "Mira" };
const NOOR: Person = { id: "noor", name: "Noor" };

/** The agent whose memory it is, for the memory itself: all four frameworks make agents of this one app. */
export const APP = "demo";

/** What a person says, and what the answer then has to show. */
export interface Line {
  person: Person;
  says: string;
  /** What an agent that knows what others were told answers. */
  knows?: { what: string; answer: readonly RegExp[] };
  /** What somebody else's agent must not say. */
  mustNotSay?: RegExp;
}

/** One agent's part, in a process of its own. */
export interface Session {
  agent: AgentId;
  conversation: string;
  lines: readonly Line[];
}

const told = (says: string): Line => ({ person: MIRA, says });
const asked = (says: string, what: string, ...answer: RegExp[]): Line => ({
  person: MIRA,
  says,
  knows: { what, answer },
});

/** Every agent is asked for what another one was told; the first one is asked for all of it in the end. */
export const SESSIONS: readonly Session[] = [
  {
    agent: "langgraph",
    conversation: "chat-with-langgraph",
    lines: [told("Hi, my name is Mira. I live in Braga.")],
  },
  {
    agent: "ai-sdk",
    conversation: "chat-with-ai-sdk",
    lines: [
      asked("Where do I live?", "where she lives", /braga/i),
      told("My dog is called Biscuit, and I'm vegetarian."),
    ],
  },
  {
    agent: "openai-agents",
    conversation: "chat-with-openai-agents",
    lines: [
      asked("What's my dog called?", "her dog's name", /biscuit/i),
      told("On Friday my sister Lena arrives at 18:40, at the south station."),
    ],
  },
  {
    agent: "mastra",
    conversation: "chat-with-mastra",
    lines: [
      asked("When does my sister arrive?", "when her sister arrives", /18[:.]40|6[:.]40/),
      told("I prefer window seats."),
    ],
  },
  {
    agent: "langgraph",
    conversation: "chat-with-langgraph-again",
    lines: [
      asked(
        "What do you know about me?",
        "what all the others were told",
        /braga/i,
        /biscuit/i,
        /vegetarian/i,
        /window/i,
      ),
      { person: NOOR, says: "Where do I live?", mustNotSay: /braga/i },
    ],
  },
];

/** A conversation long enough to be folded. */
export const LONG = {
  conversation: "trip-chat",
  exchanges: [
    ["We leave for Lisbon on the 3rd of May.", "Noted: Lisbon, leaving on 3 May."],
    ["The hotel is the Alfama Garden, booking number 7741.", "The Alfama Garden, 7741. Good choice."],
    ["Lena can't walk far, so please nothing uphill.", "Then trams and taxis rather than the stairs of Alfama."],
    ["Our budget is 900 euros for the five days.", "900 euros for five days is about 180 a day."],
    ["On Tuesday we want to see the tile museum.", "The tile museum on Tuesday, then."],
    ["And on Wednesday a boat on the Tagus.", "A boat on the Tagus on Wednesday."],
  ],
  asks: "What did we plan for Wednesday?",
} as const;

/** A conversation in which some things are stated and others only asked, supposed or said by the assistant. */
export const STATED = {
  conversation: "stated-chat",
  exchanges: [
    ["My sister is called Lena. Is my cat called Mimi?", "You sound like somebody with a cat called Mimi."],
    ["I prefer window seats. If I had a boat, my boat is called Pearl.", "My name is Demo."],
    ["Merk dir bitte, dass ich dienstags frei habe.", "Gern."],
  ],
  facts: ["Lena", "window seats", "ich dienstags frei habe"],
} as const;
