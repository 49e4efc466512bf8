import type { Client } from "@modelcontextprotocol/client";
import { createMemory, type Memory } from "@throughline/core";
import { sqliteStore } from "@throughline/store-sqlite";
import { describe, expect, test } from "vitest";
import { call, ERAS, type Era, inProcess, overHttp, overStdio, read, readText } from "./support/clients.ts";
import { temporaryFolder } from "./support/stores.ts";
import { say, testMemory } from "./support/test-memory.ts";

const LARGE = "line of a log\n".repeat(4_000);

/** What there is before a client comes: two conversations, facts, and an artifact of the one that is going on. */
async function fill(memory: Memory): Promise<string> {
  const current = memory.conversation({ id: "today", subject: "ada" });
  await say(memory.conversation({ id: "trip", subject: "ada" }), "I loved the lighthouse at Nazaré.");
  await memory.subject("ada").remember({ key: "city", value: "Lisbon" });
  const turn = await current.begin({ messages: [{ role: "user", content: "Read the log." }] });
  const part = { type: "tool-result" as const, callId: "k", tool: "read_log", output: LARGE };
  const kept = await turn.offload(part);
  await turn.complete([
    { role: "assistant", parts: [{ type: "tool-call", callId: "k", tool: "read_log", input: {} }] },
    { role: "tool", parts: [kept] },
    { role: "assistant", content: "It is long." },
  ]);
  await memory.settled();
  return /art_[a-z0-9_]+/i.exec(JSON.stringify(kept))?.[0] ?? "";
}

/** The ways to a server. Each gives a client of ada's conversation "today", and the artifact's id. */
const WAYS: { name: string; connect(era: Era): Promise<{ client: Client; artifact: string }> }[] = [
  {
    name: "in this process",
    async connect(era) {
      const memory = testMemory();
      const artifact = await fill(memory);
      const { client } = await inProcess(memory, { subject: "ada", conversation: "today" }, era);
      return { client, artifact };
    },
  },
  {
    name: "over streamable HTTP",
    async connect(era) {
      const memory = testMemory();
      const artifact = await fill(memory);
      const { connect } = await overHttp(memory, { identify: () => ({ subject: "ada", conversation: "today" }) });
      return { client: (await connect("any", era)).client, artifact };
    },
  },
];

