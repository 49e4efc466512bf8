import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { runNode } from "./run-program.ts";

const root = dirname(import.meta.dirname);
const flags = ["--conditions=@throughline/source", "--disable-warning=ExperimentalWarning"];
const run = (...args: string[]) =>
  runNode([...flags, join(import.meta.dirname, "run-example.ts"), ...args], { cwd: root });

test("plays the example of that name, and ends as it does", async () => {
  const { code, stdout, stderr } = await run("custom-store");
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout).toContain("All as it should be.");
});

test("names the examples where it is given none, or one that isn't there", async () => {
  for (const args of [[], ["nobody"]]) {
    const { code, stderr } = await run(...args);
    expect(code).toBe(2);
    expect(stderr).toMatch(/npm run example -- custom-store[\s\S]*npm run example -- demo/);
  }
});
