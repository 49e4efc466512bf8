import { describe, expect, test } from "vitest";
import { arrows, arrowsOf } from "./arrows.ts";
import { checkBoundaries } from "./check-boundaries.ts";
import { temporaryWorkspace } from "./temporary-workspace.ts";

const shortNames = [
  "core",
  "testkit",
  "store-sqlite",
  "store-postgres",
  "embed-local",
  "ai-sdk",
  "langgraph",
  "openai-agents",
  "mastra",
  "mcp",
  "server",
  "client",
  "viewer",
  "cli",
];
const adapters = ["ai-sdk", "langgraph", "openai-agents", "mastra", "mcp", "server"];
const stores = ["store-sqlite", "store-postgres", "embed-local"];
const nameOf = (shortName: string) => (shortName === "cli" ? "throughline" : `@throughline/${shortName}`);

/** A workspace with every package of the design, and the given files in it. */
function workspace(files: Record<string, string>): string {
  const all: Record<string, string> = { ...files };
  for (const shortName of shortNames)
    all[`packages/${shortName}/package.json`] = JSON.stringify({
      name: nameOf(shortName),
      exports: { ".": "./src/index.ts", "./package.json": "./package.json" },
    });
  all["examples/demo/package.json"] = JSON.stringify({ name: "demo", private: true });
  all["bench/package.json"] = JSON.stringify({ name: "bench", private: true });
  return temporaryWorkspace(all);
}

const problemsIn = (files: Record<string, string>) => checkBoundaries(workspace(files), {}).problems;
const problemsOf = (path: string, source: string) => problemsIn({ [path]: source });

describe("tests of a package", () => {
  test("may import the stores that its arrows name for them, and src may not", () => {
    const source = `import { x } from "${nameOf("store-sqlite")}";`;
    expect(problemsOf("packages/langgraph/test/a.test.ts", source)).toEqual([]);
    expect(problemsOf("packages/langgraph/src/a.ts", source)).toHaveLength(1);
    expect(problemsOf("packages/ai-sdk/test/a.test.ts", source)).toHaveLength(1);
  });
});

describe("a command", () => {
  test("may use Node, and the rest of its package may not", () => {
    const source = 'import { parseArgs } from "node:util";';
    expect(problemsOf("packages/mcp/src/command/main.ts", source)).toEqual([]);
    expect(problemsOf("packages/mcp/src/index.ts", source)).toHaveLength(1);
    expect(problemsOf("packages/ai-sdk/src/command/main.ts", source)).toHaveLength(1);
  });

  test("is imported by nothing", () => {
    expect(problemsOf("packages/mcp/src/index.ts", 'import { x } from "./command/read.ts";')).toHaveLength(1);
    expect(problemsOf("packages/mcp/src/command/main.ts", 'import { x } from "./read.ts";')).toEqual([]);
    expect(problemsOf("packages/mcp/src/command/main.ts", 'import { x } from "../index.ts";')).toEqual([]);
    expect(problemsOf("packages/mcp/src/command/main.ts", 'import "@throughline/store-sqlite";')).toHaveLength(1);
  });
});

