import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { PostgresClient, PostgresQuery, PostgresRow } from "@throughline/store-postgres";
import pg from "pg";

/** A server that runs SQL for requests over HTTP, as those before serverless databases do. */
export interface HttpServer {
  url: string;
  stop(): Promise<void>;
}

interface Request {
  sql: string;
  parameters: unknown[];
}

/** One request per statement. `POST /` runs one; `POST /begin` answers a session, in which `POST /<session>` runs one. */
export async function startHttpServer(connectionString: string): Promise<HttpServer> {
  const pool = new pg.Pool({ connectionString, max: 10 });
  const sessions = new Map<string, pg.PoolClient>();
  let count = 0;
  const answer = async (path: string, { sql, parameters }: Request): Promise<unknown> => {
    const values = parameters.map(decode);
    if (path === "/begin") {
      const connection = await pool.connect();
      const session = `s${++count}`;
      sessions.set(session, connection);
      await connection.query("BEGIN ISOLATION LEVEL READ COMMITTED");
      return { session };
    }
    const session = path.slice(1);
    const connection = sessions.get(session);
    if (session !== "" && connection === undefined) throw new Error("There is no such session.");
    const { rows } = await (connection ?? pool).query(sql, values);
    if (connection !== undefined && /^(COMMIT|ROLLBACK)$/.test(sql)) {
      sessions.delete(session);
      connection.release();
    }
    return {
      rows: rows.map((row) => Object.fromEntries(Object.entries(row).map(([name, value]) => [name, encode(value)]))),
    };
  };
  const server = createServer((request, response) => {
    void respond(request, response, answer);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await pool.end();
    },
  };
}

async function respond(
  request: IncomingMessage,
  response: ServerResponse,
  answer: (path: string, body: Request) => Promise<unknown>,
): Promise<void> {
  let text = "";
  for await (const chunk of request) text += chunk;
  try {
    response.end(JSON.stringify(await answer(request.url ?? "/", JSON.parse(text))));
  } catch (error) {
    const { code, message } =
      error instanceof Error ? (error as Error & { code?: unknown }) : { code: undefined, message: "" };
    response.writeHead(400).end(JSON.stringify({ code, message }));
  }
}

/** A client of two methods on such a server, with how many requests it made since it was asked last. */
export function httpClient(url: string): { client: PostgresClient; requests: () => number } {
  let count = 0;
  const post = async (path: string, sql: string, parameters: readonly unknown[]) => {
    count += 1;
    const body = JSON.stringify({ sql, parameters: parameters.map(encode) });
    const response = await fetch(`${url}/${path}`, { method: "POST", body });
    const answer: { rows?: PostgresRow[]; session?: string; code?: string; message?: string } = JSON.parse(
      await response.text(),
    );
    if (!response.ok) throw Object.assign(new Error(answer.message), { code: answer.code });
    return answer;
  };
  const queryIn =
    (session: string): PostgresQuery =>
    async (sql, parameters) => {
      const { rows = [] } = await post(session, sql, parameters);
      return rows.map((row) => Object.fromEntries(Object.entries(row).map(([name, value]) => [name, decode(value)])));
    };
  const client: PostgresClient = {
    query: queryIn(""),
    transaction: async (work) => {
      const { session = "" } = await post("begin", "", []);
      const query = queryIn(session);
      try {
        const result = await work(query);
        await query("COMMIT", []);
        return result;
      } catch (error) {
        await query("ROLLBACK", []).catch(() => undefined);
        throw error;
      }
    },
  };
  const requests = () => {
    const made = count;
    count = 0;
    return made;
  };
  return { client, requests };
}

/** Bytes travel as text. */
function encode(value: unknown): unknown {
  if (value instanceof Uint8Array) return { bytes: Buffer.from(value).toString("base64") };
  return Array.isArray(value) ? value.map(encode) : value;
}

function decode(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(decode);
  if (typeof value !== "object" || value === null || !("bytes" in value)) return value;
  return Buffer.from(String(value.bytes), "base64");
}
