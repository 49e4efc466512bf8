// Many people's memories over HTTP: who asks is known by a secret, and nothing else.
import { createServer } from "node:http";
import { toNodeHandler } from "@modelcontextprotocol/node";
import { createMemory } from "@throughline/core";
import { bearerTokens, createMcpHandler, type McpHandler } from "@throughline/mcp";
import { sqliteStore } from "@throughline/store-sqlite";
import * as z from "zod";

/** Serves until it is closed. */
export async function startHttpServer(path: string, secrets: readonly (readonly [string, string])[]) {
  const memory = createMemory({
    agent: "guide",
    store: sqliteStore({ path }),
    onEvent: (event) => handler.notify(event),
  });
  const handler: McpHandler = createMcpHandler(memory, {
    identify: bearerTokens(secrets.map(([secret, subject]) => [secret, { subject }])),
    extend(server, { subject }) {
      // Beside the memory's tools one of the app's, which knows who asks in the same way.
      const input = { description: "Who the server takes you for.", inputSchema: z.object({}) };
      server.registerTool("who_am_i", input, () => ({ content: [{ type: "text", text: subject ?? "nobody" }] }));
    },
  });
  const server = createServer(toNodeHandler(handler));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  return {
    url: new URL(`http://127.0.0.1:${port}/mcp`),
    async close() {
      await handler.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await memory.close();
    },
  };
}
