import {
  type AuthInfo,
  isLegacyRequest,
  type McpHandlerRequestOptions,
  createMcpHandler as modernHandler,
  type ServerEvent,
} from "@modelcontextprotocol/server";
import { createReport, type Memory, MemoryError, type MemoryEvent } from "@throughline/core";
import { type AllowedNames, checkOrigin } from "./check-origin.ts";
import { changedResources, isAbout } from "./convert/changed-resources.ts";
import { toolCatalog } from "./convert/tool-catalog.ts";
import { type McpServerOptions, type MemoryMcpServer, serverFor, tellOf } from "./create-mcp-server.ts";
import { type McpIdentity, type Reach, reachOf } from "./identity.ts";
import { MAX_PER_IDENTITY, McpSessions, type SessionLimits } from "./mcp-sessions.ts";
import { rejection } from "./rejection.ts";

/**
 * Whose memory an authenticated request reaches. Another tenant or agent has a memory of its own: the same object in every
 * request, since sessions belong to it.
 */
export type RequestIdentity = McpIdentity & { memory?: Memory };

/** How to serve MCP over HTTP. */
export interface McpHandlerOptions extends McpServerOptions, AllowedNames {
  /**
   * Whose request it is. `null`: nobody's, and it is answered with 401. A response is sent as it is, so that the SDK's
   * `requireBearerAuth` fits. It must look at what was authenticated, never at what a client merely says of itself.
   */
  identify: (
    request: Request,
    authInfo: AuthInfo | undefined,
  ) => RequestIdentity | Response | null | Promise<RequestIdentity | Response | null>;
  /** Adds tools and resources of your own to each server. */
  extend?: (server: MemoryMcpServer, identity: RequestIdentity) => void;
  sessions?: SessionLimits;
  /** Streams of subscriptions that may be open at once; of one identity `sessions.maxPerIdentity`. @default 1000 */
  maxSubscriptions?: number;
  /** @default the system's */
  clock?: () => Date;
}

/** An MCP endpoint, to be mounted under any path. */
export interface McpHandler {
  /** Answers one request, as Bun, Deno, Workers and Hono want it; `toNodeHandler` of the SDK wraps it for Node. */
  fetch: (request: Request, options?: McpHandlerRequestOptions) => Promise<Response>;
  /** Hands on an event of a memory (`onEvent`): clients of that memory that subscribed hear of changed resources. */
  notify: (event: MemoryEvent, memory?: Memory) => void;
  /** Ends all sessions and streams. The memory stays open. */
  close: () => Promise<void>;
}

interface Subscription {
  owner: string;
  reach: Reach;
  listener: (event: ServerEvent) => void;
}

/**
 * Serves the memory over streamable HTTP to many identities: clients of the revision 2026-07-28 without sessions, those of
 * 2025 with them. Each request is identified anew, and reaches sessions and streams of its own identity only. Starts
 * nothing and keeps no timer. Throws `INVALID_ARGUMENT` for tools that aren't there.
 */
export function createMcpHandler(memory: Memory, options: McpHandlerOptions): McpHandler {
  const { identify, extend, maxSubscriptions = 1_000, clock = () => new Date() } = options;
  const maxOwn = options.sessions?.maxPerIdentity ?? MAX_PER_IDENTITY;
  const catalog = toolCatalog(memory, options.tools);
  const report = createReport(options.onError);
  const sessions = new McpSessions(options.sessions ?? {}, () => clock().getTime());
  const reaches = new WeakMap<MemoryMcpServer, Reach>();
  const subscriptions = new Set<Subscription>();
  const modern = new Set<ReturnType<typeof modernHandler>>();
  const memories = new WeakMap<Memory, number>();
  let memoryCount = 0;
  let isClosed = false;

  /** Tells identities apart, whatever their ids are made of. */
  const ownerOf = (of: Memory, { subject, conversation, login }: McpIdentity): string => {
    const number = memories.get(of) ?? memoryCount++;
    memories.set(of, number);
    return JSON.stringify([number, subject ?? null, conversation ?? null, login ?? null]);
  };

  const serverOf = (reach: Reach, identity: RequestIdentity, isFiltered: boolean): MemoryMcpServer => {
    const server = serverFor(reach, { ...options, catalog, isFiltered });
    extend?.(server, identity);
    reaches.set(server, reach);
    return server;
  };

  /** One request of the revision without sessions. What it subscribes to outlives it. */
  async function serveModern(
    request: Request,
    reach: Reach,
    identity: RequestIdentity,
    given: McpHandlerRequestOptions,
  ): Promise<Response> {
    let isHeld = false;
    const owner = ownerOf(reach.memory, identity);
    const own = [...subscriptions].filter((one) => one.owner === owner).length;
    const handler = modernHandler(() => serverOf(reach, identity, true), {
      legacy: "reject",
      onerror: tellOf(options.onError),
      maxSubscriptions: Math.max(0, Math.min(maxSubscriptions - subscriptions.size, maxOwn - own)),
      bus: {
        publish: () => {},
        subscribe: (listener) => {
          const subscription = { owner, reach, listener };
          subscriptions.add(subscription);
          isHeld = true;
          return () => {
            subscriptions.delete(subscription);
            modern.delete(handler);
          };
        },
      },
    });
    modern.add(handler);
    try {
      return await handler.fetch(request, given);
    } finally {
      if (!isHeld) modern.delete(handler);
    }
  }

  async function whoseIs(request: Request, authInfo: AuthInfo | undefined) {
    try {
      return await identify(request, authInfo);
    } catch (cause) {
      if (MemoryError.isInstance(cause)) throw cause;
      const why = "identify threw instead of telling whose request it is; let it give null for nobody's.";
      throw new MemoryError("INVALID_ARGUMENT", why, { cause });
    }
  }

  async function answer(request: Request, given: McpHandlerRequestOptions): Promise<Response> {
    if (isClosed) return rejection(503, "The server is shutting down.");
    const refused = checkOrigin(request, options);
    if (refused) return refused;
    const identity = await whoseIs(request, given.authInfo);
    if (identity instanceof Response) return identity;
    if (!identity) return rejection(401, "Who you are isn't known.", { "www-authenticate": "Bearer" });
    const of = identity.memory ?? memory;
    const reach = reachOf(of, identity);
    if (!(await isLegacyRequest(request, given.parsedBody))) return serveModern(request, reach, identity, given);
    const owner = ownerOf(of, identity);
    return sessions.handle(request, owner, () => serverOf(reach, identity, false), given);
  }

  return {
    async fetch(request, given = {}) {
      try {
        return await answer(request, given);
      } catch (error) {
        // The app's `identify` threw, or named nobody; what it says is for the app alone.
        report(error);
        return rejection(500, "The server could not tell whose request this is, or failed at it.");
      }
    },
    notify(event, of = memory) {
      for (const server of sessions.servers()) if (reaches.get(server)?.memory === of) server.notify(event);
      const change = changedResources(event);
      if (change === null) return;
      for (const { reach, listener } of subscriptions) {
        const conversation = reach.isNamed ? reach.conversation.id : undefined;
        if (reach.memory !== of || !isAbout(event, { subject: reach.subject, conversation })) continue;
        for (const uri of change.uris) listener({ kind: "resource_updated", uri });
        if (change.isListChanged) listener({ kind: "resources_list_changed" });
      }
    },
    async close() {
      isClosed = true;
      await Promise.all([sessions.close(), ...[...modern].map((handler) => handler.close())]);
    },
  };
}
