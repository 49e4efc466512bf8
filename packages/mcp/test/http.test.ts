import { expect, test } from "vitest";
import { bearerTokens, createMcpHandler, type McpHandlerOptions } from "../src/index.ts";
import { call, ERAS, overHttp } from "./support/clients.ts";
import { testMemory } from "./support/test-memory.ts";

const ADA = "token-of-ada-0123456789";
const EVE = "token-of-eve-0123456789";
const identify = bearerTokens([
  [ADA, { subject: "ada" }],
  [EVE, { subject: "eve" }],
]);

const INITIALIZE = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "raw", version: "1" } },
};
const CALL = { jsonrpc: "2.0", id: 2, method: "tools/call", params: { name: "memory_recall", arguments: {} } };

/** A request as a client sends it, with whatever is to be wrong about it. */
function request(body: unknown, { token = ADA, ...given }: { token?: string | null; [header: string]: unknown } = {}) {
  const { method = "POST", url = "http://localhost/mcp", ...headers } = given;
  return new Request(String(url), {
    method: String(method),
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      ...(headers as Record<string, string>),
    },
    ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
  });
}

/** A handler and its sessions, without a network between. */
function handlerOf(options: Partial<McpHandlerOptions> = {}) {
  const handler = createMcpHandler(testMemory(), { identify, ...options });
  const begin = async (token = ADA) => {
    const response = await handler.fetch(request(INITIALIZE, { token }));
    await response.text();
    return { status: response.status, id: response.headers.get("mcp-session-id") ?? "" };
  };
  const use = async (id: string, token = ADA, extra: Record<string, unknown> = {}) => {
    const response = await handler.fetch(request(CALL, { token, "mcp-session-id": id, ...extra }));
    await response.text();
    return response.status;
  };
  return { handler, begin, use };
}

test("MCP1: who isn't known gets 401 and a challenge, whatever is asked, and reaches no session", async () => {
  const { handler, begin } = handlerOf();
  const { id } = await begin();
  const strangers = [null, "", "nonsense", `${ADA}x`, ADA.slice(0, -1), ADA.toUpperCase()];
  for (const token of strangers) {
    for (const method of ["POST", "GET", "DELETE"]) {
      const body = method === "POST" ? CALL : undefined;
      const response = await handler.fetch(request(body, { token, method, "mcp-session-id": id }));
      expect([token, method, response.status]).toEqual([token, method, 401]);
      expect(response.headers.get("www-authenticate")).toBe("Bearer");
      expect(await response.text()).not.toContain(ADA);
    }
  }
  const basic = request(CALL, { token: null, authorization: `Basic ${ADA}` });
  expect((await handler.fetch(basic)).status).toBe(401);
});

test("MCP1: a session's id is of no use to another identity, and looks like one that never was", async () => {
  const { handler, begin, use } = handlerOf();
  const { id } = await begin(ADA);
  expect(await use(id, ADA)).toBe(200);
  const texts: string[] = [];
  for (const stolen of [id, crypto.randomUUID()]) {
    for (const method of ["POST", "GET", "DELETE"]) {
      const body = method === "POST" ? CALL : undefined;
      const response = await handler.fetch(request(body, { token: EVE, method, "mcp-session-id": stolen }));
      expect([method, response.status]).toEqual([method, 404]);
      texts.push(await response.text());
    }
  }
  expect(new Set(texts).size).toBe(1);
  expect(await use(id, ADA)).toBe(200);
});

test("MCP1: a client that ends its session with DELETE can't go on with it", async () => {
  const { handler, begin, use } = handlerOf();
  const { id } = await begin();
  expect((await handler.fetch(request(undefined, { method: "DELETE", "mcp-session-id": id }))).status).toBe(200);
  expect(await use(id)).toBe(404);
});

test("MCP1: a session that is left alone ends, one with an open stream doesn't", async () => {
  let now = 0;
  const { handler, begin, use } = handlerOf({ clock: () => new Date(now), sessions: { idleMs: 1_000 } });
  const left = await begin();
  const used = await begin();
  const streaming = await begin();
  const stream = await handler.fetch(request(undefined, { method: "GET", "mcp-session-id": streaming.id }));
  expect(stream.status).toBe(200);
  now = 900;
  expect(await use(used.id)).toBe(200);
  now = 1_500;
  expect(await use(left.id)).toBe(404);
  expect(await use(used.id)).toBe(200);
  now = 100_000;
  expect(await use(streaming.id)).toBe(200);
  await stream.body?.cancel();
  now = 200_000;
  expect(await use(streaming.id)).toBe(404);
});

