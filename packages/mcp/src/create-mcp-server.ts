import { McpServer, ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";
import {
  createReport,
  type Memory,
  MemoryError,
  type MemoryEvent,
  type MemoryToolSelection,
  memoryGuidelines,
} from "@throughline/core";
import { changedResources, isAbout } from "./convert/changed-resources.ts";
import { type ToolCatalog, toolCatalog } from "./convert/tool-catalog.ts";
import { type McpIdentity, type Reach, reachOf } from "./identity.ts";
import { registerResources } from "./register-resources.ts";
import { registerTools } from "./register-tools.ts";

/** How a server shows itself, and what it serves. */
export interface McpServerOptions {
  /** Which of the memory's tools. @default all that there is something for */
  tools?: MemoryToolSelection;
  /** Name that clients are told. @default "throughline" */
  name?: string;
  /** Version that clients are told. @default "1.0.0" */
  version?: string;
  /** What clients hand to their model once. @default `memoryGuidelines` */
  instructions?: string;
  /** Gets what the SDK would swallow. Without it failures of the memory are printed to stderr. */
  onError?: (error: MemoryError) => void;
}

/** A server of the SDK's, that can be told of changes. Tools and resources of your own can be registered on it. */
export type MemoryMcpServer = McpServer & {
  /** Hands on an event of the memory (`onEvent`): clients that subscribed hear of changed resources. */
  notify(event: MemoryEvent): void;
};

/**
 * A server for one identity, to be connected to any transport of the SDK: the memory's tools and resources. Reads nothing
 * and connects nothing. Throws `INVALID_ARGUMENT` where the identity names nobody, and `INVALID_ID`.
 */
export function createMcpServer(
  memory: Memory,
  identity: McpIdentity,
  options: McpServerOptions = {},
): MemoryMcpServer {
  return serverFor(reachOf(memory, identity), { ...options, catalog: toolCatalog(memory, options.tools) });
}

/**
 * For what the SDK says of a client's messages and connections. It may quote them, so it goes to the app's handler only,
 * as the cause, and is printed nowhere.
 */
export const tellOf =
  (onError: McpServerOptions["onError"]) =>
  (cause: unknown): void => {
    const why = "A client's message could not be taken, or its connection broke.";
    if (onError) createReport(onError)(new MemoryError("INVALID_ARGUMENT", why, { cause }));
  };

/** Subscriptions that one connection may hold, and the longest address of one. */
const MAX_SUBSCRIBED = 1_000;
const MAX_URI_CHARS = 8_192;

/** The same with its parts made already. On the newest revision the entry knows who subscribed, and filters. */
export function serverFor(
  reach: Reach,
  options: McpServerOptions & { catalog: ToolCatalog; isFiltered?: boolean },
): MemoryMcpServer {
  const { name = "throughline", version = "1.0.0", instructions = memoryGuidelines, catalog } = options;
  const report = createReport(options.onError);
  const capabilities = { tools: { listChanged: false }, resources: { subscribe: true, listChanged: true } };
  const server = new McpServer({ name, version }, { capabilities, instructions });
  server.server.onerror = tellOf(options.onError);
  registerTools(server, reach, catalog);
  registerResources(server, reach);
  const subscribed = new Set<string>();
  server.server.setRequestHandler("resources/subscribe", ({ params }) => {
    if (subscribed.size >= MAX_SUBSCRIBED || params.uri.length > MAX_URI_CHARS) {
      const why = "There are too many subscriptions, or the address is too long for one of the memory's resources.";
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, why);
    }
    subscribed.add(params.uri);
    return {};
  });
  server.server.setRequestHandler("resources/unsubscribe", ({ params }) => {
    subscribed.delete(params.uri);
    return {};
  });
  const who = { subject: reach.subject, conversation: reach.isNamed ? reach.conversation.id : undefined };
  const notify = (event: MemoryEvent): void => {
    const change = isAbout(event, who) ? changedResources(event) : null;
    if (change === null || !server.isConnected()) return;
    for (const uri of change.uris) {
      if (options.isFiltered || subscribed.has(uri)) server.server.sendResourceUpdated({ uri }).catch(report);
    }
    if (change.isListChanged) server.sendResourceListChanged();
  };
  return Object.assign(server, { notify });
}
