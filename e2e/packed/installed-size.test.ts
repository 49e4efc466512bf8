import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Consumer, createConsumer } from "./support/create-consumer.ts";

const ADAPTERS = ["ai-sdk", "langgraph", "mastra", "openai-agents"];
const MB = 1_000_000;

interface Installed {
  name: string;
  bytes: number;
  /** What npm would run or compile as it installs, and files that one kind of machine alone can load. */
  work: string[];
}

describe("an app with core, SQLite and an adapter, its host left out", () => {
  let consumer: Consumer;
  let installed: Installed[];

  beforeAll(async () => {
    consumer = await createConsumer({
      files: ["plain"],
      packages: ["core", "store-sqlite", ...ADAPTERS],
      withoutPeers: true,
    });
    installed = listInstalled(join(consumer.folder, "node_modules"));
  });
  afterAll(() => consumer?.remove());

  it("Z10: runs no install script, compiles nothing and has no native file", () => {
    expect(installed.flatMap(({ name, work }) => work.map((what) => `${name}: ${what}`))).toEqual([]);
    expect(installed.map(({ name }) => name)).toEqual(expect.arrayContaining(["@throughline/core", "zod"]));
  });

  it.each(ADAPTERS)("Z10: takes at most 15 MB: %s", (adapter) => {
    const others = ADAPTERS.filter((name) => name !== adapter).map((name) => `@throughline/${name}`);
    const bytes = installed.reduce((sum, one) => sum + (others.includes(one.name) ? 0 : one.bytes), 0);
    expect(bytes).toBeGreaterThan(1 * MB);
    expect(bytes).toBeLessThanOrEqual(15 * MB);
  });
});

function listInstalled(modules: string): Installed[] {
  return readdirSync(modules)
    .filter((name) => !name.startsWith("."))
    .flatMap((name) =>
      name.startsWith("@") ? readdirSync(join(modules, name)).map((inner) => `${name}/${inner}`) : [name],
    )
    .map((name) => describeInstalled(join(modules, name), name));
}

function describeInstalled(folder: string, name: string): Installed {
  // npm has checked the shape.
  const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as {
    scripts?: Record<string, string>;
  };
  const scripts = ["preinstall", "install", "postinstall"].filter((script) => manifest.scripts?.[script] !== undefined);
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return {
    name,
    bytes: files.reduce((sum, entry) => sum + readFileSync(join(entry.parentPath, entry.name)).length, 0),
    work: [
      ...scripts,
      ...files.map((entry) => entry.name).filter((file) => /^binding\.gyp$|\.(node|so|dylib|dll|wasm)$/.test(file)),
    ],
  };
}
