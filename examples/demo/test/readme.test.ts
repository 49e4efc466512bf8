import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { assistantServer } from "../src/offline/assistant-server.ts";

interface Example {
  reply(person: string, chat: string, prompt: string): Promise<{ text: PromiseLike<string> }>;
}

/** The first block of code in the README of the repository. */
function firstExample(): string {
  const readme = readFileSync(join(import.meta.dirname, "../../../README.md"), "utf8");
  return /```ts\n([\s\S]*?)```/.exec(readme)?.[1] ?? "";
}

it("Q3: three packages and the ten lines of the README give an agent that remembers", async () => {
  const code = firstExample();
  const packages = [...code.matchAll(/from "(@throughline\/[^"]+)"/g)].map(([, name]) => name);
  expect(packages.sort()).toEqual(["@throughline/ai-sdk", "@throughline/core", "@throughline/store-sqlite"]);
  const lines = code.split("\n").filter((line) => line.trim() !== "" && !line.startsWith("import "));
  expect(lines.length).toBeLessThanOrEqual(10);

  // Beside this file, so that the packages are found.
  const folder = mkdtempSync(join(import.meta.dirname, "../.readme-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const { baseUrl: url, close } = await assistantServer();
  onTestFinished(close);
  const runnable = code
    .replace("http://localhost:11434/v1", url)
    .replace('"memory.db"', JSON.stringify(join(folder, "memory.db")));
  expect(runnable).toContain(url);
  const start = async (name: string): Promise<Example> => {
    writeFileSync(join(folder, name), runnable);
    return import(join(folder, name));
  };
  const first = await start("first.ts");
  await (await first.reply("mira", "monday", "My dog is called Biscuit.")).text;
  // Another memory over the same file, as in another process.
  const second = await start("second.ts");
  expect(await (await second.reply("mira", "tuesday", "What is my dog called?")).text).toContain("Biscuit");
  expect(await (await second.reply("noor", "wednesday", "What is my dog called?")).text).not.toContain("Biscuit");
});

it("shows in its table what the bench has measured", () => {
  const rowsOf = (path: string) =>
    readFileSync(join(import.meta.dirname, "../../..", path), "utf8")
      .split("\n")
      .filter((line) => line.startsWith("|"))
      .map((line) =>
        line
          .split("|")
          .map((cell) => cell.trim())
          .join("|"),
      );
  const measured = new Set(rowsOf("bench/README.md"));
  const readme = rowsOf("README.md");
  const shown = readme.slice(readme.indexOf("||obligations|of obligations|prohibitions|of prohibitions|") + 2);
  for (const row of shown.slice(0, 4)) expect(measured).toContain(row);
});
