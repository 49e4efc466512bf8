import { expect, test } from "vitest";
import { checkExamples } from "./check-examples.ts";
import { temporaryWorkspace } from "./temporary-workspace.ts";

const manifest = { "examples/one/package.json": '{ "name": "one", "type": "module" }' };
const check = (files: Record<string, string>) => checkExamples(temporaryWorkspace({ ...manifest, ...files }));

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
