import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { sourceLines } from "./source-lines.ts";

test("counts what is published, converters and the checkpointer apart, and no tests", () => {
  const folder = mkdtempSync(join(tmpdir(), "sizes-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const files = {
    "index.ts": 3,
    "a.test.ts": 50,
    "a.test-d.ts": 50,
    "table.json": 50,
    "convert/b.ts": 20,
    "checkpointer/codec/c.ts": 30,
  };
  for (const [path, lines] of Object.entries(files)) {
    mkdirSync(join(folder, "src", path, ".."), { recursive: true });
    writeFileSync(join(folder, "src", path), "x;\n".repeat(lines));
  }
  expect(sourceLines(folder)).toEqual({ lines: 53, apart: 50 });
});
