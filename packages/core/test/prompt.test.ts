import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { messageTokens } from "../src/conversation/message-text.ts";
import { estimateTokens } from "../src/text/tokens.ts";
import { assistant, testMemory, texts, user } from "./support.ts";

describe("the prompt", () => {
  it("G9: with no writes, the block keeps its bytes over any number of turns", async () => {
    const { memory } = testMemory({ policy: { enabled: true, longTerm: { maxMemories: 5 } } });
    const chat = memory.conversation({ id: "c", subject: "ana" });
    for (let n = 0; n < 12; n++)
      await chat.remember(`fact_number_${n}`, `value ${n} of ${["tea", "dogs", "cars"][n % 3]}`);
    await memory.operator.remember({ scope: "app", key: "hours", value: "9 to 5" });
    const blocks: string[] = [];
    for (const words of ["tea please", "dogs?", "cars!", "nothing of it", "tea again"]) {
      const turn = await chat.begin({ messages: [user(words)] });
      blocks.push(turn.system);
      await turn.complete([assistant("ok")]);
    }
    const stable = blocks.map((block) => block.slice(0, block.indexOf("</facts>") + 8));
    expect(new Set(stable).size).toBe(1);
    expect(stable[0]).toContain('showing="');
    // What is near the question comes behind it, and differs.
    expect(blocks[0]).toContain("<facts-near-the-question>");
    expect(new Set(blocks).size).toBeGreaterThan(1);
    await chat.remember("fact_number_3", "changed");
    expect((await chat.begin({ messages: [user("tea please")] })).system).not.toBe(blocks[0]);
  });

  it("F5: preloads recent facts, near ones, or both, and app facts uncounted and first", async () => {
    const keys = async (preload: "recent" | "relevant" | "both") => {
      const { memory } = testMemory({ policy: { enabled: true, longTerm: { maxMemories: 5, preload } } });
      const chat = memory.conversation({ id: "c", subject: "ana" });
      await chat.remember("dog", "a beagle called Rex");
      for (let n = 0; n < 6; n++) await chat.remember(`other_${n}_thing`, `something ${n}`);
      await memory.operator.remember({ scope: "app", key: "hours", value: "9 to 5" });
      const { system } = await chat.begin({ messages: [user("what is my beagle called?")] });
      return [...system.matchAll(/^- ([a-z0-9_]+):/gm)].map((match) => match[1]);
    };
    expect(await keys("recent")).toEqual([
      "hours",
      "other_1_thing",
      "other_2_thing",
      "other_3_thing",
      "other_4_thing",
      "other_5_thing",
    ]);
    expect(await keys("relevant")).toEqual(["hours", "dog"]);
    expect(await keys("both")).toEqual([
      "hours",
      "other_2_thing",
      "other_3_thing",
      "other_4_thing",
      "other_5_thing",
      "dog",
    ]);
  });

  it("I1: recalls past turns where asked, at the tail, and never what history shows anyway", async () => {
    const { memory } = testMemory();
    await memory.conversation({ id: "old", subject: "ana" }).record({ messages: [user("my sister lives in Faro")] });
    const chat = memory.conversation({ id: "c", subject: "ana" });
    await chat.record({ messages: [user("Faro is on my mind"), assistant("I see")] });
    const turn = await chat.begin({ messages: [user("what about Faro?")], recall: 3 });
    expect(turn.system).toContain("user: my sister lives in Faro");
    expect(turn.system).not.toContain("on my mind");
    expect(turn.injected).toContainEqual({ kind: "recalled-turn", id: expect.any(String) });
    expect((await chat.begin({ messages: [user("what about Faro?")] })).system).toBe("");
    expect(await chat.systemContext({ query: "Faro", recall: 1 })).toContain("sister");
    // Shown once, it is not stored as if it had been said.
    await turn.complete([assistant("ok")]);
    expect(JSON.stringify(await chat.transcript())).not.toContain("sister");
  });

  it("G11: one budget is split by shares and never exceeded, whatever there is to show", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 300, max: 6_000 }),
        fc.array(fc.integer({ min: 1, max: 400 }), { maxLength: 12 }),
        fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 1, maxLength: 8 }),
        fc.boolean(),
        async (contextWindow, factWords, turnWords, folds) => {
          const { memory } = testMemory({
            contextWindow,
            ...(folds ? { summarizer: () => "They talked about many things. ".repeat(60) } : {}),
            policy: { enabled: true, conversation: { maxMessages: 4, keepMessages: 2 } },
          });
          const chat = memory.conversation({ id: "c", subject: "ana" });
          for (const [index, words] of factWords.entries())
            await chat.remember(`fact_${index}_${"x".repeat(index)}`, "word ".repeat(words));
          for (const words of turnWords)
            await chat.record({ messages: [user("say "), assistant("word ".repeat(words))] });
          await memory.settled();
          const turn = await chat.begin({ messages: [user("next")], model: "some-model" });
          const { budget, items } = turn.explain();
          const used = items.filter((item) => item.included).reduce((sum, item) => sum + item.tokens, 0);
          expect(used).toBe(budget.used);
          const history = turn.messages.filter((message) => message.turn !== undefined);
          const newest = new Set(history.map((message) => message.turn)).size === 1;
          // The newest turn is shown however large it is; everything else keeps to the budget.
          if (!newest) expect(used).toBeLessThanOrEqual(budget.total);
          expect(messageTokens(history, estimateTokens)).toBeLessThanOrEqual(
            Math.max(contextWindow, newest ? Infinity : 0),
          );
          for (const item of items) expect(item.reason.length).toBeGreaterThan(0);
        },
      ),
      { numRuns: 150 },
    );
  });

  it("W10/W11: a prompt that can't be under the model's budget stops the run, and says what is large", async () => {
    const { memory } = testMemory({ contextWindow: 2_000 });
    const turn = await memory
      .conversation({ id: "c" })
      .begin({ messages: [user("word ".repeat(3_000))], model: "small" });
    expect(() => turn.preflight(turn.messages, { system: turn.system })).toThrow(
      expect.objectContaining({
        code: "CONTEXT_OVERFLOW",
        details: expect.objectContaining({ largest: expect.any(Array) }),
      }),
    );
    const fine = await memory.conversation({ id: "d" }).begin({ messages: [user("short")], model: "small" });
    expect(() => fine.preflight(fine.messages)).not.toThrow();
  });

  it("W8: a tool loop that outgrows the budget is compacted, the record is not", async () => {
    const { memory, events } = testMemory({ contextWindow: 4_000 });
    const chat = memory.conversation({ id: "c" });
    const turn = await chat.begin({ messages: [user("look at many pages")], model: "small" });
    for (let n = 0; n < 8; n++) {
      turn.append([
        { role: "assistant", parts: [{ type: "tool-call", callId: `k${n}`, tool: "read", input: { page: n } }] },
        {
          role: "tool",
          parts: [{ type: "tool-result", callId: `k${n}`, tool: "read", output: `page ${n} ${"text ".repeat(500)}` }],
        },
      ]);
    }
    const first = await turn.compact(turn.messages);
    expect(first).toMatchObject({ strategy: "hybrid", compacted: true });
    expect(first.after).toBeLessThan(first.before);
    expect(texts(first.messages.slice(0, 1))).toEqual(["look at many pages"]);
    expect((await turn.compact(turn.messages)).messages).toEqual(first.messages);
    expect(events.filter((event) => event.type === "memory.compacted")).toHaveLength(1);
    await turn.complete([assistant("done")]);
    expect(JSON.stringify(await chat.transcript())).toContain("page 0 text");
  });

  it("W8: what is sent beside the messages counts too", async () => {
    const { memory } = testMemory({ contextWindow: 4_000 });
    const page = (n: number) => [
      { role: "assistant" as const, parts: [{ type: "tool-call" as const, callId: `k${n}`, tool: "read", input: {} }] },
      {
        role: "tool" as const,
        parts: [
          { type: "tool-result" as const, callId: `k${n}`, tool: "read", output: `page ${n} ${"text ".repeat(200)}` },
        ],
      },
    ];
    const turn = await memory.conversation({ id: "c" }).begin({ messages: [user("look")], model: "small" });
    for (let n = 0; n < 4; n++) turn.append(page(n));
    expect((await turn.compact(turn.messages)).compacted).toBe(false);
    const beside = await turn.compact(turn.messages, { system: "word ".repeat(2_000), tools: [{ name: "read" }] });
    expect(beside.compacted).toBe(true);
  });

  it("W9: a large result is kept as an artifact, read page by page and patched", async () => {
    const { memory } = testMemory({ policy: { enabled: true, artifacts: { offloadChars: 1_000, pageChars: 400 } } });
    const chat = memory.conversation({ id: "c" });
    const turn = await chat.begin({ messages: [user("fetch it")] });
    const output = Array.from({ length: 100 }, (_, line) => `line ${line} of the report`).join("\n");
    const shown = await turn.offload({ type: "tool-result", callId: "k", tool: "fetch", output });
    const id = /art_[a-z0-9_]+/i.exec(JSON.stringify(shown.output))?.[0] ?? "";
    expect(JSON.stringify(shown.output).length).toBeLessThan(1_500);
    turn.append([
      { role: "assistant", parts: [{ type: "tool-call", callId: "k", tool: "fetch", input: {} }] },
      { role: "tool", parts: [shown] },
    ]);
    await turn.complete([assistant("there")]);
    const artifact = chat.artifact(id);
    const { pages } = await artifact.page(1);
    const read = await Promise.all(Array.from({ length: pages }, (_, page) => artifact.page(page + 1)));
    expect(read.map((page) => page.text).join("")).toBe(output);
    await artifact.patch([{ find: "line 7 of the report", replace: "line seven" }]);
    expect((await artifact.page(1)).text).toContain("line seven");
    const copy = await chat.clone("copy");
    expect((await copy.artifact(id).page(1)).text).toContain("line seven");
    await chat.delete();
    await expect(chat.artifact(id).page(1)).rejects.toMatchObject({ code: "NOT_FOUND" });
  });
});
