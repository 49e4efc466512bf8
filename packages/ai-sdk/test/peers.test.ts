import { readFileSync } from "node:fs";
import { generateText } from "ai";
import { expect, test } from "vitest";
import * as z from "zod";
import { say, scriptedModel } from "./scripted-model.ts";

const manifest = z.object({ peerDependencies: z.record(z.string(), z.string()) });
const read = (path: string) => readFileSync(new URL(path, import.meta.url), "utf8");
/** Versions that the catalog pins. */
const pinned = (name: string) =>
  new RegExp(`^  "?${name}"?: (?:npm:.*@)?(\\S+)$`, "m").exec(read("../../../pnpm-workspace.yaml"))?.[1];

test("B6: the lowest versions that these tests run with are the lowest that the package allows", () => {
  const { peerDependencies } = manifest.parse(JSON.parse(read("../package.json")));
  for (const name of ["ai", "zod"]) expect(peerDependencies[name]).toBe(`^${pinned(`${name}-lowest`)}`);
});

test("B6: the SDK that runs here is the one of this end of the range", async () => {
  const model = scriptedModel(say("Hello."));
  await generateText({ model, prompt: "Hi" });
  const version = pinned(process.env.PEERS === "lowest" ? "ai-lowest" : "ai");
  expect(model.doGenerateCalls[0]?.headers).toMatchObject({ "user-agent": expect.stringContaining(`ai/${version}`) });
});