describe("between packages", () => {
  const allowed = new Set([
    "testkit → core",
    ...[...adapters, ...stores].map((from) => `${from} → core`),
    "viewer → client",
    ...["server", "viewer", "mcp", "store-sqlite", "store-postgres", "embed-local", "core"].map((to) => `cli → ${to}`),
  ]);
  const pairs = shortNames.flatMap((from) =>
    shortNames.filter((to) => to !== from).map((to) => ({ from, to, arrow: `${from} → ${to}` })),
  );

  test.each(pairs.filter(({ arrow }) => allowed.has(arrow)))("allows $arrow", ({ from, to }) => {
    expect(problemsOf(`packages/${from}/src/index.ts`, `import { x } from "${nameOf(to)}";`)).toEqual([]);
  });

  test.each(pairs.filter(({ arrow }) => !allowed.has(arrow)))("reports $arrow", ({ from, to }) => {
    const problems = problemsOf(`packages/${from}/src/index.ts`, `\nimport { x } from "${nameOf(to)}";`);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(`packages/${from}/src/index.ts:2: imports ${nameOf(to)}`);
  });

  test.each(shortNames.filter((name) => name !== "testkit"))("lets the tests of %s use the testkit", (name) => {
    const source = 'import { describeMemoryStore } from "@throughline/testkit";';
    expect(problemsIn({ [`packages/${name}/src/a.test.ts`]: source, [`packages/${name}/test/b.ts`]: source })).toEqual(
      [],
    );
  });

  test("reports a store in an adapter's test", () => {
    expect(problemsOf("packages/ai-sdk/src/a.test.ts", 'import "@throughline/store-sqlite";')).toHaveLength(1);
  });

  test.each(["examples/demo/src/main.ts", "bench/src/turn.ts"])("lets %s use anything", (path) => {
    const imports = shortNames.map((name) => `import "${nameOf(name)}";`).join("\n");
    expect(problemsOf(path, `${imports}\nimport "node:fs";\nimport "express";`)).toEqual([]);
  });

  test.each([
    ["packages/core/src/index.ts", "demo"],
    ["packages/cli/src/index.ts", "../../../examples/demo/src/main.ts"],
    ["packages/core/src/a.test.ts", "bench"],
    ["tools/x.ts", "../bench/src/turn.ts"],
    ["bench/src/turn.ts", "demo"],
  ])("reports %s importing %s", (path, specifier) => {
    expect(problemsOf(path, `import "${specifier}";`)).toHaveLength(1);
  });

  test("reports a package that has no arrows", () => {
    expect(
      problemsIn({
        "packages/widgets/package.json": '{ "name": "@throughline/widgets" }',
        "packages/widgets/src/index.ts": "",
      }),
    ).toEqual(["packages/widgets: has no arrows; add it to tools/arrows.ts."]);
  });

  test("knows every package of the design, and no other rule is left over", () => {
    expect(shortNames.filter((name) => !arrowsOf(name))).toEqual([]);
    expect(Object.keys(arrows).filter((key) => !key.endsWith("*") && !shortNames.includes(key))).toEqual([]);
  });
});

describe("every way to name a module", () => {
  test.each([
    'import { x } from "@throughline/testkit";',
    'import "@throughline/testkit";',
    'import type { X } from "@throughline/testkit";',
    'import { type X } from "@throughline/testkit";',
    'export { x } from "@throughline/testkit";',
    'export type { X } from "@throughline/testkit";',
    'export * from "@throughline/testkit";',
    'export * as kit from "@throughline/testkit";',
    'const kit = await import("@throughline/testkit");',
    "const kit = await import(`@throughline/testkit`);",
    'const kit = require("@throughline/testkit");',
    'const path = require.resolve("@throughline/testkit");',
    'const path = import.meta.resolve("@throughline/testkit");',
    'import kit = require("@throughline/testkit");',
    'type X = import("@throughline/testkit").X;',
    'let x: typeof import("@throughline/testkit");',
    '/// <reference types="@throughline/testkit" />',
    'function f() { if (true) { return () => import("@throughline/testkit"); } }',
  ])("sees %s", (source) => {
    expect(problemsOf("packages/core/src/deep/file.ts", source)).toEqual([
      expect.stringContaining("only tests may use the testkit"),
    ]);
  });

  test.each([
    "const text = 'import \"@throughline/testkit\"';",
    '// import "@throughline/testkit"',
    "/* require('@throughline/testkit') */",
  ])("is not fooled by %s", (source) => {
    expect(problemsOf("packages/core/src/index.ts", source)).toEqual([]);
  });

  test.each(["ts", "mts", "cts", "tsx", "js", "mjs", "cjs", "jsx"])("reads .%s files", (extension) => {
    expect(problemsOf(`packages/core/src/file.${extension}`, 'import "@throughline/testkit";')).toHaveLength(1);
  });

  test("reports a name that only running the code could tell", () => {
    expect(problemsOf("packages/core/src/index.ts", "await import(name); require(a + b);")).toHaveLength(2);
  });

  test("reports a file that can't be parsed", () => {
    expect(problemsOf("packages/core/src/index.ts", "import {")).toEqual([
      expect.stringContaining("packages/core/src/index.ts"),
    ]);
  });
});

