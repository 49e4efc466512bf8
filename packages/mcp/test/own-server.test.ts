import { Client, InMemoryTransport } from "@modelcontextprotocol/client";
import { expect, test } from "vitest";
import * as z from "zod";
import { createMcpHandler, createMcpServer, serveStdio } from "../src/index.ts";
import { call, newClient, overHttp } from "./support/clients.ts";
import { testMemory } from "./support/test-memory.ts";

test("MCP1: a server for one's own transport takes tools beside the memory's, and says what it is", async () => {
  const server = createMcpServer(
    testMemory(),
    { subject: "ada" },
    { name: "desk", version: "2.3.4", instructions: "Be brief.", tools: { only: ["memory_recall"] } },
  );
  const schema = { inputSchema: z.object({ n: z.number() }) };
  server.registerTool("double", schema, ({ n }) => ({ content: [{ type: "text", text: String(n * 2) }] }));
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  await server.connect(theirs);
  const client = new Client({ name: "test", version: "1.0.0" });
  await client.connect(ours);
  expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(["memory_recall", "double"]);
  expect((await call(client, "double", { n: 4 })).text).toBe("8");
  expect([client.getServerVersion(), client.getInstructions()]).toEqual([
    { name: "desk", version: "2.3.4" },
    "Be brief.",
  ]);
  await client.close();
});

test("MCP1: each server of a handler is extended with who it is for", async () => {
  const { connect } = await overHttp(testMemory(), {
    identify: (request) => ({ subject: request.headers.get("authorization") === "Bearer a" ? "ada" : "eve" }),
    extend: (server, { subject }) =>
      void server.registerTool("who", {}, () => ({ content: [{ type: "text", text: subject ?? "" }] })),
  });
  for (const era of ["2026-07-28", "2025-11-25"] as const) {
    expect((await call((await connect("a", era)).client, "who")).text).toBe("ada");
    expect((await call((await connect("b", era)).client, "who")).text).toBe("eve");
  }
});

test("MCP1/B1: a server that isn't told whose memory it is can't be made", () => {
  const memory = testMemory();
  const fault = (code: string) => expect.objectContaining({ code });
  expect(() => createMcpServer(memory, {})).toThrow(fault("INVALID_ARGUMENT"));
  expect(() => createMcpServer(memory, { subject: "" })).toThrow(fault("INVALID_ID"));
  expect(() => createMcpServer(memory, { subject: "a", conversation: "x".repeat(600) })).toThrow(fault("INVALID_ID"));
  expect(() => serveStdio(memory, {})).toThrow(fault("INVALID_ARGUMENT"));
  const tools = { only: ["memory_remembr"] } as never;
  expect(() => createMcpHandler(memory, { identify: () => null, tools })).toThrow(fault("INVALID_ARGUMENT"));
});

test("MCP1/B3: a memory that is down is told with a code, in tools and in resources, and the client goes on", async () => {
  const memory = testMemory();
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  const errors: unknown[] = [];
  serveStdio(
    memory,
    { subject: "ada", conversation: "c" },
    { transport: theirs, onError: (error) => errors.push(error) },
  );
  const client = newClient("2026-07-28");
  await client.connect(ours);
  await memory.close();
  for (const { name } of (await client.listTools()).tools) {
    const { isError, data } = await call(client, name, {});
    expect([name, isError, (data as { error: { code: string } }).error.code]).toEqual([name, true, "STORE_CLOSED"]);
  }
  const refused = { code: -32_603, data: { code: "STORE_CLOSED", retryable: false } };
  await expect(client.readResource({ uri: "memory://facts" })).rejects.toMatchObject(refused);
  await expect(client.listResources()).rejects.toMatchObject(refused);
  await client.close();
});
