import { expect, test } from "vitest";
import { checkFiles, type Exceptions } from "./check-files.ts";
import { temporaryWorkspace } from "./temporary-workspace.ts";

const check = (files: Record<string, string>, exceptions: Exceptions = {}) =>
  checkFiles(temporaryWorkspace(files), exceptions);

const lines = (count: number) => "x;\n".repeat(count);

test("allows 500 lines in a file and reports 501", () => {
  expect(check({ "packages/core/src/a.ts": lines(500), "packages/core/test/a.ts": lines(900) }).problems).toEqual([]);
  expect(check({ "packages/core/src/a.ts": lines(501) }).problems).toEqual([
    expect.stringContaining("501 lines, over 500"),
  ]);
});

test("allows 400 lines in an adapter as a whole, tests apart, and reports 401", () => {
  const files = {
    "packages/ai-sdk/src/a.ts": lines(200),
    "packages/ai-sdk/src/b/c.ts": lines(200),
    "packages/ai-sdk/src/a.test.ts": lines(900),
  };
  expect(check(files).problems).toEqual([]);
  expect(check({ ...files, "packages/ai-sdk/src/d.ts": lines(1) }).problems).toEqual([
    expect.stringContaining("packages/ai-sdk/src: 401 lines, over 400"),
  ]);
});

test("allows 120 lines in a package's README and reports 121", () => {
  expect(check({ "packages/core/README.md": lines(120), "README.md": lines(900) }).problems).toEqual([]);
  expect(check({ "packages/core/README.md": lines(121) }).problems).toEqual([
    expect.stringContaining("packages/core/README.md: 121 lines, over 120"),
  ]);
});

test("leaves out what is excepted, and reports an exception without a file", () => {
  const files = { "packages/ai-sdk/src/convert.ts": lines(600) };
  expect(check(files, { "packages/ai-sdk/src/convert.ts": "pure converter" }).problems).toEqual([]);
  expect(check({ "a.md": "" }, { "packages/ai-sdk/src/convert.ts": "gone" }).problems).toEqual([
    expect.stringContaining("has no file"),
  ]);
});

test.each([
  ["a path of one machine", "open /ho", "me/jo/notes"],
  ["a path of one machine", "(/ro", "ot/x)"],
  ["a path of one machine", '"C:\\Us', 'ers\\jo"'],
  ["a registry host", "https://regis", "try.npmjs.org/x"],
  ["work undone", "// TO", "DO later"],
  ["belong into the repository", "see ../sha", "red/design.md"],
])("reports %s: %s%s", (problem, start, end) => {
  expect(check({ "docs/a.md": `fine\n${start}${end}\n` }).problems).toEqual([
    expect.stringMatching(new RegExp(`^docs/a\\.md:2: .*${problem}`)),
  ]);
});

test("is not fooled by paths of a repository, a URL or a route", () => {
  expect(check({ "a.md": "packages/home/x, https://example.com/home/x, `./tmp/x`, /api/work" }).problems).toEqual([]);
});

test("reports file names that aren't kebab-case", () => {
  expect(
    check({ "packages/core/src/createMemory.ts": "", "packages/core/src/create-memory.test-d.ts": "" }).problems,
  ).toEqual(["packages/core/src/createMemory.ts: file names are kebab-case."]);
});

test("counts the files it read", () => {
  expect(check({ "a.md": "", "b.ts": "", "node_modules/c.ts": "" }).looked).toBe(2);
});
