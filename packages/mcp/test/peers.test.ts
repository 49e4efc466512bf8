import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import * as z from "zod";

const manifest = z.object({ peerDependencies: z.record(z.string(), z.string()) });
const read = (path: string) => readFileSync(new URL(path, import.meta.url), "utf8");

test("B6: the SDK that these tests run with is the lowest that the package allows", () => {
  const { peerDependencies } = manifest.parse(JSON.parse(read("../package.json")));
  const [, pinned] = /^ {2}"@modelcontextprotocol\/server": (\S+)$/m.exec(read("../../../pnpm-workspace.yaml")) ?? [];
  expect(peerDependencies["@modelcontextprotocol/server"]).toBe(`^${pinned}`);
});
