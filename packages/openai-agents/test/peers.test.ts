import { readFileSync } from "node:fs";
import { Agent } from "@openai/agents";
import * as lowest from "openai-agents-lowest";
import { expect, test } from "vitest";
import { z } from "zod";

const manifest = z.object({ peerDependencies: z.record(z.string(), z.string()) });
const read = (path: string) => readFileSync(new URL(path, import.meta.url), "utf8");
/** Version that the catalog pins. */
const pinned = (name: string) =>
  new RegExp(`^  "?${name}"?: (?:npm:.*@)?(\\S+)$`, "m").exec(read("../../../pnpm-workspace.yaml"))?.[1];

test("B6: the lowest SDK that these tests run with is the lowest that the package allows", () => {
  const { peerDependencies } = manifest.parse(JSON.parse(read("../package.json")));
  expect(peerDependencies["@openai/agents"]?.startsWith(`>=${pinned("openai-agents-lowest")} `)).toBe(true);
});

test("B6: the SDK that runs here is the one of this end of the range", () => {
  expect(Agent === (lowest.Agent as unknown)).toBe(process.env.PEERS === "lowest");
});
