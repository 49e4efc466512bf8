import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { jsonlStore } from "../src/jsonl-store.ts";

/** Lets a process record turns until so many are acknowledged, kills it, and gives the ids it had acknowledged by then. */
function killedAfter(path: string, count: number): Promise<string[]> {
  const flags = ["--conditions=@throughline/source", "--disable-warning=ExperimentalWarning"];
  const child = spawn(process.execPath, [...flags, join(import.meta.dirname, "write-turns.ts"), path], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let said = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    said += text;
    if (said.split("\n").length > count) child.kill("SIGKILL");
  });
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    // The last piece may be half an acknowledgement.
    child.on("close", () => resolve(said.split("\n").slice(0, -1)));
  });
}

it("PR1/E2: what a process had acknowledged when it was killed is there, whole, and the next one takes the file over", async () => {
  const folder = mkdtempSync(join(tmpdir(), "throughline-jsonl-killed-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const owner = { tenant: "default", agent: "a", conversation: "c" };
  for (const count of [1, 10, 40]) {
    const path = join(folder, `${count}.jsonl`);
    const acknowledged = await killedAfter(path, count);
    expect(acknowledged.length).toBeGreaterThanOrEqual(count);
    const store = jsonlStore({ path });
    const turns = await store.readTurns(owner, { limit: 10_000 });
    const stored = turns.filter(({ messages }) => messages.length === 2).map(({ id }) => id);
    expect(stored.slice(0, acknowledged.length)).toEqual(acknowledged);
    expect(stored).toHaveLength(turns.length);
    // One more at most: durable before the process could say so.
    expect(turns.length - acknowledged.length).toBeLessThanOrEqual(1);
    await store.close();
  }
});
