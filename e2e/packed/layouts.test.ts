import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Consumer, createConsumer } from "./support/create-consumer.ts";
import { typeErrors } from "./support/type-check.ts";

const ADAPTERS = ["ai-sdk", "langgraph", "mastra", "openai-agents"];
const QUIET = "--disable-warning=ExperimentalWarning";

describe("everything at once, installed by pnpm", () => {
  let consumer: Consumer;

  beforeAll(async () => {
    consumer = await createConsumer({
      files: ["adapters", "plain"],
      packages: ["core", "store-sqlite", "store-postgres", ...ADAPTERS],
      libraries: [
        ...["ai", "@langchain/core", "@langchain/langgraph", "@langchain/langgraph-checkpoint", "langchain"],
        ...["@openai/agents", "@mastra/core", "zod", "@types/node"],
      ],
      manager: "pnpm",
    });
  });
  afterAll(() => consumer?.remove());

  it("finds only what each package declares, and one core", () => {
    const modules = join(consumer.folder, "node_modules");
    // Where nothing is hoisted, what a package doesn't declare isn't there.
    for (const name of ["tokenx", "jsonrepair", "tokenlens", "pg"]) expect(existsSync(join(modules, name))).toBe(false);
    const stored = readdirSync(join(modules, ".pnpm")).filter((name) => name.startsWith("@throughline+core"));
    expect(stored).toHaveLength(1);
  });

  it("Q3: what one framework's agent was told, the others' agents know, each in a process of its own", async () => {
    const runs = [["langgraph", "tell"], ...ADAPTERS.map((adapter) => [adapter, "ask"])];
    for (const [adapter, part = ""] of runs) {
      const ended = await consumer.node([QUIET, `${adapter}.ts`, part, "shared.db"]);
      expect(ended, `${adapter} ${part}`).toEqual({ code: 0, stdout: "ok\n", stderr: "" });
    }
  });

  it("loads the store that AGENT_MEMORY_URL names", async () => {
    const file = join(consumer.folder, "by-url.db");
    const env = { AGENT_MEMORY_URL: pathToFileURL(file).href };
    const ended = await consumer.node([QUIET, "by-url.mjs"], { env });
    expect(ended).toEqual({ code: 0, stdout: "ok\n", stderr: "" });
    expect(existsSync(file)).toBe(true);
  });

  it("has types that hold in a strict app that is bundled", async () => {
    const files = ADAPTERS.map((adapter) => `${adapter}.ts`);
    expect(await typeErrors(consumer.folder, "bundler", files)).toEqual([]);
  });
});