test("MCP1: there are so many sessions of one identity, and so many in all", async () => {
  const { begin, use } = handlerOf({ sessions: { max: 3, maxPerIdentity: 2 } });
  const [first, second] = [await begin(), await begin()];
  expect(await use(first.id)).toBe(200);
  const third = await begin();
  expect([await use(first.id), await use(second.id), await use(third.id)].sort()).toEqual([200, 200, 404]);
  expect((await begin(EVE)).status).toBe(200);
  expect((await begin(EVE)).status).toBe(503);
  const { begin: many } = handlerOf({ sessions: { max: 3, maxPerIdentity: 9 } });
  const statuses = await Promise.all(Array.from({ length: 8 }, () => many().then(({ status }) => status)));
  expect(statuses.sort()).toEqual([200, 200, 200, 503, 503, 503, 503, 503]);
});

test("MCP1: what a request must not be is refused with its reason, and nothing is left of it", async () => {
  const { handler, begin, use } = handlerOf({ sessions: { max: 1 } });
  const statusOf = async (body: unknown, extra = {}) => (await handler.fetch(request(body, extra))).status;
  expect(await statusOf("{")).toBe(400);
  expect(await statusOf("[]")).toBe(400);
  expect(await statusOf(CALL)).toBe(400);
  expect(await statusOf("", {})).toBe(400);
  expect(await statusOf(INITIALIZE, { "content-type": "text/plain" })).toBe(415);
  expect(await statusOf(INITIALIZE, { accept: "text/html" })).toBe(406);
  expect(await statusOf(undefined, { method: "GET" })).toBe(400);
  expect(await statusOf(undefined, { method: "PUT" })).toBeGreaterThanOrEqual(400);
  expect(await statusOf(JSON.stringify({ ...INITIALIZE, pad: "x".repeat(5_000_000) }))).toBe(413);
  const { id } = await begin();
  expect(await use(id, ADA, { "mcp-protocol-version": "1999-01-01" })).toBe(400);
  expect(await use(id)).toBe(200);
});

test("MCP1: pages of other names and origins don't get in, whatever they send", async () => {
  const { handler } = handlerOf();
  const statusOf = async (extra: Record<string, unknown>) => {
    const response = await handler.fetch(request(INITIALIZE, extra));
    await response.body?.cancel();
    return response.status;
  };
  expect(await statusOf({ host: "127.0.0.1:8080", origin: "http://localhost:3000" })).toBe(200);
  for (const host of ["evil.example", "localhost.evil.example", "127.0.0.1.evil.example", "localhost@evil.example"])
    expect([host, await statusOf({ host })]).toEqual([host, 403]);
  for (const origin of ["http://evil.example", "null", "http://localhost.evil.example", "file://"])
    expect([origin, await statusOf({ origin })]).toEqual([origin, 403]);
  expect(await statusOf({ url: "http://evil.example/mcp" })).toBe(403);
  const named = handlerOf({ hosts: ["memory.example"], origins: ["app.example"] });
  const inside = { host: "memory.example", origin: "https://app.example" };
  expect((await named.handler.fetch(request(INITIALIZE, inside))).status).toBe(200);
  expect((await named.handler.fetch(request(INITIALIZE, { ...inside, origin: "https://memory.example" }))).status).toBe(
    403,
  );
  expect((await named.handler.fetch(request(INITIALIZE, { host: "localhost" }))).status).toBe(403);
});

test("MCP1/B1: an identity comes from what was authenticated, and one that names nobody serves nobody", async () => {
  const errors: string[] = [];
  const onError: McpHandlerOptions["onError"] = ({ code }) => errors.push(code);
  const statusOf = async (identity: McpHandlerOptions["identify"]) =>
    (await handlerOf({ identify: identity, onError }).handler.fetch(request(INITIALIZE))).status;
  expect(await statusOf(() => ({}))).toBe(500);
  expect(await statusOf(() => ({ subject: "" }))).toBe(500);
  expect(await statusOf(() => ({ subject: "a\0b" }))).toBe(500);
  expect(await statusOf(() => Promise.reject(new Error("the token service is down: secret")))).toBe(500);
  expect(errors).toEqual(["INVALID_ARGUMENT", "INVALID_ID", "INVALID_ID", "INVALID_ARGUMENT"]);
  expect(await statusOf(() => new Response("no", { status: 403 }))).toBe(403);
  const handler = createMcpHandler(testMemory(), {
    identify: (_request, auth) => (auth?.extra?.sub === "ada" ? { subject: "ada" } : null),
  });
  const authInfo = { token: "t", clientId: "c", scopes: [], extra: { sub: "ada" } };
  expect((await handler.fetch(request(INITIALIZE), { authInfo })).status).toBe(200);
  expect((await handler.fetch(request(INITIALIZE))).status).toBe(401);
});