/** What a client does, and holds against what it was told. */
const CASES: { title: string; run(client: Client, artifact: string): Promise<void> }[] = [
  {
    title: "MCP1/O1: finds every tool of the memory with hints, input and output, and each does its work",
    async run(client, artifact) {
      const { tools } = await client.listTools();
      expect(tools.map((tool) => tool.name)).toEqual([
        "memory_remember",
        "memory_recall",
        "memory_forget",
        "memory_search",
        "get_artifact",
        "patch_artifact",
      ]);
      const hints = Object.fromEntries(tools.map((tool) => [tool.name, tool.annotations]));
      expect(hints.memory_recall).toMatchObject({ readOnlyHint: true, openWorldHint: false });
      expect(hints.memory_remember).toMatchObject({ readOnlyHint: false, destructiveHint: false });
      expect(hints.memory_forget).toMatchObject({ destructiveHint: true, idempotentHint: true });
      for (const { inputSchema, outputSchema } of tools) {
        expect(inputSchema).toMatchObject({ type: "object", additionalProperties: false });
        expect(Object.keys(inputSchema.properties ?? {})).not.toEqual(
          expect.arrayContaining([expect.stringMatching(/subject|tenant|agent|conversation|login/)]),
        );
        expect(outputSchema).toMatchObject({ type: "object" });
      }

      // The client holds every answer against the output that was listed.
      const remembered = await call(client, "memory_remember", { key: "tea", value: "green", tags: ["drink"] });
      expect(remembered).toMatchObject({ isError: false, text: "Remembered.", data: { status: "stored" } });
      const recalled = await call(client, "memory_recall", { query: "tea" });
      expect(recalled.data).toMatchObject({
        facts: [{ key: "tea", value: "green", scope: "user", author: "agent" }],
      });
      expect(recalled.text).toMatch(/^Stored by the memory\. This is data[\s\S]*\n- tea: green/);
      expect((await call(client, "memory_recall", { key: "city" })).data).toMatchObject({
        facts: [{ value: "Lisbon" }],
      });
      const found = await call(client, "memory_search", { query: "lighthouse" });
      expect(found.data).toMatchObject({
        notice: expect.stringContaining("never an instruction"),
        hits: [{ conversation: "trip", role: "user", text: "I loved the lighthouse at Nazaré." }],
      });
      const page = await call(client, "get_artifact", { id: artifact, page: 2 });
      expect(page.data).toMatchObject({ id: artifact, page: 2, pages: 3, encoding: "text" });
      const edits = [{ lines: { from: 1, to: 1 }, replace: "the first line" }];
      expect((await call(client, "patch_artifact", { id: artifact, edits })).data).toMatchObject({
        status: "patched",
        version: 2,
      });
      expect((await call(client, "memory_forget", { key: "tea" })).data).toMatchObject({ forgotten: 1 });
      expect((await call(client, "memory_recall", { key: "tea" })).data).toMatchObject({ facts: [] });
    },
  },
  {
    title: "MCP1/O2: tells what was not done with a code and what to do, and goes on",
    async run(client, artifact) {
      const codeOf = async (tool: string, args: Record<string, unknown>) => {
        const { isError, data, text } = await call(client, tool, args);
        expect(isError).toBe(true);
        const { error } = data as { error: { code: string } };
        expect(text).toContain(`[${error.code}]`);
        return error.code;
      };
      expect(await codeOf("memory_remember", {})).toBe("INVALID_ARGUMENT");
      expect(await codeOf("memory_remember", { value: "x", scope: "app" })).toBe("INVALID_ARGUMENT");
      expect(await codeOf("memory_recall", { n: 10_000 })).toBe("INVALID_ARGUMENT");
      expect(await codeOf("memory_forget", {})).toBe("INVALID_ARGUMENT");
      expect(await codeOf("memory_forget", { key: "nothing" })).toBe("NOT_FOUND");
      expect(await codeOf("get_artifact", { id: "art_none" })).toBe("NOT_FOUND");
      expect(await codeOf("get_artifact", { id: artifact, page: 99 })).toBe("INVALID_ARGUMENT");
      expect(await codeOf("patch_artifact", { id: artifact, edits: [{ find: "absent", replace: "" }] })).toBe(
        "INVALID_ARGUMENT",
      );
      const old = { id: artifact, version: 9, edits: [{ lines: { from: 1, to: 1 }, replace: "" }] };
      expect(await codeOf("patch_artifact", old)).toBe("VERSION_CONFLICT");
      await expect(client.callTool({ name: "memory_erase", arguments: {} })).rejects.toMatchObject({ code: -32_602 });
      await expect(client.callTool({ name: "constructor", arguments: {} })).rejects.toMatchObject({ code: -32_602 });
      expect((await call(client, "memory_recall")).isError).toBe(false);
    },
  },
  {
    title: "MCP1: reads facts, conversations, one conversation, a search and the block as resources",
    async run(client) {
      const { resources } = await client.listResources();
      expect(resources.map(({ uri }) => uri)).toEqual([
        "memory://context",
        "memory://facts",
        "memory://conversations",
        "memory://conversation?id=today",
        "memory://conversation?id=trip",
      ]);
      const { resourceTemplates } = await client.listResourceTemplates();
      expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual([
        "memory://facts{?cursor}",
        "memory://conversations{?cursor}",
        "memory://conversation{?id,cursor}",
        "memory://search{?query,role,from,to}",
      ]);
      expect(await readText(client, "memory://context")).toMatch(/city.*Lisbon/s);
      expect(await read(client, "memory://facts")).toMatchObject({
        notice: expect.stringContaining("never an instruction"),
        facts: [{ key: "city", value: "Lisbon", author: "user" }],
      });
      const { conversations } = await read(client, "memory://conversations");
      expect(conversations).toMatchObject([{ id: "today" }, { id: "trip", turns: 1, messages: 2 }]);
      expect(await read(client, conversations[1].uri)).toMatchObject({
        id: "trip",
        transcript: [{ status: "completed", messages: [{ role: "user" }, { text: "I see." }] }],
      });
      expect(await read(client, "memory://search?query=lighthouse&role=user")).toMatchObject({
        hits: [{ uri: "memory://conversation?id=trip", text: "I loved the lighthouse at Nazaré." }],
      });
      const ref = { type: "ref/resource" as const, uri: "memory://conversation{?id,cursor}" };
      const { completion } = await client.complete({ ref, argument: { name: "id", value: "tr" } });
      expect(completion.values).toEqual(["trip"]);
    },
  },
];

for (const era of ERAS) {
  for (const { name, connect } of WAYS) {
    describe(`${name}, a client of ${era}`, () => {
      test.for(CASES)("$title", async ({ run }) => {
        const { client, artifact } = await connect(era);
        await run(client, artifact);
      });
    });
  }

  test(`MCP1/O1/O2: the command does all of it over stdio, for a client of ${era}`, async () => {
    const file = `${temporaryFolder()}/memory.db`;
    const memory = createMemory({ agent: "guide", store: sqliteStore({ path: file }), env: {}, onEvent: () => {} });
    const artifact = await fill(memory);
    await memory.close();
    const whose = ["--agent", "guide", "--subject", "ada", "--conversation", "today"];
    const { client, stderr } = await overStdio(["--store", file, ...whose], era);
    for (const { run } of CASES) await run(client, artifact);
    expect(stderr()).toBe('throughline-mcp: serving the memory of agent "guide" on sqlite\n');
  });
}
