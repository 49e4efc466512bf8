import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { folder, runMain, runScript } from "./run-main.ts";

const bank = fileURLToPath(new URL("fixtures/memory-bank.json", import.meta.url));

const lines = (...said: object[]) => said.map((line) => JSON.stringify(line)).join("\n");

const said = lines(
  { role: "user", content: "The ferry leaves from pier nine.", time: "2026-03-01T08:00:00Z" },
  { role: "assistant", content: "Pier nine, noted.", time: "2026-03-01T08:00:05Z" },
  { role: "user", content: "And the car goes on deck two.", time: "2026-03-01T08:01:00Z" },
);

function transcript(text: string): string {
  const path = join(folder(), "transcript.jsonl");
  writeFileSync(path, text);
  return path;
}

describe("npm run demo -- --replay", { timeout: 30_000 }, () => {
  it("records a transcript turn by turn and finds its words, with time, role and score", async () => {
    const { code, stdout, stderr } = await runMain([
      "--replay",
      transcript(said),
      "--search",
      "ferry",
      "--search",
      "zeppelin",
    ]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(/Recorded 2 turns \(3 messages\) of 1 conversation\./);
    expect(stdout).toMatch(/\d+ turns\/s/);
    expect(stdout).toMatch(/Search "ferry": 1 hit[\s\S]*\d\.\d\d {2}2026-03-01 08:00 {2}user[\s\S]*pier nine/);
    expect(stdout).toMatch(/Search "zeppelin": nothing/);
  });

  it("reads the words to search for from a pipe", async () => {
    const { code, stdout } = await runMain(["--replay", transcript(said)], { input: "deck\n\npier\n" });
    expect(code).toBe(0);
    expect(stdout).toMatch(/Search "deck": 1 hit[\s\S]*Search "pier": 2 hits/);
  });

  it("stores nothing twice when the same transcript comes again", async () => {
    const path = transcript(said);
    const args = ["--replay", path, "--file", join(folder(), "kept.db"), "--search", "ferry"];
    await runMain(args);
    const { code, stdout } = await runMain(args);
    expect(code).toBe(0);
    expect(stdout).toContain("2 of them were in the file already");
    expect(stdout).toMatch(/Search "ferry": 1 hit/);
  });

  it("names every bad line and records nothing of such a file", async () => {
    const path = transcript(`${said}\nnot json\n\n${lines({ role: "user", content: "x", time: "soon" })}\n`);
    const file = join(folder(), "kept.db");
    const { code, stdout, stderr } = await runMain(["--replay", path, "--file", file, "--search", "ferry"]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toMatch(/^2 lines of .* nothing was recorded:\n {2}line 4: not JSON\n {2}line 6: time: /);
    expect(existsSync(file)).toBe(false);
  });

  it.each([
    ["a file that isn't there", () => join(folder(), "none.jsonl")],
    ["a folder", folder],
    ["an empty file", () => transcript("\n")],
  ])("says what is wrong with %s", async (_name, path) => {
    const { code, stdout, stderr } = await runMain(["--replay", path(), "--search", "x"]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr.trim().split("\n")).toHaveLength(1);
  });
});

describe("convert-memorybank", { timeout: 30_000 }, () => {
  it("makes lines that a replay records and finds, in English and Chinese", async () => {
    const path = join(folder(), "bank.jsonl");
    const converted = await runScript("convert-memorybank.ts", [bank, path]);
    expect(converted).toMatchObject({ code: 0, stderr: "", stdout: expect.stringContaining("7 messages of 2 people") });
    const read = readFileSync(path, "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    // Oldest day first, the empty answer left out.
    expect(read.slice(0, 4)).toEqual([
      expect.objectContaining({ role: "user", time: "2026-02-01T09:00:00.000Z", conversation: "Ines/2026-02-01" }),
      expect.objectContaining({ role: "assistant", content: "Quinces need patience.", subject: "Ines" }),
      expect.objectContaining({ role: "user", content: "How long until the first fruit?" }),
      expect.objectContaining({ content: "My bees came through the winter.", time: "2026-02-02T09:00:00.000Z" }),
    ]);
    const { stdout } = await runMain([
      "--replay",
      path,
      "--search",
      "quince",
      "--search",
      "绿禾公园 松鼠",
      "--top",
      "1",
    ]);
    expect(stdout).toMatch(/user with Ines[\s\S]*quince tree[\s\S]*user with 小林[\s\S]*一只松鼠/);
  });

  it("refuses a file of another shape, and a call without one", async () => {
    const other = transcript("[1]");
    expect(await runScript("convert-memorybank.ts", [other])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("not a MemoryBank file"),
    });
    expect(await runScript("convert-memorybank.ts", [])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("Usage:"),
    });
  });
});
