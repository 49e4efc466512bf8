import { createMemory, type Memory } from "@throughline/core";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { conversationUri } from "../src/convert/resource-uris.ts";
import { bearerTokens, type RequestIdentity } from "../src/index.ts";
import { call, ERAS, inProcess, overHttp, read, readText } from "./support/clients.ts";
import { testStores } from "./support/stores.ts";
import { say, testMemory } from "./support/test-memory.ts";

/** Ids that are easily taken for one another: case, prefixes, separators, encodings, letters that look alike. */
const COLLIDING = [
  "ada",
  "Ada",
  "ada ",
  "ada1",
  "аda",
  "ada/today",
  "ada:today",
  "ada%2Ftoday",
  "ada?id=today",
  "..",
  "../ada",
  'ada"],["eve',
  "a\u0301da",
  "\u00e1da",
  "ada\u200b",
  "%",
];

const secretOf = (index: number) => `secret number ${index} of the lot`;
const tokenOf = (index: number) => `token-of-person-${index}-0123456789`;
const identify = bearerTokens(COLLIDING.map((subject, index) => [tokenOf(index), { subject }] as const));

/** Each person has a conversation that is called like them, a fact and a message, which nobody else may see. */
async function fill(memory: Memory): Promise<void> {
  for (const [index, subject] of COLLIDING.entries()) {
    await memory.subject(subject).remember({ key: "secret", value: secretOf(index) });
    await say(memory.conversation({ id: `chat of ${subject}`, subject }), `My secret is ${secretOf(index)}.`);
    await say(memory.conversation({ id: subject, subject }), `Once more: ${secretOf(index)}.`);
  }
  await memory.settled();
}

/** Every secret but one's own that stands in a text. */
const leaks = (text: string, own: number) =>
  COLLIDING.map((_, index) => index).filter((index) => index !== own && text.includes(`${secretOf(index)}`));

for (const store of testStores()) {
  describe(`on ${store.name}`, () => {
    test("MCP1/G10: of people whose ids collide nothing crosses, by any tool, resource, list or address", async () => {
      const memory = testMemory(store.open());
      await fill(memory);
      const { connect } = await overHttp(memory, { identify });
      for (const [index, subject] of COLLIDING.entries()) {
        const era = ERAS[index % 2] ?? "2026-07-28";
        const { client } = await connect(tokenOf(index), era);
        const told: string[] = [];
        for (const uri of [
          "memory://context",
          "memory://facts",
          "memory://conversations",
          "memory://search?query=secret",
        ])
          told.push(await readText(client, uri));
        const recalled = await call(client, "memory_recall", { key: "secret" });
        const searched = await call(client, "memory_search", { query: "secret number", k: 20 });
        told.push(
          recalled.text,
          searched.text,
          JSON.stringify([searched.data, (await client.listResources()).resources]),
        );
        expect(recalled.text).toContain(secretOf(index));
        expect(searched.text).toContain(secretOf(index));
        expect((await read(client, conversationUri(subject))).transcript).toHaveLength(1);
        const other = COLLIDING[(index + 1) % COLLIDING.length] ?? "";
        for (const id of [other, `chat of ${other}`]) {
          const refused = client.readResource({ uri: conversationUri(id) });
          await expect(refused).rejects.toMatchObject({ code: -32_602, data: { uri: conversationUri(id) } });
        }
        expect(leaks(told.join("\n"), index)).toEqual([]);
      }
    });

    test("MCP1/O3: what one person remembers or forgets changes nothing of another's", async () => {
      const memory = testMemory(store.open());
      await fill(memory);
      const { connect } = await overHttp(memory, { identify });
      const { client: ada } = await connect(tokenOf(0), "2026-07-28");
      const { client: other } = await connect(tokenOf(1), "2025-11-25");
      await call(ada, "memory_remember", { key: "secret", value: "mine is another now" });
      expect((await call(other, "memory_recall", { key: "secret" })).text).toContain(secretOf(1));
      const { facts } = await memory
        .subject("Ada")
        .facts()
        .then((list) => ({ facts: list }));
      const id = facts[0]?.id ?? "";
      expect(await call(ada, "memory_forget", { id })).toMatchObject({ isError: true, data: { forgotten: 0 } });
      await call(ada, "memory_forget", { key: "secret" });
      expect((await call(other, "memory_recall", { key: "secret" })).text).toContain(secretOf(1));
    });

    test("MCP1: tenants and agents are as far apart as memories are", async () => {
      const opened = store.open();
      const options = { store: opened, env: {}, onEvent: () => {} };
      const blue = testMemory(opened, { tenant: "blue" });
      const red = createMemory({ ...options, agent: "guide", tenant: "red" });
      const clerk = createMemory({ ...options, agent: "clerk", tenant: "blue" });
      const people: [string, RequestIdentity][] = [
        ["blue-token-0123456789", { subject: "ada" }],
        ["red--token-0123456789", { subject: "ada", memory: red }],
        ["clerk-token-0123456789", { subject: "ada", memory: clerk }],
      ];
      const { connect } = await overHttp(blue, { identify: bearerTokens(people) });
      for (const [token] of people) {
        const { client } = await connect(token, "2025-11-25");
        expect((await call(client, "memory_recall")).data).toMatchObject({ facts: [] });
        await call(client, "memory_remember", { key: "who", value: token.slice(0, 4) });
      }
      const values = await Promise.all([blue, red, clerk].map((memory) => memory.subject("ada").facts()));
      expect(values.map((facts) => facts.map(({ value }) => value))).toEqual([["blue"], ["red-"], ["cler"]]);
    });
  });
}

