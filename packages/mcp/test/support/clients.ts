import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { Client, InMemoryTransport, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { toNodeHandler } from "@modelcontextprotocol/node";
import type { CallToolResult } from "@modelcontextprotocol/server";
import type { Memory } from "@throughline/core";
import { onTestFinished } from "vitest";
import {
  createMcpHandler,
  type McpHandler,
  type McpHandlerOptions,
  type McpIdentity,
  serveStdio,
} from "../../src/index.ts";

/** Revisions that clients speak: the newest one, and the last with sessions. */
export const ERAS = ["2026-07-28", "2025-11-25"] as const;
export type Era = (typeof ERAS)[number];

export const newClient = (era: Era): Client =>
  new Client(
    { name: "test", version: "1.0.0" },
    { versionNegotiation: { mode: era === "2026-07-28" ? { pin: era } : "legacy" } },
  );

/** A client and the server's end of one transport, in this process. */
export async function inProcess(memory: Memory, identity: McpIdentity, era: Era) {
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  const connection = serveStdio(memory, identity, { transport: theirs });
  const client = newClient(era);
  await client.connect(ours);
  onTestFinished(() => client.close());
  return { client, notify: connection.notify };
}

const COMMAND = fileURLToPath(new URL("../../src/command/main.ts", import.meta.url));

/** How the command is started from its source. */
export const commandOf = (args: readonly string[]) => ({
  command: process.execPath,
  args: ["--conditions=@throughline/source", "--disable-warning=ExperimentalWarning", COMMAND, ...args],
});

/** A client of the command, which runs as a process of its own. */
export async function overStdio(args: readonly string[], era: Era, env: Record<string, string> = {}) {
  const transport = new StdioClientTransport({ ...commandOf(args), env: { ...env }, stderr: "pipe" });
  let stderr = "";
  transport.stderr?.on("data", (chunk) => {
    stderr += String(chunk);
  });
  const client = newClient(era);
  await client.connect(transport);
  onTestFinished(() => client.close());
  return { client, transport, stderr: () => stderr };
}

/** A real HTTP server around a handler, as the README has it. Gone with the test. */
export async function overHttp(memory: Memory, options: McpHandlerOptions) {
  const handler = createMcpHandler(memory, options);
  const node = toNodeHandler(handler);
  const requests: IncomingMessage[] = [];
  const server: Server = createServer((request, response) => {
    requests.push(request);
    void node(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // A server that listens on a port has this kind of address.
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`);
  onTestFinished(async () => {
    await handler.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const connect = async (token: string, era: Era) => {
    const transport = new StreamableHTTPClientTransport(url, {
      requestInit: { headers: { authorization: `Bearer ${token}` } },
    });
    const client = newClient(era);
    await client.connect(transport);
    onTestFinished(() => client.close());
    return { client, transport };
  };
  return { handler, url, connect, requests };
}

export type HttpServer = Awaited<ReturnType<typeof overHttp>>;
export type { McpHandler };

/** A call of a tool, with what it answers. */
export async function call(client: Client, name: string, args: Record<string, unknown> = {}) {
  const result = (await client.callTool({ name, arguments: args })) as CallToolResult;
  const [first] = result.content;
  const data = result.structuredContent as Record<string, unknown> | undefined;
  return { isError: result.isError ?? false, text: first?.type === "text" ? first.text : "", data: data ?? {} };
}

/** A resource's text. */
export async function readText(client: Client, uri: string): Promise<string> {
  const { contents } = await client.readResource({ uri }, { cacheMode: "bypass" });
  const [first] = contents;
  return first !== undefined && "text" in first ? first.text : "";
}

/** A resource that is JSON. */
export const read = async (client: Client, uri: string) => JSON.parse(await readText(client, uri));
