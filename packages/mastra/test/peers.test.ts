import { readFileSync } from "node:fs";
import { Agent } from "@mastra/core/agent";
import * as lowest from "mastra-lowest/agent";
import { expect, test } from "vitest";
import { z } from "zod";
import { ThroughlineMemory, withMemory } from "../src/index.ts";
import { scriptedModel } from "./support/scripted-model.ts";
import { testMemory } from "./support/test-memory.ts";

const manifest = z.object({ peerDependencies: z.record(z.string(), z.string()) });
const read = (path: string) => readFileSync(new URL(path, import.meta.url), "utf8");
/** Version that the catalog pins. */
const pinned = (name: string) =>
  new RegExp(`^  "?${name}"?: (?:npm:.*@)?(\\S+)$`, "m").exec(read("../../../pnpm-workspace.yaml"))?.[1];

test("B6: the lowest Mastra that these tests run with is the lowest that the package allows", () => {
  const { peerDependencies } = manifest.parse(JSON.parse(read("../package.json")));
  expect(peerDependencies["@mastra/core"]).toBe(`^${pinned("mastra-lowest")}`);
});

test("B6: the Mastra that runs here is the one of this end of the range", () => {
  expect(Agent === (lowest.Agent as unknown)).toBe(process.env.PEERS === "lowest");
  const { memory } = testMemory();
  const config = { id: "ann", name: "Ann", instructions: "Be brief.", model: scriptedModel() };
  // Its constructor takes what both entries give.
  new Agent(withMemory(memory, config));
  new Agent({ ...config, memory: new ThroughlineMemory(memory) });
});