test("MCP1/O3: no argument names another person: strangers are refused, and no value is taken for an id", async () => {
  const memory = testMemory();
  await fill(memory);
  const { client } = await inProcess(memory, { subject: "ada", conversation: "ada" }, "2026-07-28");
  const hostile = [
    "subject",
    "tenant",
    "agent",
    "conversation",
    "login",
    "userId",
    "_meta",
    "__proto__",
    "constructor",
  ];
  const { tools } = await client.listTools();
  for (const { name } of tools) {
    for (const member of hostile) {
      const args = JSON.parse(`{"value":"x","query":"secret","key":"secret","id":"x",${JSON.stringify(member)}:"Ada"}`);
      const { isError, data, text } = await call(client, name, args);
      expect([name, member, isError, (data as { error?: { code: string } }).error?.code]).toEqual([
        name,
        member,
        true,
        "INVALID_ARGUMENT",
      ]);
      expect(leaks(text, 0)).toEqual([]);
    }
  }
  // The protocol's own side channel says nothing either.
  const meta = { subject: "Ada", "throughline/subject": "Ada" };
  const told = await client.callTool({ name: "memory_recall", arguments: { key: "secret" }, _meta: meta });
  expect(JSON.stringify(told)).toContain(secretOf(0));
  expect(leaks(JSON.stringify(told), 0)).toEqual([]);
  for (const value of COLLIDING) {
    const { text } = await call(client, "memory_recall", { query: value });
    const { text: found } = await call(client, "memory_search", { query: value });
    expect(leaks(text + found, 0)).toEqual([]);
  }
});

test("MCP1: addresses that try to leave a resource reach nothing of another's", async () => {
  const memory = testMemory();
  await fill(memory);
  const anonymous = memory.conversation({ id: "nobody's" });
  await say(anonymous, "Nobody is bound to this.");
  const { client } = await inProcess(memory, { subject: "ada" }, "2026-07-28");
  const addresses = [
    "memory://conversation",
    "memory://conversation?id=",
    "memory://conversation/Ada",
    "memory://conversation/../conversation?id=Ada",
    "memory://conversation?id=ada&id=Ada",
    "memory://conversation?id=ada&subject=Ada",
    "memory://conversation?id=Ada#ada",
    "memory://conversation?id=%41da",
    "memory://conversation?id=ada%00",
    "memory://conversation?id=%ED%A0%80",
    `memory://conversation?id=${"a".repeat(600)}`,
    "memory://conversation?id=ada&cursor=nonsense",
    "memory://conversation?id=nobody%27s",
    "memory://conversations?cursor=nonsense",
    "memory://conversations?subject=Ada",
    "memory://facts?cursor=-1",
    "memory://facts?cursor=1e9",
    "memory://facts?subject=Ada",
    "memory://Ada@facts",
    "memory://facts/../facts?subject=Ada",
    "memory://search?query=secret&subject=Ada",
    "memory://search?query=secret&role=system",
    "memory://search?query=secret&from=yesterday",
    "memory://search?query=secret&conversation=Ada",
    "MEMORY://facts/Ada",
    "file:///etc/passwd",
    "not an address",
  ];
  for (const uri of addresses) {
    const refused = await client.readResource({ uri }).then(
      (result) => JSON.stringify(result),
      (error: { code: number }) => error.code,
    );
    expect([uri, refused]).toEqual([uri, -32_602]);
  }
  await expect(client.readResource({ uri: conversationUri("nobody's") })).rejects.toMatchObject({ code: -32_602 });
  const current = await inProcess(memory, { subject: "ada", conversation: "nobody's" }, "2026-07-28");
  expect((await read(current.client, conversationUri("nobody's"))).transcript).toHaveLength(1);
});