test("MCP1: tokens are compared whole, and short ones are no tokens", async () => {
  expect(await identify(request(undefined, { method: "GET" }))).toEqual({ subject: "ada" });
  for (const token of ["short", "a token with spaces in it", ""])
    expect(() => bearerTokens([[token, { subject: "ada" }]])).toThrow(
      expect.objectContaining({ code: "INVALID_ARGUMENT" }),
    );
  const near = await Promise.all(
    Array.from({ length: 2_000 }, (_, n) => identify(request(undefined, { method: "GET", token: `${ADA}${n}` }))),
  );
  expect(new Set(near)).toEqual(new Set([null]));
});

for (const era of ERAS) {
  test(`MCP1: calls at once from many clients of ${era} each get their own answer`, async () => {
    const memory = testMemory();
    const { connect } = await overHttp(memory, { identify });
    const clients = await Promise.all([ADA, EVE, ADA, EVE].map((token) => connect(token, era)));
    const work = clients.flatMap(({ client }, index) =>
      Array.from({ length: 15 }, async (_, n) => {
        const key = `key-${index}-${n}`;
        await call(client, "memory_remember", { key, value: key });
        return (await call(client, "memory_recall", { key })).text.includes(`\n- ${key}: ${key}\n`);
      }),
    );
    expect(new Set(await Promise.all(work))).toEqual(new Set([true]));
    const counts = await Promise.all(["ada", "eve"].map(async (id) => (await memory.subject(id).facts()).length));
    expect(counts).toEqual([30, 30]);
  });

  test(`MCP1: a client of ${era} that is gone in the middle of a call leaves the server as it was`, async () => {
    const memory = testMemory();
    const { connect } = await overHttp(memory, { identify });
    const { client: first } = await connect(ADA, era);
    const gone = Array.from({ length: 10 }, async (_, n) => {
      const leaving = new AbortController();
      const args = { name: "memory_remember", arguments: { key: `k${n}`, value: "x".repeat(2_000) } };
      const answer = first.callTool(args, { signal: leaving.signal }).catch(() => "gone");
      if (n % 2 === 0) leaving.abort();
      return answer;
    });
    await Promise.all(gone);
    await first.close();
    const { client: second } = await connect(ADA, era);
    expect((await call(second, "memory_recall", { n: 50 })).isError).toBe(false);
    const facts = await memory.subject("ada").facts();
    // Each is whole or isn't there; those that were answered are.
    expect(facts.length).toBeGreaterThanOrEqual(5);
    expect(new Set(facts.map(({ value }) => value))).toEqual(new Set(["x".repeat(2_000)]));
  });
}

/** What comes over a stream, as far as it has come: ids of events with their methods. */
async function readEvents(stream: Response, until: string): Promise<{ id: string; method: string }[]> {
  let text = "";
  for await (const chunk of stream.body ?? []) {
    text += new TextDecoder().decode(chunk);
    if (text.includes(until)) break;
  }
  return text.split("\n\n").map((event) => ({
    id: /^id: (.+)$/m.exec(event)?.[1] ?? "",
    method: /"method":"([^"]+)"/.exec(event)?.[1] ?? "",
  }));
}

test("MCP1: a client that lost its stream is given what came meanwhile, once it names what it saw last", async () => {
  const { handler, begin } = handlerOf();
  const { id } = await begin();
  const facts = { uri: "memory://facts" };
  const subscribe = { jsonrpc: "2.0", id: 3, method: "resources/subscribe", params: facts };
  await (await handler.fetch(request(subscribe, { "mcp-session-id": id }))).text();
  const changed = () =>
    handler.notify({ type: "memory.forgotten", at: "2026-01-01T00:00:00Z", subject: "ada", facts: 1 });
  const open = (extra = {}) =>
    handler.fetch(
      request(undefined, { method: "GET", "mcp-session-id": id, "mcp-protocol-version": "2025-11-25", ...extra }),
    );
  const stream = await open();
  changed();
  const seen = (await readEvents(stream, "resources/updated")).filter(({ method }) => method !== "");
  expect(seen).toHaveLength(1);
  changed();
  changed();
  const again = await open({ "last-event-id": seen[0]?.id });
  const missed = (await readEvents(again, "resources/updated")).filter(({ method }) => method !== "");
  expect(missed[0]).toMatchObject({ method: "notifications/resources/updated" });
  expect(missed[0]?.id).not.toBe(seen[0]?.id);
  expect((await open({ "last-event-id": "99999" })).status).toBe(400);
});

test("MCP1: after its end the server answers nobody, and the memory is still open", async () => {
  const memory = testMemory();
  const handler = createMcpHandler(memory, { identify });
  const begun = await handler.fetch(request(INITIALIZE));
  await begun.text();
  const id = begun.headers.get("mcp-session-id") ?? "";
  const stream = await handler.fetch(request(undefined, { method: "GET", "mcp-session-id": id }));
  await handler.close();
  expect(await stream.text()).toBe("");
  expect((await handler.fetch(request(INITIALIZE))).status).toBe(503);
  expect(await memory.subject("ada").facts()).toEqual([]);
});
