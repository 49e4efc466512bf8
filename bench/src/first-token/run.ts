import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { memoryTools, withMemory } from "@throughline/ai-sdk";
import { type Conversation, createMemory } from "@throughline/core";
import { sqliteStore } from "@throughline/store-sqlite";
import { isStepCount, simulateReadableStream, streamText } from "ai";
import { MockLanguageModelV4 } from "ai/test";
import type { BenchOptions } from "../lib/bench-options.ts";
import { ROOT, versionOf } from "../lib/folders.ts";
import { type BenchResult, describeMachine, today } from "../lib/result.ts";
import { median, medianRatio, quantile } from "../lib/statistics.ts";

/** How long the model takes to its first word: a quick one over a network takes ten times as long. */
const MODEL_MS = 20;
const TURNS = 50;
const FACTS = 12;

type Usage = Extract<
  Awaited<ReturnType<MockLanguageModelV4["doStream"]>>["stream"] extends ReadableStream<infer Part> ? Part : never,
  { type: "finish" }
>["usage"];

/** Time to the first word of `streamText`, with a memory of a file and without one, the same model taking turns. */
export async function runFirstToken({ seed, quick }: BenchOptions): Promise<BenchResult> {
  const rounds = quick ? 5 : 15;
  const runs = 20;
  const folder = mkdtempSync(join(tmpdir(), "throughline-first-token-"));
  const memory = createMemory({ agent: "bench", store: sqliteStore({ path: join(folder, "memory.db") }), env: {} });
  try {
    const conversation = memory.conversation({ id: "chat", subject: "ada" });
    for (let n = 0; n < FACTS; n++) await conversation.remember(`fact_${n}`, `value ${n}`);
    for (let n = 0; n < TURNS; n++) {
      const messages = [
        { role: "user" as const, content: `Question ${n}: ${"words ".repeat(40)}` },
        { role: "assistant" as const, content: `Answer ${n}: ${"words ".repeat(40)}` },
      ];
      await conversation.record({ messages });
    }
    await memory.settled();
    const alone: number[][] = [];
    const remembered: number[][] = [];
    for (let round = -1; round < rounds; round++) {
      const times: { alone: number[]; remembered: number[] } = { alone: [], remembered: [] };
      for (let run = 0; run < runs; run++) {
        const [first, second] = run % 2 === 0 ? (["alone", "remembered"] as const) : (["remembered", "alone"] as const);
        for (const kind of [first, second]) {
          times[kind].push(await firstToken(conversation, kind === "remembered"));
          // Indexing follows the reply; here the next one would follow at once.
          await memory.settled();
        }
      }
      // The first round warms up.
      if (round < 0) continue;
      alone.push(times.alone);
      remembered.push(times.remembered);
    }
    const p50 = (all: number[][]) => all.map((times) => quantile(times, 0.5));
    const added = p50(remembered).map((value, round) => (value - (p50(alone)[round] ?? Number.NaN)) * 1_000);
    return {
      bench: "first-token",
      title: `Time to the first word of streamText: a model that takes ${MODEL_MS} ms, alone and with a memory`,
      date: today(),
      seed,
      machine: describeMachine(),
      versions: {
        node: process.versions.node,
        "@throughline/ai-sdk": versionOf(join(ROOT, "packages/ai-sdk/package.json")),
      },
      setup: { turns: TURNS, facts: FACTS, rounds, "runs per round": runs },
      columns: ["p50 ms", "p99 ms", "× alone", "added µs"],
      rows: [
        {
          name: "streamText",
          figures: { "p50 ms": median(p50(alone)), "p99 ms": quantile(alone.flat(), 0.99), "× alone": 1 },
        },
        {
          name: "streamText with withMemory",
          figures: {
            "p50 ms": median(p50(remembered)),
            "p99 ms": quantile(remembered.flat(), 0.99),
            "× alone": medianRatio(p50(remembered), p50(alone)),
            "added µs": median(added),
          },
        },
      ],
      gates: [{ rule: "W5", row: "streamText with withMemory", figure: "× alone", most: 1.25 }],
      notes: [
        "Both have the memory's tools. Reading and building the prompt come before the model is asked; recording comes after the last word.",
      ],
    };
  } finally {
    await memory.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function firstToken(conversation: Conversation, isRemembered: boolean): Promise<number> {
  const usage: Usage = {
    inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: 1, text: 1, reasoning: 0 },
  };
  const model = new MockLanguageModelV4({
    doStream: async () => {
      await new Promise((resolve) => setTimeout(resolve, MODEL_MS));
      return {
        stream: simulateReadableStream({
          initialDelayInMs: null,
          chunkDelayInMs: null,
          chunks: [
            { type: "text-start", id: "1" },
            { type: "text-delta", id: "1", delta: "Hello " },
            { type: "text-delta", id: "1", delta: "there." },
            { type: "text-end", id: "1" },
            { type: "finish", usage, finishReason: { unified: "stop", raw: "stop" } },
          ],
        }),
      };
    },
  });
  const prompt = `How is it? ${"words ".repeat(20)}`;
  const began = performance.now();
  const options = isRemembered ? await withMemory(conversation, { model, prompt }) : { prompt };
  const result = streamText({ model, tools: memoryTools(conversation), stopWhen: isStepCount(3), ...options });
  let first: number | undefined;
  for await (const words of result.textStream) if (words !== "") first ??= performance.now() - began;
  return first ?? Number.NaN;
}