test("F13/MCP1: a conversation that is named and is another's is refused, whatever asks", async () => {
  const memory = testMemory();
  await fill(memory);
  await memory
    .conversation({ id: "Ada", subject: "Ada" })
    .remember({ key: "plan", value: "hers", scope: "conversation" });
  const { client } = await inProcess(memory, { subject: "ada", conversation: "Ada" }, "2025-11-25");
  for (const { name } of (await client.listTools()).tools) {
    const { isError, text, data } = await call(client, name, {});
    expect([name, isError, (data as { error: { code: string } }).error.code]).toEqual([
      name,
      true,
      "CONVERSATION_OWNER_MISMATCH",
    ]);
    expect(text).not.toContain("hers");
  }
  for (const uri of ["memory://context", "memory://facts", "memory://search?query=secret", conversationUri("Ada")])
    await expect(client.readResource({ uri })).rejects.toMatchObject({ code: -32_602 });
});

test("MCP1/F9: without a subject it is the conversation alone", async () => {
  const memory = testMemory();
  await fill(memory);
  await say(memory.conversation({ id: "kiosk" }), "Where is the exit?");
  const { client } = await inProcess(memory, { conversation: "kiosk" }, "2026-07-28");
  await call(client, "memory_remember", { key: "lost", value: "the exit" });
  expect(await read(client, "memory://facts")).toMatchObject({ facts: [{ key: "lost", scope: "conversation" }] });
  expect((await read(client, "memory://conversations")).conversations).toMatchObject([{ id: "kiosk" }]);
  expect((await read(client, conversationUri("kiosk"))).transcript).toHaveLength(1);
  await expect(client.readResource({ uri: conversationUri("ada") })).rejects.toMatchObject({ code: -32_602 });
  expect(leaks(await readText(client, "memory://search?query=secret"), -1)).toEqual([]);
});

test("MCP1/F11: a person is reached under a linked name, until it is another's", async () => {
  const memory = testMemory();
  await fill(memory);
  await memory.operator.link({ identity: "ada@example.com", subject: "ada" });
  const { client } = await inProcess(memory, { subject: "ada@example.com" }, "2026-07-28");
  expect((await call(client, "memory_recall", { key: "secret" })).text).toContain(secretOf(0));
  expect((await read(client, conversationUri("ada"))).transcript).toHaveLength(1);
  await memory.operator.unlink({ identity: "ada@example.com" });
  await memory.subject("ada").remember({ key: "later", value: "hers alone" });
  expect(await readText(client, "memory://facts")).not.toContain("hers alone");
  await expect(client.readResource({ uri: conversationUri("ada") })).rejects.toMatchObject({ code: -32_602 });
});

test("MCP1: without a conversation nothing is kept in one, and its tools aren't there", async () => {
  const memory = testMemory();
  const { client } = await inProcess(memory, { subject: "ada" }, "2026-07-28");
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).not.toContain("get_artifact");
  expect(JSON.stringify(tools[0]?.inputSchema)).not.toContain("conversation");
  const refused = await call(client, "memory_remember", { value: "x", scope: "conversation" });
  expect(refused.data).toMatchObject({ error: { code: "INVALID_ARGUMENT" } });
  await call(client, "memory_remember", { key: "tea", value: "green" });
  expect(await memory.subject("ada").facts()).toMatchObject([{ scope: "user" }]);
  expect((await memory.conversations()).items).toEqual([]);
});

test("MCP1: a conversation of any id is reached by its address", async () => {
  const memory = testMemory();
  const { client } = await inProcess(memory, { subject: "ada" }, "2026-07-28");
  const id = fc
    .string({ unit: "binary", minLength: 1, maxLength: 60 })
    .filter((text) => !text.includes("\0") && text.isWellFormed());
  await fc.assert(
    fc.asyncProperty(fc.oneof(id, fc.constantFrom(...COLLIDING, ".", "a+b", "a&cursor=1", "#", "\n")), async (name) => {
      await say(memory.conversation({ id: name, subject: "ada" }), "Hello.");
      expect((await read(client, conversationUri(name))).id).toBe(name);
    }),
    { numRuns: 60 },
  );
});
