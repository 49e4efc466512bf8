import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Consumer, createConsumer } from "./support/create-consumer.ts";
import { typeErrors } from "./support/type-check.ts";

interface Host {
  adapter: string;
  /** What an app has besides the adapter, core and a store. */
  libraries: string[];
  /** By which the framework is known to be there. */
  framework: string;
}

const HOSTS: Host[] = [
  { adapter: "ai-sdk", libraries: ["ai"], framework: "ai" },
  {
    adapter: "langgraph",
    libraries: ["@langchain/core", "@langchain/langgraph", "@langchain/langgraph-checkpoint", "langchain"],
    framework: "@langchain/langgraph",
  },
  { adapter: "openai-agents", libraries: ["@openai/agents"], framework: "@openai/agents" },
  { adapter: "mastra", libraries: ["@mastra/core"], framework: "@mastra/core" },
];

describe.each(HOSTS)("$adapter alone, installed by npm", ({ adapter, libraries, framework }) => {
  let consumer: Consumer;

  beforeAll(async () => {
    consumer = await createConsumer({
      files: ["adapters"],
      packages: ["core", "store-sqlite", adapter],
      libraries: [...libraries, "zod", "@types/node"],
    });
  });
  afterAll(() => consumer?.remove());

  it("has one core, and no other framework", () => {
    const modules = join(consumer.folder, "node_modules");
    const others = HOSTS.map((host) => host.framework).filter((name) => name !== framework);
    expect(others.filter((name) => existsSync(join(modules, name)))).toEqual([]);
    expect(readdirSync(join(modules, "@throughline")).sort()).toEqual([adapter, "core", "store-sqlite"].sort());
    const nested = readdirSync(join(modules, "@throughline", adapter));
    expect(nested).not.toContain("node_modules");
  });

  it("Q3: remembers in another process what it was told in the first", async () => {
    for (const part of ["tell", "ask"]) {
      const ended = await consumer.node(["--disable-warning=ExperimentalWarning", `${adapter}.ts`, part]);
      expect(ended).toEqual({ code: 0, stdout: "ok\n", stderr: "" });
    }
  });

  it("can be required", async () => {
    const program = `console.log(typeof require("@throughline/${adapter}").memoryTools)`;
    const ended = await consumer.node(["--input-type=commonjs", "--eval", program]);
    expect(ended).toEqual({ code: 0, stdout: "function\n", stderr: "" });
  });

  it("has types that hold in a strict app with checked libraries, and that an app can be wrong about", async () => {
    const wrong = `import { memoryTools } from "@throughline/${adapter}";\nmemoryTools(1);\n`;
    writeFileSync(join(consumer.folder, "wrong.ts"), wrong);
    const errors = await typeErrors(consumer.folder, "nodenext", [`${adapter}.ts`, "wrong.ts"]);
    expect(errors).toEqual([expect.stringMatching(/^wrong\.ts\(2,\d+\): error TS/)]);
  });
});
