import { join } from "node:path";
import { describe, expect, inject, it } from "vitest";
import { readTarball } from "./support/read-tarball.ts";
import { tarballProblems } from "./support/tarball-problems.ts";
import { PUBLISHED, readManifest } from "./support/workspace.ts";

const tarball = (name: string) => readTarball(join(inject("tarballs"), `${name}.tgz`));

/** Our packages' versions by their npm name. */
const versions = Object.fromEntries(
  PUBLISHED.map((name) => {
    // pnpm has checked the shape.
    const manifest = readManifest(name) as { name: string; version: string };
    return [manifest.name, manifest.version];
  }),
);

describe("what is published", () => {
  it.each(PUBLISHED)("Z10: %s has what it needs, nothing astray, and no install script", (name) => {
    expect(tarballProblems(tarball(name), versions)).toEqual([]);
  });

  it("has more than the stores and adapters that consumers here install", () => {
    expect(PUBLISHED).toEqual(expect.arrayContaining(["core", "store-sqlite", "store-postgres", "ai-sdk", "testkit"]));
  });
});

describe("the check itself", () => {
  const spoiled: [what: string, spoil: (files: Map<string, Buffer>) => void, problem: string][] = [
    ["a missing licence", (files) => files.delete("LICENSE"), "LICENSE is missing."],
    ["a test", (files) => files.set("src/a.test.ts", Buffer.from("")), "src/a.test.ts has no business in a package."],
    ["a stray file", (files) => files.set("notes.txt", Buffer.from("")), "notes.txt has no business in a package."],
    [
      "an undeclared library",
      (files) => files.set("dist/a.js", Buffer.from('import { z } from "left-out/deep";')),
      "dist/a.js: imports left-out/deep, which package.json doesn't name.",
    ],
    [
      "a lost chunk",
      (files) => files.set("dist/a.js", Buffer.from('const part = await import("./part.js");')),
      "dist/a.js: imports ./part.js, which isn't there.",
    ],
    [
      "a map that points nowhere",
      (files) => files.set("dist/a.js.map", Buffer.from('{"sources":["../src/gone.ts"]}')),
      "dist/a.js.map: points to src/gone.ts, which isn't there.",
    ],
    ["no declared types", (files) => files.delete("dist/index.d.ts"), "dist/index.d.ts is missing."],
    [
      "a dependency of the workspace",
      (files) => edit(files, (manifest) => ({ ...manifest, dependencies: { pg: "catalog:" } })),
      "package.json: pg is catalog:.",
    ],
    [
      "another version of core",
      (files) => edit(files, (manifest) => ({ ...manifest, peerDependencies: { "@throughline/core": "^9.0.0" } })),
      `package.json: @throughline/core is ^9.0.0, and its version is ${versions["@throughline/core"]}.`,
    ],
    [
      "an install script",
      (files) => edit(files, (manifest) => ({ ...manifest, scripts: { postinstall: "node build.js" } })),
      "package.json: has an install script (postinstall).",
    ],
    [
      "an entry that isn't there",
      (files) => edit(files, (manifest) => ({ ...manifest, exports: { ".": "./dist/gone.js" } })),
      "package.json: exports ./dist/gone.js, which isn't there.",
    ],
  ];

  it.each(spoiled)("finds %s", (_, spoil, problem) => {
    const files = tarball("store-sqlite");
    spoil(files);
    expect(tarballProblems(files, versions)).toContain(problem);
  });
});

function edit(files: Map<string, Buffer>, change: (manifest: Record<string, unknown>) => unknown): void {
  // What npm packs is an object.
  const manifest = JSON.parse(String(files.get("package.json"))) as Record<string, unknown>;
  files.set("package.json", Buffer.from(JSON.stringify(change(manifest))));
}
