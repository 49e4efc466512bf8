import { spawn } from "node:child_process";
import { once } from "node:events";
import { homedir } from "node:os";
import { createMemory } from "@throughline/core";
import { sqliteStore } from "@throughline/store-sqlite";
import { expect, inject, test } from "vitest";
import { openStore } from "../src/command/open-store.ts";
import { readOptions } from "../src/command/read-options.ts";
import { call, commandOf, overStdio } from "./support/clients.ts";
import { temporaryFolder } from "./support/stores.ts";

/** Runs the command until it ends by itself, or is told to. */
async function run(args: readonly string[], act: (child: ReturnType<typeof spawn>) => void = () => {}) {
  const { command, args: all } = commandOf(args);
  const child = spawn(command, all, { env: { PATH: process.env.PATH }, stdio: "pipe" });
  let [stdout, stderr] = ["", ""];
  child.stdout.on("data", (chunk) => {
    stdout += chunk;
  });
  child.stderr.on("data", (chunk) => {
    stderr += chunk;
    if (String(chunk).includes("serving")) act(child);
  });
  const [code, signal] = await once(child, "close");
  return { code, signal, stdout, stderr };
}

const readFrom = (text: string, env: Record<string, string> = {}) => readOptions(text.split(" ").filter(Boolean), env);

test("MCP1: flags count more than the environment, and a path becomes a store's URL", () => {
  expect(readFrom("--store /data/my memory.db --subject ada".replace("my ", "my_"))).toEqual({
    storeUrl: "sqlite:%2Fdata%2Fmy_memory.db",
    agent: "mcp",
    tenant: undefined,
    subject: "ada",
    conversation: undefined,
    login: undefined,
    isReadOnly: false,
  });
  const env = {
    AGENT_MEMORY_URL: "postgres://db/memory",
    AGENT_MEMORY_SUBJECT: "env",
    AGENT_ID: "clerk",
    AGENT_MEMORY_TENANT: "blue",
    AGENT_MEMORY_CONVERSATION: "c",
    AGENT_MEMORY_LOGIN: "l",
  };
  expect(readFrom("--subject flag --read-only", env)).toMatchObject({
    storeUrl: "postgres://db/memory",
    agent: "clerk",
    tenant: "blue",
    subject: "flag",
    conversation: "c",
    login: "l",
    isReadOnly: true,
  });
  expect(readFrom("--store ~/memory.db --subject ada")).toMatchObject({
    storeUrl: `sqlite:${encodeURIComponent(`${homedir()}/memory.db`)}`,
  });
  expect(readFrom("--store C:\\memory.db --subject ada")).toMatchObject({ storeUrl: "sqlite:C%3A%5Cmemory.db" });
  expect(readFrom("--help")).toBe("help");
});

test("MCP1: a configuration that can't be served is told with the fix in it", async () => {
  for (const [args, word] of [
    ["--subject ada", "--store"],
    ["--store m.db", "--subject"],
    ["--store m.db --subject=", "--subject is empty"],
    ["--store m.db --subject ada --user eve", "--user"],
    ["--store m.db --subject ada stray", "stray"],
    ["--store", "--store"],
  ] as const) {
    expect(() => readFrom(args)).toThrow(
      expect.objectContaining({ code: "INVALID_ARGUMENT", message: expect.stringContaining(word) }),
    );
  }
  const refused = { code: "STORE_NOT_AVAILABLE", message: expect.not.stringContaining("hush") };
  await expect(openStore("mysql://ada:hush@db/memory")).rejects.toMatchObject(refused);
});

test("MCP1: the command says on stderr why it ends, with a code for whoever started it", async () => {
  const folder = temporaryFolder();
  const [unsaid, nowhere, help] = await Promise.all([
    run(["--store", `${folder}/memory.db`]),
    run(["--store", folder, "--subject", "ada"]),
    run(["--help"]),
  ]);
  expect(unsaid).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining("--subject") });
  expect(nowhere).toMatchObject({ code: 1, stdout: "", stderr: expect.stringContaining("[STORE_") });
  expect(nowhere.stderr).not.toContain("at ");
  expect(help).toMatchObject({ code: 0, stderr: "", stdout: expect.stringContaining("--store") });
});

test("MCP1: the command ends as its client does, and at a signal, and lets go of the store", async () => {
  const args = ["--store", `${temporaryFolder()}/memory.db`, "--subject", "ada"];
  const closed = await run(args, (child) => child.stdin?.end());
  expect(closed).toMatchObject({ code: 0, signal: null, stdout: "" });
  const stopped = await run(args, (child) => child.kill("SIGTERM"));
  expect(stopped).toMatchObject({ code: 0, signal: null, stdout: "" });
  const broken = await run(args, (child) =>
    child.stdin?.end('{"jsonrpc":"2.0","id":1,"method":\nnot JSON at all: hush\n'),
  );
  expect(broken).toMatchObject({ code: 0, stdout: "" });
  expect(broken.stderr).not.toContain("hush");
});

test("MCP1/E2: what was answered is there after the command was killed, and only one's own", async () => {
  const file = `${temporaryFolder()}/memory.db`;
  const first = await overStdio(["--store", file, "--subject", "ada", "--agent", "guide"], "2025-11-25");
  await Promise.all(
    Array.from({ length: 20 }, (_, n) => call(first.client, "memory_remember", { key: `k${n}`, value: n })),
  );
  process.kill(first.transport.pid ?? 0, "SIGKILL");
  const memory = createMemory({ agent: "guide", store: sqliteStore({ path: file }), env: {}, onEvent: () => {} });
  expect(await memory.subject("ada").facts()).toHaveLength(20);
  await memory.close();
  const env = { AGENT_MEMORY_URL: `sqlite:${file}`, AGENT_MEMORY_SUBJECT: "Ada", AGENT_ID: "guide" };
  const second = await overStdio(["--read-only"], "2025-11-25", env);
  expect((await second.client.listTools()).tools.map(({ name }) => name)).toEqual(["memory_recall", "memory_search"]);
  expect((await call(second.client, "memory_recall")).data).toMatchObject({ facts: [] });
});

test.skipIf(inject("postgresUrl") === null)("MCP1: the command serves a memory on PostgreSQL", async () => {
  const url = inject("postgresUrl") ?? "";
  const args = ["--store", url, "--subject", "ada", "--tenant", `mcp-${process.pid}`];
  const { client, stderr } = await overStdio(args, "2025-11-25", { AGENT_MEMORY_FORGET_KEY: "a key of this test" });
  await call(client, "memory_remember", { key: "tea", value: "green" });
  expect((await call(client, "memory_recall", { key: "tea" })).data).toMatchObject({ facts: [{ value: "green" }] });
  expect(stderr()).toContain("on postgres");
});
