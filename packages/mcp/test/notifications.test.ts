import type { Client } from "@modelcontextprotocol/client";
import { describe, expect, test, vi } from "vitest";
import { changedResources, isAbout } from "../src/convert/changed-resources.ts";
import { createEventLog } from "../src/event-log.ts";
import { bearerTokens, type McpHandler } from "../src/index.ts";
import { call, ERAS, type Era, inProcess, overHttp } from "./support/clients.ts";
import { say, testMemory } from "./support/test-memory.ts";

const TOKENS = [
  ["token-of-ada-0123456789", { subject: "ada" }],
  ["token-of-eve-0123456789", { subject: "eve" }],
] as const;

/** What a client hears. */
async function listen(client: Client, era: Era, uris: string[]): Promise<string[]> {
  const heard: string[] = [];
  client.setNotificationHandler("notifications/resources/updated", ({ params }) => void heard.push(params.uri));
  client.setNotificationHandler("notifications/resources/list_changed", () => void heard.push("list"));
  if (era === "2026-07-28") await client.listen({ resourceSubscriptions: uris, resourcesListChanged: true });
  else for (const uri of uris) await client.subscribeResource({ uri });
  return heard;
}

for (const era of ERAS) {
  describe(`a client of ${era}`, () => {
    test("MCP1: hears of what changed of its own over HTTP, and nothing of another's", async () => {
      let handler: McpHandler | undefined;
      const memory = testMemory(undefined, { onEvent: (event) => handler?.notify(event) });
      const served = await overHttp(memory, { identify: bearerTokens(TOKENS) });
      handler = served.handler;
      const uris = ["memory://facts", "memory://conversations", "memory://conversation?id=chat"];
      const ada = await served.connect(TOKENS[0][0], era);
      const eve = await served.connect(TOKENS[1][0], era);
      const [heard, other] = [await listen(ada.client, era, uris), await listen(eve.client, era, uris)];
      await call(ada.client, "memory_remember", { key: "tea", value: "green" });
      await vi.waitFor(() => expect(heard).toContain("memory://facts"), { timeout: 10_000 });
      await say(memory.conversation({ id: "chat", subject: "ada" }), "Hello.");
      await vi.waitFor(() => expect(heard).toEqual(expect.arrayContaining([...uris, "list"])), { timeout: 10_000 });
      heard.length = 0;
      await memory.conversation({ id: "chat", subject: "ada" }).update({ title: "A lighthouse" });
      await vi.waitFor(() => expect(heard).toEqual(expect.arrayContaining([uris[2], "list"])), { timeout: 10_000 });
      // What follows on the same stream shows that nothing was on its way.
      await call(eve.client, "memory_remember", { key: "tea", value: "black" });
      await vi.waitFor(() => expect(other).toEqual(["memory://facts"]), { timeout: 10_000 });
    });

    test("MCP1: hears of it over one connection", async () => {
      const connections: Awaited<ReturnType<typeof inProcess>>[] = [];
      const memory = testMemory(undefined, { onEvent: (event) => connections[0]?.notify(event) });
      const connection = await inProcess(memory, { subject: "ada" }, era);
      connections.push(connection);
      const heard = await listen(connection.client, era, ["memory://facts"]);
      await memory.subject("eve").remember({ value: "hers" });
      await call(connection.client, "memory_remember", { value: "mine" });
      await vi.waitFor(() => expect(heard).toEqual(["memory://facts"]), { timeout: 10_000 });
    });
  });
}

test("MCP1: there are so many streams of one identity, and so many in all, and one that ends makes room", async () => {
  const limits = { sessions: { maxPerIdentity: 2 }, maxSubscriptions: 3 };
  const served = await overHttp(testMemory(), { identify: bearerTokens(TOKENS), ...limits });
  const [ada, eve] = await Promise.all(
    TOKENS.map(async ([token]) => (await served.connect(token, "2026-07-28")).client),
  );
  const facts = { resourceSubscriptions: ["memory://facts"] };
  const full = { code: -32_603 };
  const first = await ada?.listen(facts);
  await ada?.listen(facts);
  await expect(ada?.listen(facts)).rejects.toMatchObject(full);
  await eve?.listen(facts);
  await expect(eve?.listen(facts)).rejects.toMatchObject(full);
  await first?.close();
  await vi.waitFor(async () => expect(await eve?.listen(facts)).toMatchObject({ honoredFilter: facts }), {
    timeout: 10_000,
  });
});

