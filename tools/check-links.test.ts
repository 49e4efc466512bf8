import { expect, test } from "vitest";
import { checkLinks } from "./check-links.ts";
import { temporaryWorkspace } from "./temporary-workspace.ts";

const check = (files: Record<string, string>) => checkLinks(temporaryWorkspace(files));

test("passes links to files, folders, headings and other sites, and counts those it followed", () => {
  const { problems, looked } = check({
    "README.md": "[a](docs/a.md) [b](docs) [c](docs/a.md#what-it-isnt) [d](https://example.com/x) [e](mailto:a@b.c)",
    "docs/a.md": "# A\n\n## What it isn't\n\n[up](../README.md) [here](#a)",
  });
  expect({ problems, looked }).toEqual({ problems: [], looked: 5 });
});

test.each([
  ["a file that isn't there", "[a](docs/b.md)", "there is no docs/b.md"],
  ["a file outside", "[a](../b.md)", "there is no ../b.md"],
  ["a heading that isn't there", "[a](docs/a.md#two)", "docs/a.md has no heading #two"],
  ["a heading of its own page", "[a](#two)", "README.md has no heading #two"],
])("reports %s", (_, line, problem) => {
  expect(check({ "README.md": `# One\n\n${line}\n`, "docs/a.md": "# A\n" }).problems).toEqual([
    `README.md:3: ${problem}.`,
  ]);
});

test("looks at prose alone", () => {
  expect(check({ "README.md": "`[a](gone.md)`\n```md\n[b](gone.md)\n```\n[c](README.md)" })).toEqual({
    problems: [],
    looked: 1,
    unit: "links",
  });
});
