import { deepEqual, equal, match, ok } from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createMemory, type Turn } from "@throughline/core";
import { sqliteStore } from "@throughline/store-sqlite";
import { useInBrowser } from "./browser.ts";
import { say } from "./chat-client.ts";
import { STORY } from "./offline-model.ts";

/*
 * Plays a day of the route handler over HTTP and checks what it left in the memory: a chat, a client that goes away in
 * the middle, a restart, another chat of the same person, and another person.
 */

const folder = mkdtempSync(join(tmpdir(), "throughline-route-"));
const file = join(folder, "memory.db");

/** Serves the route in a process of its own, on a free port, with the scripted offline model. */
async function serve(): Promise<{ url: string; stop(): Promise<void> }> {
  const { OPENAI_API_KEY: _key, OPENAI_BASE_URL: _url, ...env } = process.env;
  const flags = ["--conditions=@throughline/source", "--disable-warning=ExperimentalWarning"];
  const server: ChildProcess = spawn(process.execPath, [...flags, join(import.meta.dirname, "serve.ts")], {
    env: { ...env, PORT: "0", MEMORY_FILE: file },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const exited = once(server, "exit");
  const started = server.stdout ? once(server.stdout, "data") : exited;
  const [first] = await Promise.race([started, exited.then(() => ["the server did not start"])]);
  return {
    url: String(first).trim(),
    async stop() {
      server.kill("SIGTERM");
      await exited;
    },
  };
}

/** What the memory holds of a chat, read from the file by this process. */
async function turnsOf(chat: string): Promise<Turn[]> {
  const memory = createMemory({ agent: "guide", store: sqliteStore({ path: file }), env: {} });
  try {
    return (await memory.conversation({ id: chat }).transcript()).turns;
  } finally {
    await memory.close();
  }
}

/** Waits until a chat has so many turns: a run that was cut short is recorded after its client has gone. */
async function untilTurns(chat: string, count: number): Promise<Turn[]> {
  for (let tries = 0; ; tries++) {
    const turns = await turnsOf(chat);
    if (turns.length >= count || tries === 100) return turns;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

const textOf = (turn: Turn | undefined): string =>
  turn?.messages
    .filter(({ role }) => role === "assistant")
    .flatMap(({ parts }) => parts.map((part) => (part.type === "text" ? part.text : "")))
    .join("") ?? "";

async function firstDay(url: string): Promise<void> {
  const ada = { chat: "ada-1", session: "ada-laptop" };
  equal((await say(url, "Hi", { chat: "ada-1" })).status, 401);
  equal((await say(url, "Hi", { chat: "", session: "ada-laptop" })).status, 400);

  const hello = await say(url, "Hi, my name is Ada.", ada);
  deepEqual(hello, { status: 200, text: "I will remember that.", tools: ["memory_remember"] });

  const cut = await say(url, "Tell me a story.", { ...ada, leaveAfter: 6 });
  match(cut.text, /^step1 step2 step3 step4 step5 step6/);
  const turns = await untilTurns("ada-1", 2);
  deepEqual(
    turns.map(({ status, subject }) => [status, subject]),
    [
      ["completed", "ada"],
      ["aborted", "ada"],
    ],
  );
  const kept = textOf(turns[1]);
  ok(kept.startsWith(cut.text.trim()) && STORY.startsWith(kept) && kept.length < STORY.length);
  console.log(
    `A client that went away after 6 words left one aborted turn with ${kept.trim().split(" ").length} words.`,
  );

  equal((await say(url, "Go on.", ada)).text, "We were on our way.");
  equal((await say(url, "Hi", { chat: "ada-1", session: "bob-phone" })).status, 403);
  equal((await turnsOf("ada-1")).length, 3);
  console.log("The chat went on from there; another person's session was refused.");
}

async function aDayWithTools(url: string): Promise<void> {
  const ada = { chat: "ada-3", session: "ada-laptop" };
  const weather = await say(url, "How is the weather in Oslo?", ada);
  deepEqual(weather, { status: 200, text: "It is sunny there.", tools: ["weather"] });

  const toss = { ...ada, messageId: "toss" };
  const first = await say(url, "Toss a coin.", toss);
  const second = await say(url, "Toss a coin.", toss);
  ok(first.text !== second.text);
  const turns = await turnsOf("ada-3");
  deepEqual(
    turns.map((turn) => [turn.hidden ?? false, textOf(turn)]),
    [
      [false, weather.text],
      [true, first.text],
      [false, second.text],
    ],
  );
  console.log("A tool ran, and an answer that was asked for once more took the first one's place.");
}

/** The same route under a real `useChat`, where there is a browser. */
async function aDayInTheBrowser(url: string): Promise<void> {
  const seen = await useInBrowser(new URL(url).origin, { chat: "ada-4", session: "ada-laptop" });
  if (seen === null) return console.log("There is no Chromium here: the page was not driven.");
  const turns = await turnsOf("ada-4");
  deepEqual(
    turns.map(({ status, hidden }) => [status, hidden ?? false]),
    [
      ["completed", false],
      ["completed", true],
      ["completed", false],
      ["aborted", false],
    ],
  );
  ok(seen.afterReload.length === seen.before.length && seen.before.length === 6);
  deepEqual(seen.afterReload.slice(0, 4), seen.before.slice(0, 4));
  const stopped = seen.afterReload.at(-1) ?? "";
  ok(stopped.startsWith("step1 ") && stopped.length < STORY.length);
  console.log("In a browser: a tool, another answer, a stop; loaded again, the page showed the same chat.");
}

async function secondDay(url: string): Promise<void> {
  equal((await say(url, "What is my name?", { chat: "ada-2", session: "ada-laptop" })).text, "Your name is Ada.");
  equal((await say(url, "What is my name?", { chat: "bob-1", session: "bob-phone" })).text, "You have not told me.");
  deepEqual(
    (await turnsOf("ada-2")).map(({ status }) => status),
    ["completed"],
  );
  console.log("After a restart the route knew Ada in a new chat, and nobody else.");
}

try {
  console.log("A scripted offline model answers; no key, no network.");
  for (const day of [firstDay, secondDay, aDayWithTools, aDayInTheBrowser]) {
    const server = await serve();
    try {
      await day(server.url);
    } finally {
      await server.stop();
    }
  }
  console.log("All as expected.");
} finally {
  rmSync(folder, { recursive: true, force: true });
}
