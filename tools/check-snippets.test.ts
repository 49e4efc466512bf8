import { expect, test } from "vitest";
import { checkSnippets } from "./check-snippets.ts";
import { readSnippets } from "./read-snippets.ts";
import { linkTools, temporaryWorkspace } from "./temporary-workspace.ts";

const block = (language: string, ...lines: string[]) => [`\`\`\`${language}`, ...lines, "```", ""].join("\n");

/** A repository with one package, `@throughline/core` with `add(a, b)`, and the given documents. */
function check(documents: Record<string, string>) {
  const files: Record<string, string> = {
    "packages/core/package.json": JSON.stringify({
      name: "@throughline/core",
      type: "module",
      exports: { ".": { "@throughline/source": "./src/index.ts", default: "./dist/index.js" } },
    }),
    "packages/core/src/index.ts": "export const add = (a: number, b: number): number => a + b;",
    ...documents,
  };
  const root = temporaryWorkspace(files);
  linkTools(root);
  return checkSnippets(root);
}

const good = block(
  "ts",
  'import { add } from "@throughline/core";',
  "console.log(add(1, 2)); // => 3",
  "console.log({ a: 1 });",
  "// => { a: 1 }",
);

test("passes blocks that do what the document says, without a build", async () => {
  expect(await check({ "README.md": good, "packages/core/README.md": good, "docs/deep/page.md": good })).toEqual({
    problems: [],
    looked: 3,
    unit: "snippets",
  });
});

test("reports wrong output with the line of the block", async () => {
  const { problems } = await check({ "README.md": `# Title\n\n${block("ts", "console.log(1 + 1); // => 3")}` });
  expect(problems).toEqual(["README.md:3: the document shows  3\nREADME.md:3: the snippet prints 2"]);
});

test("reports output that is missing or was not shown", async () => {
  const { problems } = await check({
    "README.md": block("ts", "// => 1") + block("ts", "console.log(1); // => 1", "console.log(2);"),
  });
  expect(problems.toSorted()).toEqual([
    "README.md:1: the document shows  1\nREADME.md:1: the snippet prints ",
    "README.md:4: the document shows  (nothing more)\nREADME.md:4: the snippet prints 2",
  ]);
});

test("reports a type error with its own line", async () => {
  const { problems } = await check({
    "README.md": `Text\n\n${block("ts", "const a = 1;", "export const b: string = a;")}`,
  });
  expect(problems).toEqual([expect.stringMatching(/^README\.md:5: error TS2322/)]);
});

test("reports a snippet that throws", async () => {
  const { problems } = await check({ "README.md": block("ts", 'throw new Error("planted");') });
  expect(problems).toEqual([expect.stringMatching(/^README\.md:1: ended with 1\.[\s\S]*planted/)]);
});

test("reports an import that doesn't exist", async () => {
  const { problems } = await check({
    "README.md": block("ts", 'import { gone } from "@throughline/core";', "gone();"),
  });
  expect(problems).toHaveLength(2);
});

test("compares with a text block that follows", async () => {
  const code = block("ts", 'console.log("one\\n  two");');
  expect((await check({ "README.md": `${code}\n${block("text", "one", "  two")}` })).problems).toEqual([]);
  expect((await check({ "README.md": `${code}\n${block("text", "one", "three")}` })).problems).toEqual([
    expect.stringContaining("three"),
  ]);
});

test("gives each snippet a folder and an environment of its own", async () => {
  const code = block(
    "ts",
    'import { existsSync, writeFileSync } from "node:fs";',
    'console.log(existsSync("a.db"), Object.keys(process.env).includes("OPENAI_API_KEY"));',
    "// => false false",
    'writeFileSync("a.db", "");',
  );
  expect((await check({ "README.md": code + code })).problems).toEqual([]);
});

test("leaves a block alone only for a reason", async () => {
  const code = block("ts", 'console.log("needs a key", process.env.KEY.length);');
  const noRun = await check({ "README.md": `<!-- snippet: no-run because it calls a paid service -->\n${code}` });
  expect(noRun.problems).toEqual([expect.stringContaining("error TS")]);
  expect(
    (await check({ "README.md": `<!-- snippet: no-check because it shows a mistake -->\n${code}${good}` })).problems,
  ).toEqual([]);
  expect((await check({ "README.md": `<!-- snippet: no-run -->\n${good}` })).problems).toEqual([
    expect.stringContaining("needs a reason"),
  ]);
  expect((await check({ "README.md": `<!-- snippet: skip -->\n${good}` })).problems).toEqual([
    expect.stringContaining("unknown marker"),
  ]);
});

test("runs a continued block after the one before it", async () => {
  const { problems } = await check({
    "README.md": `${good}\nThen:\n\n<!-- snippet: continues -->\n${block("ts", "console.log(add(2, 3)); // => 5")}`,
  });
  expect(problems).toEqual([]);
});

test("reads promises over several lines, and … as any text", async () => {
  const { problems } = await check({
    "README.md": block(
      "ts",
      'console.log({ id: Math.random(), text: "x".repeat(90) });',
      "// => {",
      "//      id: 0.…,",
      `//      text: '${"x".repeat(90)}'`,
      "//    }",
    ),
  });
  expect(problems).toEqual([]);
});

test("looks at ts blocks only, and at nothing in a repository without documents", async () => {
  expect(
    readSnippets("a.md", block("bash", "npm i") + block("json", "{}") + block("tsx", "<a />") + block("", "x"))
      .snippets,
  ).toEqual([]);
  expect((await check({ "notes.md": good })).looked).toBe(0);
});

test("keeps a fence inside a longer fence, and reads indented blocks", () => {
  const { snippets } = readSnippets(
    "a.md",
    `\`\`\`\`md\n${good}\`\`\`\`\n\n1. item\n\n   \`\`\`ts\n   const a = 1;\n   \`\`\`\n`,
  );
  expect(snippets.map(({ code, line }) => ({ text: code.map(({ text }) => text), line }))).toEqual([
    { text: ["const a = 1;"], line: 12 },
  ]);
});
