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
