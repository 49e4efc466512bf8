import { expect, test } from "vitest";
import { checkDeclarations } from "./check-declarations.ts";
import { linkTools, temporaryWorkspace } from "./temporary-workspace.ts";

function check(declarations: Record<string, string>) {
  const files: Record<string, string> = {};
  for (const [shortName, text] of Object.entries(declarations)) {
    files[`packages/${shortName}/package.json`] = JSON.stringify({
      name: `@throughline/${shortName}`,
      type: "module",
      exports: { ".": { types: "./dist/index.d.ts", default: "./dist/index.js" } },
    });
    if (text) files[`packages/${shortName}/dist/index.d.ts`] = text;
  }
  const root = temporaryWorkspace(files);
  linkTools(root);
  return checkDeclarations(root);
}

test("passes declarations that compile for a server and a browser", async () => {
  const { problems, looked } = await check({
    core: "export declare function load(url: URL, signal?: AbortSignal): Promise<Uint8Array>;",
    "store-sqlite":
      'import type { DatabaseSync } from "node:sqlite";\nexport declare const open: (path: string) => DatabaseSync;',
  });
  expect({ problems, looked }).toEqual({ problems: [], looked: 2 });
});

test("reports a type that isn't there", async () => {
  const { problems } = await check({ core: 'export type { Gone } from "./gone.js";' });
  expect(problems).toEqual([
    expect.stringMatching(/^server: .*packages\/core\/dist\/index\.d\.ts.* error TS2307/),
    expect.stringMatching(/^browser: /),
  ]);
});

test("reports Node's types in core, where a browser has none", async () => {
  const { problems } = await check({ core: "export declare const bytes: Buffer;" });
  expect(problems).toEqual([expect.stringMatching(/^browser: .*'Buffer'/)]);
});

test("reports the DOM's types in core, where a server has none", async () => {
  const { problems } = await check({ core: "export declare const page: HTMLElement;" });
  expect(problems).toEqual([expect.stringMatching(/^server: .*'HTMLElement'/)]);
});

test("reports a package that isn't built", async () => {
  expect((await check({ core: "" })).problems).toEqual([expect.stringContaining("not built")]);
});
