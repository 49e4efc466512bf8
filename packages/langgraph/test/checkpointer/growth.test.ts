import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createMemory } from "@throughline/core";
import { createCheckpointer } from "@throughline/langgraph";
import { sqliteStore } from "@throughline/store-sqlite";
import { expect, it, onTestFinished } from "vitest";
import { ask, echoGraph, thread } from "./graphs.ts";

/** The file's bytes after so many turns of a kilobyte each, closed. */
async function bytesAfter(turns: number): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), "throughline-growth-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
  const path = join(folder, "memory.db");
  const memory = createMemory({ agent: "graph", env: {}, store: sqliteStore({ path }) });
  const graph = echoGraph(createCheckpointer(memory));
  if (turns === 0) await memory.checkpoints.threads();
  for (let turn = 0; turn < turns; turn++) await graph.invoke(ask(`${turn} ${"word ".repeat(100)}`), thread("t"));
  await memory.close();
  return statSync(path).size;
}

it("Z4/L2: a thread twice as long takes twice the room, and a small multiple of what was said", {
  timeout: 60_000,
}, async () => {
  const [none, some, double] = [await bytesAfter(0), await bytesAfter(80), await bytesAfter(160)];
  expect((double - none) / (some - none)).toBeLessThan(2.05);
  // Each message stands in the list, in the writes of its step, and the question once more in the graph's input.
  const said = 160 * 2 * 500;
  expect((double - none) / said).toBeLessThan(8);
});
