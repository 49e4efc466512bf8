import { type HandleRequestOptions, WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/server";
import type { MemoryMcpServer } from "./create-mcp-server.ts";
import { createEventLog } from "./event-log.ts";
import { rejection } from "./rejection.ts";
import { watchBody } from "./watch-body.ts";

/** Sessions, or streams of subscriptions, of one identity, unless said otherwise. */
export const MAX_PER_IDENTITY = 32;

/** How many sessions there may be, and how long one may be left alone. */
export interface SessionLimits {
  /** In all. A client that comes beyond it gets 503. @default 1000 */
  max?: number;
  /** Of one identity. Past it the one that was left alone longest ends. @default 32 */
  maxPerIdentity?: number;
  /** Without a request and without an open stream for so long, it ends. @default 1_800_000 */
  idleMs?: number;
}

interface Session {
  id: string;
  owner: string;
  server: MemoryMcpServer;
  transport: WebStandardStreamableHTTPServerTransport;
  lastUsed: number;
  /** Requests and streams under way. */
  open: number;
}

/**
 * Sessions of clients that speak a revision of 2025, which keeps a session on the server. A session is looked for among
 * those of the identity that asks, so that another's id is the same as one that never was.
 */
export class McpSessions {
  readonly #byOwner = new Map<string, Map<string, Session>>();
  readonly #limits: Required<SessionLimits>;
  readonly #now: () => number;
  #count = 0;

  constructor(limits: SessionLimits, now: () => number) {
    this.#limits = { max: 1_000, maxPerIdentity: MAX_PER_IDENTITY, idleMs: 1_800_000, ...limits };
    this.#now = now;
  }

  /** Answers one request of an identity. `connect` makes the server of a new session. */
  async handle(
    request: Request,
    owner: string,
    connect: () => MemoryMcpServer,
    options: HandleRequestOptions,
  ): Promise<Response> {
    this.#endIdle();
    const id = request.headers.get("mcp-session-id");
    if (id === null) return this.#begin(request, owner, connect, options);
    const session = this.#byOwner.get(owner)?.get(id);
    if (session === undefined) return rejection(404, "There is no such session; begin a new one.");
    return this.#use(session, request, options);
  }

  /** The servers of all sessions. */
  servers(): MemoryMcpServer[] {
    return this.#all().map(({ server }) => server);
  }

  /** Ends all sessions and their streams. */
  async close(): Promise<void> {
    await Promise.all(this.#all().map((session) => this.#end(session)));
  }

  async #begin(
    request: Request,
    owner: string,
    connect: () => MemoryMcpServer,
    options: HandleRequestOptions,
  ): Promise<Response> {
    if (this.#count >= this.#limits.max) {
      return rejection(503, "The server has as many sessions as it takes; try again later.", { "retry-after": "60" });
    }
    const server = connect();
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => crypto.randomUUID(),
      eventStore: createEventLog(),
      onsessioninitialized: (id) => {
        session = { id, owner, server, transport, lastUsed: this.#now(), open: 0 };
        this.#keep(session);
      },
      onsessionclosed: () => {
        if (session !== undefined) this.#forget(session);
      },
    });
    let session: Session | undefined;
    // However it ends, nobody can go on with it.
    server.server.onclose = () => {
      if (session !== undefined) this.#forget(session);
    };
    // Counted before anything is awaited: clients that come together don't pass the limit together.
    this.#count += 1;
    try {
      await server.connect(transport);
      const response = await transport.handleRequest(request, options);
      // It was no initialize request, or a bad one, and the transport has said so.
      if (session === undefined) await server.close();
      else return this.#watched(session, request, response);
      return response;
    } finally {
      if (session === undefined) this.#count -= 1;
    }
  }

  async #use(session: Session, request: Request, options: HandleRequestOptions): Promise<Response> {
    session.lastUsed = this.#now();
    session.open += 1;
    try {
      return this.#watched(session, request, await session.transport.handleRequest(request, options));
    } finally {
      session.open -= 1;
    }
  }

  #watched(session: Session, request: Request, response: Response): Response {
    session.open += 1;
    return watchBody(response, request.signal, () => {
      session.open -= 1;
      session.lastUsed = this.#now();
    });
  }

  #keep(session: Session): void {
    const own = this.#byOwner.get(session.owner) ?? new Map<string, Session>();
    this.#byOwner.set(session.owner, own);
    own.set(session.id, session);
    if (own.size <= this.#limits.maxPerIdentity) return;
    const [longest] = [...own.values()]
      .filter((other) => other !== session)
      .sort((a, b) => Number(a.open > 0) - Number(b.open > 0) || a.lastUsed - b.lastUsed);
    if (longest) void this.#end(longest);
  }

  #endIdle(): void {
    const before = this.#now() - this.#limits.idleMs;
    for (const session of this.#all()) if (session.open === 0 && session.lastUsed < before) void this.#end(session);
  }

  async #end(session: Session): Promise<void> {
    this.#forget(session);
    await session.server.close();
  }

  #forget(session: Session): void {
    const own = this.#byOwner.get(session.owner);
    if (!own?.delete(session.id)) return;
    this.#count -= 1;
    if (own.size === 0) this.#byOwner.delete(session.owner);
  }

  #all(): Session[] {
    return [...this.#byOwner.values()].flatMap((own) => [...own.values()]);
  }
}
