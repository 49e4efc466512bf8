import type { Transport } from "@modelcontextprotocol/server";
import { serveStdio as serve } from "@modelcontextprotocol/server/stdio";
import type { Memory, MemoryEvent } from "@throughline/core";
import { toolCatalog } from "./convert/tool-catalog.ts";
import { type McpServerOptions, type MemoryMcpServer, serverFor, tellOf } from "./create-mcp-server.ts";
import { type McpIdentity, reachOf } from "./identity.ts";

/** How to serve one client. */
export interface ServeStdioOptions extends McpServerOptions {
  /** @default the process's stdin and stdout */
  transport?: Transport;
  /** Adds tools and resources of your own. */
  extend?: (server: MemoryMcpServer) => void;
}

/** A connection to one client. */
export interface StdioConnection {
  /** Hands on an event of the memory (`onEvent`): a client that subscribed hears of changed resources. */
  notify: (event: MemoryEvent) => void;
  /** Ends the connection. The memory stays open. */
  close: () => Promise<void>;
}

/**
 * Serves one client over stdin and stdout, whichever revision it speaks; the identity holds as long as the process.
 * Throws `INVALID_ARGUMENT` where it names nobody, and `INVALID_ID`.
 */
export function serveStdio(memory: Memory, identity: McpIdentity, options: ServeStdioOptions = {}): StdioConnection {
  const { transport, extend } = options;
  const reach = reachOf(memory, identity);
  const catalog = toolCatalog(memory, options.tools);
  let server: MemoryMcpServer | undefined;
  const handle = serve(
    ({ era }) => {
      server = serverFor(reach, { ...options, catalog, isFiltered: era === "modern" });
      extend?.(server);
      return server;
    },
    { onerror: tellOf(options.onError), ...(transport === undefined ? {} : { transport }) },
  );
  return { notify: (event) => server?.notify(event), close: () => handle.close() };
}
