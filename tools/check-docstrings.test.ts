import { expect, test } from "vitest";
import { checkDocstrings, type HostContracts } from "./check-docstrings.ts";
import { temporaryWorkspace } from "./temporary-workspace.ts";

const manifest = JSON.stringify({
  name: "@throughline/core",
  exports: {
    ".": { "@throughline/source": "./src/index.ts", default: "./dist/index.js" },
    "./test-support": { "@throughline/source": "./src/support.ts" },
  },
});

function check(files: Record<string, string>, hosts: HostContracts = {}) {
  const sources = Object.entries(files).map(([name, text]) => [`packages/core/src/${name}`, text]);
  const root = temporaryWorkspace({ "packages/core/package.json": manifest, ...Object.fromEntries(sources) });
  return checkDocstrings(root, hosts);
}

const alone = (text: string) => check({ "index.ts": text }).problems;

test("passes what is documented, and counts names and members", () => {
  const { problems, looked } = check({
    "index.ts": 'export { open } from "./open.ts";\nexport type { Options } from "./open.ts";',
    "open.ts":
      "/** Opens. */\nexport function open(): void {}\n/** How. */\nexport interface Options {\n  /** Milliseconds. */\n  wait: number;\n}\nexport const inner = 1;",
  });
  expect({ problems, looked }).toEqual({ problems: [], looked: 3 });
});

test.each([
  ["a function", "export function open(): void {}", "open"],
  ["a constant", "export const size = 1;", "size"],
  ["a class", "export class Store {}", "Store"],
  ["an interface", "export interface Options {}", "Options"],
  ["a type", "export type Size = number;", "Size"],
  ["a name with a plain comment", "// Opens.\nexport function open(): void {}", "open"],
  ["a name whose docstring belongs to another", "/** Opens. */\nconst a = 1;\nexport const b = a;", "b"],
  ["a name that is exported apart", "const size = 1;\nexport { size };", "size"],
])("reports %s without a docstring", (_, text, name) => {
  expect(alone(text)).toEqual([expect.stringMatching(new RegExp(`^packages/core/src/index\\.ts:\\d: ${name} has no`))]);
});

test("reports a name that other modules hand on, where it is declared", () => {
  const files = {
    "index.ts": 'export * from "./a.ts";',
    "a.ts": 'export { b as c } from "./b.ts";',
    "b.ts": "export const b = 1;",
  };
  expect(check(files).problems).toEqual([expect.stringMatching(/^packages\/core\/src\/b\.ts:1: b has no/)]);
});

test.each([
  ["a number without a unit", "wait: number"],
  ["a boolean", "eager?: boolean"],
  ["a function", "open: () => void"],
  ["a method", "open(path: string): void"],
  ["a text that its name doesn't tell", "place: string"],
  ["an object", "limits: { most: number }"],
  ["a time that isn't said to be one", "when: Date"],
])("reports a member that is %s", (_, member) => {
  expect(alone(`/** How. */\nexport interface Options { ${member}; }`)).toEqual([
    expect.stringMatching(/: Options\.\w+ has no docstring/),
  ]);
  expect(alone(`/** How. */\nexport type Options = { a: "a" } & { /** This. */ ${member}; };`)).toEqual([]);
});

test.each([
  "id: string",
  "readonly subjects?: readonly string[]",
  "turns: number",
  "waitMs: number",
  'status: "stored" | "refused"',
  "role: Role",
  "facts: readonly Fact[] | null",
  "updatedAt: string",
  "seq: number",
])("lets a member say it all by itself: %s", (member) => {
  expect(alone(`/** How. */\nexport interface Options { ${member}; }`)).toEqual([]);
});

test("takes a case's docstring for its members, and needs one of each case", () => {
  const union = (first: string, second: string) =>
    alone(
      `/** What came of it. */\nexport type Result =\n  ${first}| { status: "a"; left: number }\n  ${second}| { status: "b"; right: number };`,
    );
  expect(union("/** Went left. */\n  ", "/** Went right. */\n  ")).toEqual([]);
  expect(union("/** Went left. */\n  ", "")).toEqual([expect.stringContaining("Result.right has no docstring")]);
});

test("takes one docstring for the overloads of a name, and one for each of a member", () => {
  const overloads =
    "export function open(a: string): void;\nexport function open(a: number): void;\nexport function open(): void {}";
  expect(alone(`/** Opens. */\n${overloads}`)).toEqual([]);
  expect(
    alone("/** One. */\nexport interface One { /** Opens. */ open(a: string): void; open(a: number): void; }"),
  ).toHaveLength(1);
});

test("looks at a class's own public members, not at private or overriding ones", () => {
  const text =
    "/** A. */\nexport class A extends B {\n  #a = true;\n  private b = true;\n  override c = true;\n  constructor() { super(); }\n  d = true;\n}";
  expect(alone(text)).toEqual([expect.stringMatching(/:7: A\.d has no docstring/)]);
});

test("lets a linter's note stand between a docstring and its name", () => {
  expect(alone("/** Any. */\n// biome-ignore lint: the host's own\nexport type Any = any;")).toEqual([]);
});

test("leaves a host's contract to the host, but not its name, and reports an exception for nothing", () => {
  const files = { "index.ts": "export interface Pool { connect(): void; }" };
  expect(check(files, { Pool: "the driver's" }).problems).toEqual([expect.stringContaining("Pool has no docstring")]);
  expect(check({ "index.ts": "/** A. */\nexport const a = 1;" }, { Pool: "the driver's" }).problems).toEqual([
    expect.stringContaining("exception for Pool names nothing"),
  ]);
});

test("leaves out another package's names, and reports names that it can't find", () => {
  expect(alone('export type { Source } from "@throughline/core";')).toEqual([]);
  expect(
    check({ "index.ts": 'export { a } from "./a.ts";', "a.ts": 'export type { a } from "elsewhere";' }).problems,
  ).toEqual([]);
  expect(check({ "index.ts": 'export { a } from "./a.ts";', "a.ts": "const b = 1;" }).problems).toEqual([
    expect.stringContaining("a is not declared in packages/core/src/a.ts"),
  ]);
  expect(alone('export { a } from "./gone.ts";')).toEqual([
    expect.stringContaining("gone.ts: an entry point leads there"),
  ]);
  expect(alone('import { a } from "./a.ts";\nexport { a };')).toEqual([
    expect.stringContaining("a is exported, and declared"),
  ]);
  expect(check({ "index.ts": 'export { a } from "./a.ts";', "a.ts": "<<<<<<< HEAD" }).problems).toEqual([
    expect.stringMatching(/^packages\/core\/src\/a\.ts: \S/),
  ]);
});
