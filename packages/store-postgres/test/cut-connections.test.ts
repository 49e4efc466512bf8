import { createMemory, type MemoryEvent } from "@throughline/core";
import { migrate, postgresStore } from "@throughline/store-postgres";
import { describe, expect, it, onTestFinished } from "vitest";
import { AGENT, at, chat, factOf, temporarySchema, turnOf } from "./support/fixtures.ts";
import { codesOf, expectNothingLost, writeOn } from "./support/load.ts";
import { cutAfter, cutAt, startProxy } from "./support/proxy.ts";
import { serverUrl } from "./support/server.ts";

const url = serverUrl ?? "";
const CUTS = 80;

async function proxied() {
  const { schema } = await temporarySchema();
  await migrate({ connectionString: url, schema });
  const proxy = await startProxy(url);
  const store = postgresStore({ connectionString: proxy.url, schema, migrate: false });
  onTestFinished(async () => {
    await store.close();
    await proxy.stop();
  });
  return { schema, proxy, store };
}

describe.skipIf(serverUrl === null)("cut connections", () => {
  it("J5: cut at any byte, in either direction, a turn is whole or absent and an acknowledged one is there", {
    timeout: 120_000,
  }, async () => {
    const { proxy, store } = await proxied();
    // A connection's start takes about 500 bytes; some are cut in it, most in the middle of their work.
    proxy.cuts = () => cutAfter(Math.floor(Math.random() ** 2 * 30_000));
    const load = writeOn(store, "cut");
    while (proxy.count < CUTS || load.acknowledged.size < CUTS) await new Promise((resolve) => setTimeout(resolve, 5));
    await load.stop();
    proxy.cuts = undefined;
    expect(load.refused.size).toBeGreaterThan(CUTS / 4);
    expect(codesOf(load)).toEqual(["STORE_UNREACHABLE true"]);
    await expectNothingLost(store, load);
  });

  // The statement is sent by its name once it is prepared.
  const texts = { "of one statement": " commit\0", "of several": "COMMIT\0" };
  for (const [kind, text] of Object.entries(texts)) {
    for (const when of ["before", "after"] as const) {
      const what = when === "before" ? "never reached the server" : "was done and its answer lost";
      it(`J5: a write ${kind} whose commit ${what} is ${when === "before" ? "absent" : "there"}, and stored once by another try`, async () => {
        const { proxy, store } = await proxied();
        await store.commitTurn(chat("c"), turnOf("first"));
        const write = turnOf("second", text === texts["of several"] ? { hides: ["first"] } : {});
        proxy.cuts = () => cutAt(text, when);
        await expect(store.commitTurn(chat("c"), write)).rejects.toMatchObject({
          code: "STORE_UNREACHABLE",
          retryable: true,
        });
        expect(proxy.count).toBe(1);
        proxy.cuts = undefined;
        const ids = (await store.readTurns(chat("c"), { limit: 9, hidden: true })).map(({ id }) => id);
        expect(ids).toEqual(when === "before" ? ["first"] : ["first", "second"]);
        expect((await store.commitTurn(chat("c"), write)).status).toBe(when === "before" ? "stored" : "exists");
        expect(await store.readConversation(chat("c"))).toMatchObject({
          lastSeq: 2,
          turns: text === texts["of several"] ? 1 : 2,
        });
      });
    }
  }

  it("J5/E1: facts whose acknowledgement was lost are told to be there by the next try", async () => {
    const { proxy, store } = await proxied();
    await store.readConversation(chat("c"));
    const owner = { ...AGENT, scope: "user", id: "ann" } as const;
    const operation = { key: "call-1", result: "the id" };
    const commit = { expectedVersion: 0, now: at(1), put: [factOf("f", "Lisbon")], operation };
    proxy.cuts = () => cutAt(texts["of several"], "after");
    await expect(store.commitFacts(owner, commit)).rejects.toMatchObject({ code: "STORE_UNREACHABLE" });
    proxy.cuts = undefined;
    expect((await store.commitFacts(owner, commit)).status).not.toBe("conflict");
    const [set] = await store.readFacts([owner], { now: at(2), limit: 9 });
    expect([set?.version, set?.facts.map(({ value }) => value)]).toEqual([1, ["Lisbon"]]);
  });

  it("E1/J5: an agent whose connections keep breaking replies, keeps all that it is told it kept, and says the rest", {
    timeout: 60_000,
  }, async () => {
    const { schema, proxy } = await proxied();
    const events: MemoryEvent[] = [];
    const store = postgresStore({ connectionString: proxy.url, schema, migrate: false });
    const memory = createMemory({
      agent: "helper",
      store,
      env: {},
      forgetKey: "key",
      onEvent: (event) => void events.push(event),
    });
    const talk = memory.conversation({ id: "c", subject: "ann" });
    proxy.cuts = () => cutAfter(2_000 + Math.floor(Math.random() * 6_000));
    const kept: string[] = [];
    for (let index = 0; index < 30; index++) {
      const turn = await talk.begin({ id: `t${index}`, messages: [{ role: "user", content: `question ${index}` }] });
      expect(turn.messages.length).toBeGreaterThan(0);
      const outcome = await turn.complete([{ role: "assistant", content: `answer ${index}` }]);
      if (outcome.status === "failed") expect(outcome).toMatchObject({ code: "STORE_UNREACHABLE", retryable: true });
      else kept.push(`t${index}`);
    }
    expect(proxy.count).toBeGreaterThan(2);
    proxy.cuts = undefined;
    const { turns } = await talk.transcript();
    const stored = turns.map(({ id }) => id);
    expect(new Set(stored).size).toBe(stored.length);
    expect(kept.filter((id) => !stored.includes(id))).toEqual([]);
    const failures = events.filter(({ type }) => type === "memory.write_failed").length;
    expect(kept.length + failures).toBeGreaterThanOrEqual(30);
    await memory.close();
  });
});
