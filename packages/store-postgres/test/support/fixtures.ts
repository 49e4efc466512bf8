import type { ConversationOwner } from "@throughline/core";
import pg from "pg";
import { onTestFinished } from "vitest";
import { serverUrl } from "./server.ts";
import { startTestServer, type TestServer } from "./test-server.ts";

export { at, factOf, turnOf } from "./rows.ts";

export const AGENT = { tenant: "acme", agent: "helper" } as const;

export function chat(conversation: string): ConversationOwner {
  return { ...AGENT, conversation };
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
