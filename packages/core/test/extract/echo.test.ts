import { describe, expect, it } from "vitest";
import { assistant, call, result, user } from "../support.ts";
import { extracting, scripted } from "./distillers.ts";

describe("echoes", () => {
  it("G2: a thousand turns that repeat what the memory recalled don't grow it by a fact", {
    timeout: 60_000,
  }, async () => {
    // Proposes everything that anybody said, the memory's own block included, each time in other words.
    let turn = 0;
    const { distiller } = scripted(({ turns, known }) => {
      turn += 1;
      const said = turns.flatMap(({ messages }) =>
        messages.flatMap(({ parts }) => parts.flatMap((part) => (part.type === "text" ? [part.text] : []))),
      );
      return [
        ...said.map((text) => ({ topic: "echo", value: text, quote: text, confidence: 1 })),
        ...said.map((text) => ({
          topic: "echo",
          value: `The user said ${turn} times: ${text}`,
          quote: text,
          confidence: 1,
        })),
        ...known.map(({ value }) => ({ topic: "again", value, quote: String(value), confidence: 1 })),
      ];
    });
    const { memory } = extracting(distiller);
    const ana = memory.subject("ana");
    await ana.remember({ key: "dog", value: "a beagle called Biscuit" });
    await ana.remember({ topic: "likes", value: "green figs with rice" });
    const chat = memory.conversation({ id: "c", subject: "ana" });
    const before = (await ana.facts({ history: true })).length;
    for (let count = 0; count < 1_000; count++) {
      const open = await chat.begin({ messages: [user(count % 2 === 0 ? "What do you know?" : "And what else?")] });
      await open.complete([
        { role: "assistant", parts: [call("k", "memory_recall")] },
        { role: "tool", parts: [result("k", "- dog: a beagle called Biscuit", "memory_recall")] },
        assistant(`You have a beagle called Biscuit, and like green figs with rice. ${open.system}`),
      ]);
      if (count % 50 === 49) await memory.settled();
    }
    await memory.settled();
    const facts = await ana.facts({ history: true });
    // The questions themselves are the person's words; what this distiller makes of them is no more than they are.
    const echoes = facts.filter(({ value }) => /Biscuit|figs/.test(JSON.stringify(value)));
    expect(echoes).toHaveLength(before);
    expect(facts.length - before).toBeLessThanOrEqual(2);
    expect((await ana.audit()).quarantined.filter(({ value }) => /Biscuit|figs/.test(JSON.stringify(value)))).toEqual(
      [],
    );
  });

  it("G2: what the memory's tools answered reaches no distiller, and its block is nobody's words", async () => {
    const { distiller, inputs } = scripted({ Biscuit: [{ key: "dog", value: "Biscuit", quote: "dog: Biscuit" }] });
    const { memory } = extracting(distiller);
    const chat = memory.conversation({ id: "c", subject: "ana" });
    await chat.record({
      messages: [
        user("What's my dog called?"),
        { role: "assistant", parts: [call("k", "memory_recall")] },
        { role: "tool", parts: [result("k", "dog: Biscuit", "memory_recall")] },
        { ...user("<memory>dog: Biscuit</memory>"), origin: "memory" },
        assistant("Biscuit."),
      ],
    });
    await memory.settled();
    expect(inputs).toHaveLength(1);
    expect(await memory.subject("ana").facts()).toEqual([]);
    expect((await memory.subject("ana").audit()).quarantined).toEqual([]);
  });
});
