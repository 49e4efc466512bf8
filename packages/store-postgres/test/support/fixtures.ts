import type { ConversationOwner, Fact, TurnWrite } from "@throughline/core";
import pg from "pg";
import { onTestFinished } from "vitest";
import { serverUrl } from "./server.ts";
import { startTestServer, type TestServer } from "./test-server.ts";

export const AGENT = { tenant: "acme", agent: "helper" } as const;

export function chat(conversation: string): ConversationOwner {
  return { ...AGENT, conversation };
}

/** Minutes after a fixed moment. */
export function at(minute: number): string {
  return new Date(Date.UTC(2026, 0, 1) + minute * 60_000).toISOString();
}

export function turnOf(id: string, more: Partial<TurnWrite> = {}, text = `text of ${id}`): TurnWrite {
  return {
    turn: {
      id,
      status: "completed",
      startedAt: at(1),
      counted: 2,
      tokens: 10,
      messages: [
        { id: `${id}-q`, role: "user", parts: [{ type: "text", text }], createdAt: at(1), origin: "user" },
        { id: `${id}-a`, role: "assistant", parts: [{ type: "text", text: `answer to ${text}` }], createdAt: at(1) },
      ],
    },
    now: at(1),
    ...more,
  };
}

export function factOf(id: string, value: string): Fact {
  return {
    id,
    value,
    type: "fact",
    tags: [],
    scope: "user",
    author: "user",
    origin: "user",
    createdAt: at(1),
    updatedAt: at(1),
    validFrom: at(1),
    version: 1,
  };
}

let schemas = 0;

/** A schema that is gone after the test, and a superuser's connection to look at it with. */
export async function temporarySchema(): Promise<{ schema: string; admin: pg.Client }> {
  schemas += 1;
  const schema = `test_${process.pid}_${schemas}`;
  const admin = new pg.Client({ connectionString: serverUrl ?? "" });
  await admin.connect();
  onTestFinished(async () => {
    await admin.query(`DROP SCHEMA IF EXISTS "${schema}" CASCADE`);
    await admin.end();
  });
  return { schema, admin };
}

/** A server of the test's own, so that the run's goes on, with a superuser's connections to it. */
export async function ownServer(settings?: readonly string[]): Promise<{ server: TestServer; admin: pg.Pool }> {
  const server = await startTestServer(settings);
  if (server === null) throw new Error("Where the run has a server of its own, there are binaries for one more.");
  const admin = new pg.Pool({ connectionString: server.url, max: 1 });
  admin.on("error", () => undefined);
  onTestFinished(async () => {
    await admin.end();
    await server.stop();
  });
  return { server, admin };
}

/** The server's URL with another user, whose password is its name. */
export function urlAs(user: string): string {
  const url = new URL(serverUrl ?? "");
  url.username = user;
  url.password = user;
  return url.href;
}
