import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { leftOvers } from "./check-neutral.ts";
import { temporaryWorkspace } from "./temporary-workspace.ts";

const look = (files: Record<string, string>, options: Parameters<typeof leftOvers>[1] = {}) =>
  leftOvers(join(temporaryWorkspace(files), "index.js"), options);

const library = { "node_modules/lib/package.json": '{ "name": "lib", "type": "module", "exports": "./index.js" }' };

test("finds nothing in a bundle that needs nothing", async () => {
  const files = {
    ...library,
    "node_modules/lib/index.js": "export const x = 1;",
    "index.js": 'export { x } from "lib"; export const later = () => import("./b.js");',
    "b.js": "export const b = 1;",
  };
  expect(await look(files)).toEqual([]);
});

test.each([
  'import fs from "node:fs"; export { fs };',
  'export { readFileSync } from "fs";',
  'export const load = () => import("node:fs");',
  'export const fs = process.getBuiltinModule("node:fs");',
])("reports %s", async (source) => {
  expect(await look({ "index.js": source })).toEqual([expect.stringMatching(/needs (node:)?fs at run time/)]);
});

test("G14: finds nothing in the core itself, libraries included", async () => {
  const entry = join(dirname(import.meta.dirname), "packages/core/src/index.ts");
  expect(await leftOvers(entry, { computed: 1 })).toEqual([]);
});

test("reports a built-in inside a dependency", async () => {
  const files = {
    ...library,
    "node_modules/lib/index.js": 'export { createHash } from "node:crypto";',
    "index.js": 'export * from "lib";',
  };
  expect(await look(files)).toEqual(["needs node:crypto at run time."]);
});

test("leaves an adapter's host outside, and nothing else", async () => {
  const files = {
    "index.js": 'export { streamText } from "ai"; export { x } from "@ai-sdk/provider/x"; export { y } from "other";',
  };
  expect(await look(files, { hosts: ["ai", "@ai-sdk/*"] })).toEqual(["needs other at run time."]);
});

test("allows as many imports of computed names as have a reason", async () => {
  const files = { "index.js": "export const load = (name) => import(name);" };
  expect(await look(files, { computed: 1 })).toEqual([]);
  expect(await look(files)).toEqual(["loads a module that only running it could tell."]);
});
