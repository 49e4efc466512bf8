import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { serve, streamAnswer } from "./openai-server.ts";
import { folder, runMain } from "./run-main.ts";

const typed = (...lines: string[]) => ({ input: `${lines.join("\n")}\n` });

describe("npm run demo -- --chat", { timeout: 30_000 }, () => {
  it("remembers from one chat to the next on the same file (G15)", async () => {
    const file = join(folder(), "nested", "chat.db");
    const args = ["--chat", "--file", file, "--subject", "Ann"];
    const first = await runMain(
      args,
      typed("call me Annie", "My favourite colour is teal.", "The heating broke in May.", "/quit"),
    );
    expect(first).toMatchObject({ code: 0, stderr: "" });
    expect(first.stdout).toContain(file);
    expect(first.stdout).toContain("scripted assistant");
    expect(first.stdout).toContain("Nice to meet you, Annie.");
    const second = await runMain(
      args,
      typed("What's my favourite colour?", "When did the heating break?", "What's my age?"),
    );
    expect(second).toMatchObject({ code: 0, stderr: "" });
    expect(second.stdout).toContain("(2 facts about Ann)");
    expect(second.stdout).toContain("Your favourite colour: teal.");
    expect(second.stdout).toMatch(/you told me: "The heating broke in May\."/);
    expect(second.stdout).toContain("I don't know your age");
    const other = await runMain(["--chat", "--file", file, "--subject", "Bob"], typed("What's my favourite colour?"));
    expect(other.stdout).toContain("I don't know your favourite colour");
  });

  it("answers its commands", async () => {
    const { code, stdout, stderr } = await runMain(
      ["--chat", "--file", join(folder(), "chat.db")],
      typed(
        "My dog is called Rex.",
        "/facts",
        "/search dog",
        "/history",
        "Hello there",
        "/why",
        "/forget dog",
        "/forget cat",
        "/facts",
        "/new",
        "/history",
        "What's my dog called?",
        "/nonsense",
      ),
    );
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const [, facts = "", search = "", history = "", why = "", forgotten = "", unknown = "", left = "", fresh = ""] =
      stdout.split(/^you +\/(?:facts|search dog|history|why|forget \w+|new|nonsense)$/m);
    expect(facts).toMatch(/dog: Rex[\s\S]*on the word of the user, who said "My dog is called Rex"/);
    expect(search).toMatch(/Search "dog": [12] hits?/);
    expect(history).toMatch(/turn 1[\s\S]*user +My dog is called Rex\.[\s\S]*memory_remember[\s\S]*assistant/);
    expect(why).toMatch(/\d+ of \d+ tokens[\s\S]*in +fact +dog[\s\S]*in +history/);
    expect(forgotten).toContain("Forgotten: dog");
    expect(unknown).toContain("Nothing was forgotten");
    expect(left).toContain("none");
    expect(fresh).toContain("A new conversation");
    expect(stdout).toContain("There is no command /nonsense");
  });

  it("has the agents of the other frameworks answer, who know the same person (Q1)", async () => {
    const args = ["--chat", "--file", join(folder(), "chat.db"), "--agent", "mastra"];
    const said = typed(
      "My dog is called Rex.",
      "/agent langgraph",
      "What's my dog called?",
      "/agent openai-agents",
      "My cat is called Tom.",
      "/agent ai-sdk",
      "What's my cat called?",
      "/agent nobody",
      "/why",
    );
    const { code, stdout, stderr } = await runMain(args, said);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(/calls memory_remember .*"dog"[\s\S]*^Mastra +I'll remember your dog: Rex\.$/m);
    expect(stdout).toMatch(/^LangGraph +Your dog: Rex\.$/m);
    expect(stdout).toMatch(/^OpenAI Agents +I'll remember your cat: Tom\.$/m);
    expect(stdout).toMatch(/^AI SDK +Your cat: Tom\.$/m);
    expect(stdout).toMatch(/One of langgraph, [\s\S]*tokens[\s\S]*in +fact +cat/);
  });

  it("keeps its file in the person's data folder by default", async () => {
    const data = folder();
    const { code } = await runMain(["--chat"], { ...typed("Hello"), env: { XDG_DATA_HOME: data, LOCALAPPDATA: data } });
    expect(code).toBe(0);
    if (process.platform !== "darwin") expect(existsSync(join(data, "throughline", "chat.db"))).toBe(true);
  });

  it("talks to the model of OPENAI_BASE_URL, with the memory in its system part and tools (Q1)", async () => {
    const bodies: {
      model: string;
      messages: { role: string; content: string }[];
      tools: { function: { name: string } }[];
    }[] = [];
    const server = createServer(async (request, response) => {
      let body = "";
      for await (const chunk of request) body += String(chunk);
      bodies.push(JSON.parse(body));
      response.writeHead(200, { "content-type": "text/event-stream" });
      streamAnswer((text) => response.write(text), [{ content: "Hello " }, { content: "from the server." }], "stop");
      response.end();
    });
    const port = await serve(server);
    const env = { OPENAI_BASE_URL: `http://127.0.0.1:${port}/v1`, OPENAI_MODEL: "tiny" };
    const args = ["--chat", "--file", join(folder(), "chat.db")];
    const { code, stdout, stderr } = await runMain(args, { ...typed("Good morning", "/history"), env });
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toContain("tiny at 127.0.0.1");
    expect(stdout).toMatch(/Hello from the server\.[\s\S]*assistant +Hello from the server\./);
    expect(bodies).toHaveLength(1);
    expect(bodies[0]?.model).toBe("tiny");
    expect(bodies[0]?.tools.map((tool) => tool.function.name)).toContain("memory_remember");
    expect(bodies[0]?.messages.filter(({ role }) => role === "system")).toHaveLength(1);
  });

  it("says in one line why a file can't be used", async () => {
    const file = join(folder(), "note.txt");
    writeFileSync(file, "This is a note of mine, and not a database.");
    for (const path of [file, dirname(file), join(file, "chat.db")]) {
      const { code, stdout, stderr } = await runMain(["--chat", "--file", path], typed("Hello"));
      expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
      expect(stderr.trim().split("\n")).toHaveLength(1);
    }
    expect(readFileSync(file, "utf8")).toBe("This is a note of mine, and not a database.");
  });

  it("shows a model's failure and goes on", async () => {
    const port = await serve(createServer((_request, response) => response.writeHead(401).end("no such key")));
    const env = { OPENAI_BASE_URL: `http://127.0.0.1:${port}/v1`, OPENAI_API_KEY: "wrong" };
    const args = ["--chat", "--file", join(folder(), "chat.db")];
    const { code, stdout } = await runMain(args, { ...typed("Good morning", "/history"), env });
    expect(code).toBe(0);
    expect(stdout).toContain("Unauthorized");
    expect(stdout).toMatch(/turn 1 \(failed\)[\s\S]*Good morning/);
    expect(stdout).not.toContain("wrong");
  });
});