describe("built-ins and libraries", () => {
  const neutral = ["core", "client", "viewer", ...adapters];

  test.each(neutral)("reports Node built-ins in %s", (name) => {
    const source =
      'import "node:fs"; import "fs/promises"; process.getBuiltinModule("node:os");\n/// <reference types="node" />';
    expect(problemsOf(`packages/${name}/src/index.ts`, source)).toHaveLength(4);
  });

  test.each(neutral)("allows Node built-ins in the tests of %s", (name) => {
    expect(problemsOf(`packages/${name}/src/index.test.ts`, 'import "node:fs";')).toEqual([]);
  });

  test.each([...stores, "testkit", "cli"])("allows Node built-ins in %s", (name) => {
    expect(problemsOf(`packages/${name}/src/index.ts`, 'import "node:sqlite";')).toEqual([]);
  });

  test.each(shortNames)("reports a library that %s didn't argue for", (name) => {
    expect(problemsOf(`packages/${name}/src/index.ts`, 'import "left-pad/lib/x";')).toEqual([
      expect.stringContaining("may not use this library"),
    ]);
  });

  test.each([
    ["ai-sdk", "ai"],
    ["langgraph", "@langchain/langgraph/prebuilt"],
    ["store-postgres", "pg"],
    ["core", "zod/v4"],
  ])("lets %s use %s", (name, library) => {
    expect(problemsOf(`packages/${name}/src/index.ts`, `import "${library}";`)).toEqual([]);
  });

  test("reports one adapter's library in another", () => {
    expect(problemsOf("packages/ai-sdk/src/index.ts", 'import "@langchain/core/messages";')).toHaveLength(1);
  });
});

describe("inside a package", () => {
  test("allows its own files", () => {
    expect(
      problemsIn({
        "packages/core/src/a.ts": 'import "./b/c.ts"; import "../package.json";',
        "packages/core/src/b/c.ts": 'import "../a.ts";',
      }),
    ).toEqual([]);
  });

  test.each(["../../ai-sdk/src/index.ts", "../../../tools/check.ts", "../../../vitest.config.ts"])(
    "reports the way out by %s",
    (specifier) => {
      expect(problemsOf("packages/core/src/index.ts", `import "${specifier}";`)).toHaveLength(1);
    },
  );

  test("reports src that imports a test or its own package by name", () => {
    expect(
      problemsOf(
        "packages/core/src/index.ts",
        'import "./a.test.ts"; import "../test/helper.ts"; import "@throughline/core";',
      ),
    ).toHaveLength(3);
  });

  test("reports a path into a package that is not an entry", () => {
    expect(problemsOf("packages/ai-sdk/src/index.ts", 'import "@throughline/core/src/index.ts";')).toHaveLength(1);
    expect(problemsOf("packages/ai-sdk/src/index.ts", 'import "@throughline/core/package.json";')).toEqual([]);
  });

  test("lets config files, and only those, use tools", () => {
    const source = 'import { x } from "../../tools/x.ts"; import { defineConfig } from "tsdown";';
    expect(problemsOf("packages/core/tsdown.config.ts", source)).toEqual([]);
    expect(problemsOf("examples/demo/vitest.config.ts", source)).toEqual([]);
    expect(problemsOf("packages/core/src/x.config.ts", source)).toHaveLength(2);
  });
});

test("counts what it looked at, and looks at neither installed nor built files", () => {
  const root = workspace({
    "packages/core/src/index.ts": "",
    "packages/core/node_modules/x/index.js": 'import "@throughline/testkit";',
    "packages/core/dist/index.js": 'import "@throughline/testkit";',
  });
  expect(checkBoundaries(root, {})).toEqual({ problems: [], looked: 1, unit: "files" });
});

describe("an import of a computed name", () => {
  const file = { "packages/core/src/load.ts": "export const load = (name: string) => import(name);" };

  test("is allowed where a reason is written down, once for each", () => {
    expect(checkBoundaries(workspace(file), { "packages/core/src/load.ts": "loads plug-ins" }).problems).toEqual([]);
  });

  test("leaves no reason over for a file that has none", () => {
    expect(checkBoundaries(workspace({}), { "packages/core/src/load.ts": "loads plug-ins" }).problems).toEqual([
      "tools/arrows.ts: packages/core/src/load.ts computes no import; remove its reason.",
    ]);
  });
});
