import { existsSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openaiServer, serve, streamAnswer } from "./openai-server.ts";
import { folder, runMain, runScript } from "./run-main.ts";

describe("npm run demo", { timeout: 30_000 }, () => {
  it("uses in a new process what was said in another session, with no key and no network (Q1, G15)", async () => {
    const { code, stdout, stderr } = await runMain([]);
    expect(stderr).toBe("");
    expect(code).toBe(0);
    expect(stdout).toContain("scripted offline model: no key, no network; it follows a script, the memory is real");
    const processes = [...stdout.matchAll(/process (\d+)/g)].map(([, id]) => id);
    expect(new Set(processes).size).toBe(2);
    // Each of the three ways to know something was used: the prompt, recall and search.
    expect(stdout).toMatch(/<facts>[\s\S]*diet: vegetarian/);
    expect(stdout).toMatch(/calls memory_remember .*"key":"dog"/);
    expect(stdout).toMatch(/calls memory_recall .*"key":"dog"[\s\S]*→ Biscuit/);
    expect(stdout).toMatch(/calls memory_search [\s\S]*→ .*18:40/);
    expect(stdout).toMatch(/History of "first-chat"[\s\S]*History of "second-chat"[\s\S]*Facts about Mira/);
    expect(stdout).toMatch(/Search "sister station": \d hits?/);
    expect(stdout).toMatch(/12 messages of history before[\s\S]*2 messages after, 5 turns in the summary, all 6 in/);
    expect(stdout).toMatch(/calls memory_forget [\s\S]*calls memory_remember [\s\S]*→ Not remembered: .*forgotten/);
    expect(stdout).toMatch(/Kept as artifact[\s\S]*calls get_artifact [\s\S]*Page 2 of 3[\s\S]*calls patch_artifact /);
    expect(stdout).toMatch(/took \d+ of \d+ tokens[\s\S]*in {2}fact .*dog[\s\S]*in {2}history [\s\S]*in {2}summary /);
    expect(stdout).toMatch(/sister: Lena because of "My sister is called Lena"/);
    expect(stdout.match(/^ {2}✓ /gm)).toHaveLength(8);
    expect(stdout).not.toContain("✗");
    expect(stdout).toMatch(/--chat[\s\S]*--replay/);
    expect(stdout).toContain("Checked: the second session knew what the first was told.");
  });

  it("plays the same with the model of OPENAI_BASE_URL (Q1)", async () => {
    const port = await serve(openaiServer());
    const env = { OPENAI_BASE_URL: `http://127.0.0.1:${port}/v1`, OPENAI_MODEL: "tiny" };
    const { code, stdout, stderr } = await runMain([], { env });
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toContain(`tiny at 127.0.0.1:${port}`);
    expect(stdout).not.toContain("offline");
    expect(stdout).toContain("Checked: the second session knew what the first was told.");
  });

  it("fails where the second session doesn't know", async () => {
    const server = createServer((_request, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      streamAnswer((text) => response.write(text), [{ content: "No idea." }], "stop");
      response.end();
    });
    const env = { OPENAI_BASE_URL: `http://127.0.0.1:${await serve(server)}/v1` };
    const { code, stdout, stderr } = await runMain([], { env });
    expect(code).toBe(1);
    expect(stdout.match(/✗ did not know/g)).toHaveLength(3);
    expect(stdout).not.toContain("Checked");
    expect(stderr).toContain("The check failed");
  });

  it("knows nothing where the memory is empty, says so, and fails its own check", async () => {
    const file = join(folder(), "empty.db");
    const { code, stdout } = await runScript("demo/second-session.ts", [file]);
    expect(existsSync(file)).toBe(true);
    expect(code).toBe(3);
    expect(stdout.match(/✗ did not know/g)).toHaveLength(3);
    expect(stdout.match(/I don't know/g)).toHaveLength(3);
    expect(stdout).not.toContain("✓");
  });
});

describe("npm run demo -- --help", { timeout: 30_000 }, () => {
  it("shows how to use it", async () => {
    const { code, stdout, stderr } = await runMain(["--help"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(/--chat[\s\S]*--replay FILE[\s\S]*OPENAI_BASE_URL/);
  });

  it("is also what a wrong option is answered with", async () => {
    const { code, stdout, stderr } = await runMain(["--no-such-thing"]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain("Usage:");
  });
});
