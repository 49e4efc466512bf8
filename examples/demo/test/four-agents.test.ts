import { readFileSync } from "node:fs";
import { join } from "node:path";
import { modelServer } from "@throughline/testkit";
import { describe, expect, it, onTestFinished } from "vitest";
import { runMain } from "./run-main.ts";

/** A model behind HTTP that says these in turn, each to one request. */
async function scripted(...texts: string[]) {
  const server = await modelServer(...texts.map((text) => ({ text })));
  onTestFinished(() => server[Symbol.asyncDispose]());
  return server;
}

describe("npm run demo", { timeout: 120_000 }, () => {
  it("has each of four agents know what the others were told, with no key and no network (Q1, G15)", async () => {
    const { code, stdout, stderr } = await runMain([]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toContain("scripted assistant: no key, no network; it follows a script, the memory is real");
    const parts = stdout.split(/^── /m);
    const [, langgraph = "", aiSdk = "", openai = "", mastra = "", again = "", history = "", facts = "", search = ""] =
      parts;
    expect(langgraph).toMatch(/LangGraph[\s\S]*adds nothing[\s\S]*noted for all agents: home: Braga, name: Mira/);
    expect(aiSdk).toMatch(/home: Braga +told to LangGraph +among the most recent[\s\S]*AI SDK +You live in Braga\./);
    expect(openai).toMatch(/dog: Biscuit +told to AI SDK[\s\S]*OpenAI Agents +Your dog: Biscuit\./);
    expect(mastra).toMatch(
      /calls memory_search [\s\S]*→ <remembered>[\s\S]*18:40[\s\S]*Mastra +On .* you told me: .*18:40/,
    );
    expect(again).toMatch(/preferences: window seats +told to Mastra[\s\S]*LangGraph +This is what I remember/);
    expect(again).toMatch(/Noor +Where do I live\?[\s\S]*I don't know[\s\S]*✓ nothing of Mira's reaches Noor/);
    const processes = [...stdout.matchAll(/process (\d+)/g)].map(([, id]) => id);
    expect(new Set(processes).size).toBe(5);
    expect(history).toMatch(
      /to LangGraph [\s\S]*to AI SDK [\s\S]*to OpenAI Agents [\s\S]*to Mastra [\s\S]*to LangGraph /,
    );
    expect(facts).toMatch(
      /dog: Biscuit\n.*written by the distiller on the word of the user, who said "My dog is called/,
    );
    expect(search).toMatch(/Search "sister station": 2 hits/);
    expect(stdout.match(/^ +✓ /gm)).toHaveLength(5);
    expect(stdout).not.toContain("✗");
    expect(stdout).toMatch(/--chat[\s\S]*--more[\s\S]*--replay[\s\S]*OPENAI_BASE_URL=/);
    expect(stdout).toContain("Checked: each agent knew what the others were told");
    for (const line of stdout.split("\n").filter((text) => !text.includes("memory.db"))) {
      expect(line.length, line).toBeLessThanOrEqual(100);
    }
    // What the README of the repository shows is what was printed; `…` stands for anything.
    const readme = readFileSync(join(import.meta.dirname, "../../../README.md"), "utf8");
    const shown = /<!-- demo output -->\n```text\n([\s\S]*?)```/.exec(readme)?.[1]?.trim() ?? "";
    expect(shown.split("\n").length).toBeGreaterThan(10);
    const inOrder = shown.split("…").map((part) => part.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&"));
    expect(stdout).toMatch(new RegExp(inOrder.join("[\\s\\S]*?")));
    // biome-ignore lint/suspicious/noControlCharactersInRegex: no colour where there is no terminal
    expect(stdout).not.toMatch(/\u001b/);
  });

  it("plays the same with the model of OPENAI_BASE_URL, which reads in its prompt what others were told (Q1)", async () => {
    const server = await scripted(
      "Hello Mira!",
      "In Braga.",
      "Lovely.",
      "Biscuit, of course.",
      "I hope so.",
      "At 18:40.",
      "Noted.",
      "You live in Braga with Biscuit, eat vegetarian and like window seats.",
      "I don't know.",
    );
    const env = { OPENAI_BASE_URL: server.baseURL, OPENAI_MODEL: "tiny", OPENAI_API_KEY: "key-of-the-test" };
    const { code, stdout, stderr } = await runMain([], { env });
    expect({ code, stderr, refusals: server.refusals }).toEqual({ code: 0, stderr: "", refusals: [] });
    expect(stdout).toContain(`tiny at ${new URL(server.baseURL).host}`);
    expect(stdout).not.toContain("scripted assistant");
    expect(stdout).not.toContain("key-of-the-test");
    expect(stdout).toContain("Checked: each agent knew what the others were told");
    expect(server.requests.map(({ api, body }) => `${api} ${body.model}`)).toEqual(Array(9).fill("chat tiny"));
    const prompts = server.requests.map(({ body }) => JSON.stringify(body));
    expect(prompts[1]).toMatch(/- home: Braga/);
    expect(prompts[3]).toMatch(/- dog: Biscuit/);
    expect(prompts[7]).toMatch(/- preferences: window seats/);
    expect(prompts[8]).not.toContain("Braga");
  });

  it("fails where an agent doesn't say what it was told, and says that the memory had told it", async () => {
    const server = await scripted(...Array<string>(9).fill("No idea."));
    const { code, stdout, stderr } = await runMain([], { env: { OPENAI_BASE_URL: server.baseURL } });
    expect(code).toBe(1);
    expect(stdout.match(/✗ did not know/g)).toHaveLength(4);
    expect(stdout).toMatch(/✗ did not know her dog's name: the memory had told the model, which didn't say so/);
    // Nobody searched for it.
    expect(stdout).toMatch(/✗ did not know when her sister arrives: the memory had not told the model/);
    expect(stdout).not.toContain("Checked");
    expect(stderr).toContain("The check failed");
  });

  it("stops where the model can't be had, with its address", async () => {
    const server = await modelServer();
    const env = { OPENAI_BASE_URL: server.baseURL, OPENAI_API_KEY: "key-of-the-test" };
    await server[Symbol.asyncDispose]();
    const { code, stdout, stderr } = await runMain([], { env });
    expect(code).toBe(1);
    expect(stdout).not.toContain("Checked");
    expect(stderr).toContain(`The demo stopped at LangGraph, with the model at ${server.baseURL}`);
    expect(stderr).not.toMatch(/key-of-the-test|\n {4}at /);
  });
});

describe("npm run demo -- --more", { timeout: 60_000 }, () => {
  it("shows folding, statements, forgetting, artifacts and an explained prompt, each checked", async () => {
    const { code, stdout, stderr } = await runMain(["--more"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(/12 messages of history before[\s\S]*2 messages after, 5 turns in the summary, all 6 in/);
    expect(stdout).toMatch(/sister: Lena because of "My sister is called Lena"/);
    expect(stdout).toMatch(/calls memory_forget [\s\S]*calls memory_remember [\s\S]*→ Not remembered: .*forgotten/);
    expect(stdout).toMatch(/Kept as artifact[\s\S]*calls get_artifact [\s\S]*Page 2 of 3[\s\S]*calls patch_artifact /);
    expect(stdout).toMatch(
      /took \d+ of \d+ tokens[\s\S]*in {2}fact .*sister[\s\S]*in {2}history [\s\S]*in {2}summary /,
    );
    expect(stdout.match(/^ {2}✓ /gm)).toHaveLength(5);
    expect(stdout).not.toContain("✗");
    expect(stdout).toContain("Checked: ");
  });
});

describe("npm run demo -- --help", { timeout: 60_000 }, () => {
  it("shows how to use it", async () => {
    const { code, stdout, stderr } = await runMain(["--help"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(/--chat[\s\S]*--agent[\s\S]*--replay FILE[\s\S]*OPENAI_BASE_URL/);
  });

  it("is also what a wrong option is answered with", async () => {
    const { code, stdout, stderr } = await runMain(["--no-such-thing"]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain("Usage:");
  });
});
