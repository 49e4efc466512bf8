import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { runNode } from "./run-program.ts";
import { linkTools, temporaryWorkspace } from "./temporary-workspace.ts";

const repository = dirname(import.meta.dirname);

/** Runs vitest over the files; answers the exit code and the last line. */
async function run(files: Record<string, string>, ...args: string[]) {
  const header = 'import { afterAll, beforeAll, expect, test } from "vitest";\n';
  const sources = Object.entries(files).map(([path, source]) => [path, header + source]);
  const root = temporaryWorkspace({ ...Object.fromEntries(sources), "vitest.config.ts": "export default {};" });
  linkTools(root);
  const reporter = join(import.meta.dirname, "summary-reporter.ts");
  const vitest = join(repository, "node_modules/vitest/vitest.mjs");
  const { code, stdout } = await runNode(
    [vitest, "run", "--root", root, "--reporter=default", `--reporter=${reporter}`, ...args],
    { cwd: root },
  );
  return { code, last: stdout.trimEnd().split("\n").at(-1) };
}

const good = 'test("a", () => {});\ntest("b", () => expect(1).toBe(1));\n';

test("counts what passed", async () => {
  expect(await run({ "a.test.ts": good, "b.test.ts": good })).toEqual({ code: 0, last: "4 passed, 0 failed" });
});

test("names skipped tests only if there are any", async () => {
  expect(await run({ "a.test.ts": `${good}test.skip("c", () => {});` })).toEqual({
    code: 0,
    last: "2 passed, 0 failed, 1 skipped",
  });
});

test("counts failed tests, and a file that can't be imported as one", async () => {
  const files = { "a.test.ts": `${good}test("c", () => expect(1).toBe(2));`, "b.test.ts": 'import "./gone.ts";' };
  expect(await run(files)).toEqual({ code: 1, last: "2 passed, 2 failed" });
});

test("counts a failing hook", async () => {
  const { code, last } = await run({ "a.test.ts": `${good}afterAll(() => { throw new Error("planted"); });` });
  expect({ code, last }).toEqual({ code: 1, last: "2 passed, 1 failed" });
});

test("counts an error outside every test", async () => {
  const source =
    'test("a", async () => { setTimeout(() => { throw new Error("planted"); }); await new Promise((r) => setTimeout(r, 50)); });';
  expect(await run({ "a.test.ts": source })).toEqual({ code: 1, last: "1 passed, 1 failed" });
});

test("takes no test at all for a failure", async () => {
  expect(await run({ "a.test.ts": good }, "-t", "nothing like it")).toMatchObject({
    code: 1,
    last: "0 passed, 1 failed, 2 skipped",
  });
  expect(await run({ "a.ts": "" })).toMatchObject({ code: 1, last: expect.stringMatching(/^0 passed, [01] failed$/) });
});