test("MCP1: a connection takes no subscription without end", async () => {
  const { client } = await inProcess(testMemory(), { subject: "ada" }, "2025-11-25");
  const refused = client.subscribeResource({ uri: `memory://conversation?id=${"a".repeat(10_000)}` });
  await expect(refused).rejects.toMatchObject({ code: -32_602 });
  await client.subscribeResource({ uri: "memory://facts" });
  await client.unsubscribeResource({ uri: "memory://facts" });
});

test("MCP1: an event changes the resources that it is about", () => {
  const at = "2026-01-01T00:00:00Z";
  const recorded = { type: "memory.recorded", at, turn: "t", status: "stored", messages: 2 } as const;
  expect(changedResources({ ...recorded, conversation: "a b" })).toEqual({
    uris: ["memory://conversations", "memory://context", "memory://conversation?id=a%20b"],
    isListChanged: true,
  });
  expect(changedResources({ ...recorded, status: "unchanged" })).toBeNull();
  expect(changedResources({ type: "memory.forgotten", at, facts: 0 })).toBeNull();
  expect(changedResources({ type: "memory.changed", at, operation: "put_record", items: 1 })).toBeNull();
  expect(changedResources({ type: "memory.changed", at, operation: "undo", items: 1 })?.uris).toContain(
    "memory://facts",
  );
  expect(changedResources({ type: "memory.searched", at, hits: 3 })).toBeNull();
  expect(changedResources({ type: "memory.erased", at, removed: {}, residue: 0 })?.isListChanged).toBe(true);
  const who = { subject: "ada", conversation: undefined };
  expect(isAbout({ ...recorded, subject: "ada" }, who)).toBe(true);
  expect(isAbout({ ...recorded, subject: "Ada" }, who)).toBe(false);
  expect(isAbout({ ...recorded, conversation: "chat" }, who)).toBe(false);
  expect(isAbout({ type: "memory.changed", at, operation: "undo", items: 1 }, who)).toBe(true);
  const kiosk = { subject: undefined, conversation: "kiosk" };
  expect(isAbout({ ...recorded, subject: "ada", conversation: "kiosk" }, kiosk)).toBe(true);
  expect(isAbout({ ...recorded, subject: "ada", conversation: "other" }, kiosk)).toBe(false);
  expect(isAbout({ ...recorded, subject: "ada" }, kiosk)).toBe(false);
  expect(isAbout({ ...recorded, subject: "eve", conversation: "kiosk" }, { ...kiosk, subject: "ada" })).toBe(false);
});

test("MCP1: a log gives again what came after, of one stream, as far as it is kept", async () => {
  const log = createEventLog();
  const message = (id: number, text = "") => ({ jsonrpc: "2.0" as const, id, result: { text } });
  const ids: string[] = [];
  for (let n = 0; n < 6; n++) ids.push(await log.storeEvent(n % 2 === 0 ? "even" : "odd", message(n)));
  const seen: unknown[] = [];
  const send = async (_id: string, { ...sent }: object) => void seen.push((sent as { id: number }).id);
  expect(await log.replayEventsAfter(ids[0] ?? "", { send })).toBe("even");
  expect(seen).toEqual([2, 4]);
  expect(await log.getStreamIdForEventId?.("99")).toBeUndefined();
  for (let n = 0; n < 400; n++) await log.storeEvent("odd", message(n, "x".repeat(1_000)));
  expect(await log.getStreamIdForEventId?.(ids[0] ?? "")).toBeUndefined();
});
