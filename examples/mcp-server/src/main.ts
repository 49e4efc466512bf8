import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Client, StreamableHTTPClientTransport, type Transport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { createMemory } from "@throughline/core";
import { sqliteStore } from "@throughline/store-sqlite";
import { startHttpServer } from "./http-server.ts";

const folder = mkdtempSync(join(tmpdir(), "throughline-"));
const path = join(folder, "memory.db");
const secrets = [
  ["the-secret-of-ada-0123456789", "ada"],
  ["the-secret-of-ben-0123456789", "ben"],
] as const;

async function connect(transport: Transport): Promise<Client> {
  // The newest revision where the server speaks it, else one of 2025.
  const client = new Client({ name: "example", version: "1.0.0" }, { versionNegotiation: { mode: "auto" } });
  await client.connect(transport);
  return client;
}

/** Calls a tool as a model would, shows it, and gives the text that the model reads. */
async function ask(who: string, client: Client, name: string, args: Record<string, unknown>): Promise<string> {
  const { content } = await client.callTool({ name, arguments: args });
  const [first] = content;
  const text = first?.type === "text" ? first.text : "";
  console.log(`${who}: ${name} ${JSON.stringify(args)}\n  ${text.replaceAll("\n", "\n  ")}`);
  return text;
}

const app = createMemory({ agent: "guide", store: sqliteStore({ path }) });
const chat = app.conversation({ id: "chat-1", subject: "ada" });
await chat.record({
  messages: [
    { role: "user", content: "I am looking for a lighthouse near Nazaré." },
    { role: "assistant", content: "There is one on the cliff, open until six." },
  ],
});
await app.close();

const script = fileURLToPath(new URL("./desktop-server.ts", import.meta.url));
const args = [...process.execArgv, script, path, "ada"];
const desktop = await connect(new StdioClientTransport({ command: process.execPath, args }));
const http = await startHttpServer(path, secrets);
const [ada, ben] = await Promise.all(
  secrets.map(([secret]) => {
    const headers = { authorization: `Bearer ${secret}` };
    return connect(new StreamableHTTPClientTransport(http.url, { requestInit: { headers } }));
  }),
);
assert(ada && ben);

try {
  assert.match(await ask("desktop", desktop, "memory_search", { query: "lighthouse" }), /near Nazaré/);
  assert.equal(await ask("desktop", desktop, "memory_remember", { key: "tea", value: "green" }), "Remembered.");
  assert.match(await ask("ada", ada, "memory_recall", { query: "tea" }), /tea: green/);
  assert.equal(await ask("ada", ada, "who_am_i", {}), "ada");
  assert.doesNotMatch(await ask("ben", ben, "memory_recall", { query: "tea" }), /green/);
  assert.match(await ask("ben", ben, "memory_recall", { query: "tea", subject: "ada" }), /INVALID_ARGUMENT/);
  await assert.rejects(ben.readResource({ uri: "memory://conversation?id=chat-1" }));
  const { contents } = await ada.readResource({ uri: "memory://conversation?id=chat-1" });
  assert.match(JSON.stringify(contents), /open until six/);
  console.log("One memory over stdio and HTTP, and each sees their own.");
} finally {
  await Promise.all([desktop, ada, ben].map((client) => client.close()));
  await http.close();
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
}
