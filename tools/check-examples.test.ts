import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { checkExamples } from "./check-examples.ts";

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

function check(files: Record<string, string>) {
  const root = mkdtempSync(join(tmpdir(), "examples-"));
  folders.push(root);
  for (const [path, text] of Object.entries({
    "examples/one/package.json": '{ "name": "one", "type": "module" }',
    ...files,
  })) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return checkExamples(root);
}

test("passes an example that ends well", async () => {
  expect(await check({ "examples/one/src/main.ts": "const a: number = 1; export { a };" })).toEqual({
    problems: [],
    looked: 1,
    unit: "examples",
  });
});

test("reports an example that finds its result wrong, with what it said", async () => {
  const { problems } = await check({
    "examples/one/src/main.ts": 'console.error("expected Ada"); process.exitCode = 3;',
  });
  expect(problems).toEqual(["examples/one: ended with 3.\nexpected Ada"]);
});

test("reports an example without a start", async () => {
  expect((await check({})).problems).toEqual(["examples/one/src/main.ts: missing; an example starts there."]);
});
