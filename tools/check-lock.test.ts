import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { checkLockText } from "./check-lock.ts";

const lock = readFileSync(join(import.meta.dirname, "../pnpm-lock.yaml"), "utf8");

/** The lock as pnpm would have written it if the registry had lacked a package. */
function without(name: RegExp): string {
  const blocks = lock.split(/\n(?=\n {2}\S)/);
  const kept = blocks.filter((block) => !name.test(block.trimStart().split("\n")[0] ?? ""));
  expect(kept.length).toBeLessThan(blocks.length);
  return kept
    .join("\n")
    .split("\n")
    .filter(
      (line) =>
        !(
          /^ {6}\S/.test(line) &&
          name.test(
            line
              .trim()
              .replace(/^'|'?: .*$/g, "")
              .concat("@"),
          )
        ),
    )
    .join("\n");
}

test("finds a build for every platform in this lock", () => {
  const { problems, looked } = checkLockText(lock);
  expect(problems).toEqual([]);
  expect(looked).toBeGreaterThanOrEqual(8);
});

test("reports one missing build", () => {
  expect(checkLockText(without(/@biomejs\/cli-darwin-arm64@/)).problems).toEqual([
    expect.stringMatching(/@biomejs\/biome@\S+ has no build for darwin-arm64;/),
  ]);
});

test("wants a glibc build where there are two for Linux", () => {
  expect(checkLockText(without(/lightningcss-linux-x64-gnu@/)).problems).toEqual([
    expect.stringMatching(/lightningcss@\S+ has no build for linux-x64;/),
  ]);
});

test("reports a native package that lost all of its builds", () => {
  expect(checkLockText(without(/@turbo\//)).problems).toEqual([
    expect.stringMatching(/turbo@\S+ has no build for linux-x64, linux-arm64, darwin-x64/),
  ]);
});

test("reports registry hosts", () => {
  const host = `https://${["registry", "example", "com"].join(".")}/x.tgz`;
  expect(checkLockText(`${lock}\n# ${host}\n`).problems).toEqual([expect.stringContaining(host)]);
});

test("looks at nothing in an empty lock, which fails the check", () => {
  expect(checkLockText("lockfileVersion: '9.0'\n").looked).toBe(0);
});
