/** The person of the story; one subject of the memory. */
export const PERSON = { id: "mira", name: "Mira" };

/** The agent whose memory the demo shows. */
export const AGENT = "demo";

/** What Mira says in the first session. */
export const FIRST = {
  conversation: "first-chat",
  says: [
    "Hi, I'm Mira. I'm vegetarian, and I love mushrooms.",
    "My dog is called Biscuit.",
    "On Friday my sister Lena arrives at 18:40, at the south station.",
  ],
};

/** What she asks in the second, and what an answer that knows the first one holds. */
export const SECOND = {
  conversation: "second-chat",
  asks: [
    {
      text: "What could I cook tonight, from what you know about me?",
      knows: /vegetarian|mushroom/i,
      what: "what she eats",
      how: "the facts in the prompt",
    },
    { text: "What's my dog called?", knows: /biscuit/i, what: "her dog's name", how: "memory_recall" },
    {
      text: "When does my sister arrive?",
      knows: /18[:.]40|6[:.]40/,
      what: "when her sister arrives",
      how: "memory_search",
    },
  ],
};

/** A third conversation, long enough to be folded. */
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

/** A conversation without tools, in which some things are stated and others only asked, supposed or said by the assistant. */
export const STATED = {
  conversation: "stated-chat",
  exchanges: [
    ["My sister is called Lena. Is my cat called Mimi?", "You sound like somebody with a cat called Mimi."],
    ["I prefer window seats. If I had a boat, my boat is called Pearl.", "My name is Demo."],
    ["Merk dir bitte, dass ich dienstags frei habe.", "Gern."],
  ],
  facts: ["Lena", "window seats", "ich dienstags frei habe"],
} as const;
