import { describe, expect, it } from "vitest";
import { contentWords, understand } from "./understand.ts";

const told = (text: string) => {
  const intent = understand(text);
  return intent.kind === "tell" ? intent.told.map(({ key, topic, value }) => `${key ?? `*${topic}`}=${value}`) : intent;
};

describe("understand", () => {
  it("finds everything that a sentence tells", () => {
    expect(told("Hi, I'm Mira. I'm vegetarian, and I love mushrooms.")).toEqual([
      "name=Mira",
      "diet=vegetarian",
      "*likes=mushrooms",
    ]);
    expect(told("Call me Ed and my favourite colour is dark blue!")).toEqual(["name=Ed", "favourite_colour=dark blue"]);
    expect(told("My dog is called Biscuit.")).toEqual(["dog=Biscuit"]);
    expect(told("Hi, my name is Mira. I live in Braga.")).toEqual(["name=Mira", "home=Braga"]);
    expect(told("Please remember that the spare key is under the pot.")).toEqual([
      "*asked to remember=the spare key is under the pot",
    ]);
    expect(told("I don't like olives")).toEqual(["*dislikes=olives"]);
  });

  it("quotes the person's own words", () => {
    const text = "Hello there, my dog is called Biscuit.";
    const intent = understand(text);
    expect(intent).toMatchObject({ kind: "tell", told: [{ quote: "my dog is called Biscuit" }] });
  });

  it("tells questions about one thing, about everything and about the past apart", () => {
    expect(understand("What's my dog called?")).toEqual({ kind: "ask-one", key: "dog" });
    expect(understand("what is my favourite colour?")).toEqual({ kind: "ask-one", key: "favourite_colour" });
    expect(understand("Where do I live?")).toEqual({ kind: "ask-one", key: "home" });
    expect(understand("Which seat do I prefer?")).toEqual({ kind: "ask-one", key: "preferences" });
    expect(understand("Who is my dentist?")).toEqual({ kind: "ask-one", key: "dentist" });
    expect(understand("What do you know about me?")).toEqual({ kind: "ask-all" });
    expect(understand("When does my sister arrive?")).toEqual({ kind: "ask-past", query: "sister arrive" });
    expect(understand("What could I cook tonight?")).toEqual({ kind: "dinner" });
  });

  it("takes a request to forget as one", () => {
    expect(understand("Please forget my favourite colour.")).toEqual({ kind: "forget", key: "favourite_colour" });
  });

  it("takes what no rule fits as talk, in any language", () => {
    expect(understand("On Friday my sister Lena arrives at 18:40.")).toEqual({ kind: "chat" });
    expect(understand("你好")).toEqual({ kind: "chat" });
    expect(understand("")).toEqual({ kind: "chat" });
    expect(understand("?")).toEqual({ kind: "chat" });
  });
});

describe("contentWords", () => {
  it("leaves out what says nothing about the thing asked for", () => {
    expect(contentWords("When did I say that my sister arrives at 18:40?")).toEqual(["sister", "arrives", "18:40"]);
  });
});
