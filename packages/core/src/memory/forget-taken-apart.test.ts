import { expect, it } from "vitest";
import { inMemoryStore } from "../stores/in-memory-store.ts";
import { forgetTakenApart } from "./forget-taken-apart.ts";
import { guardStore } from "./guard-store.ts";

const AGENT = { tenant: "default", agent: "helper" };
const CHAT = { ...AGENT, conversation: "c" };
const AT = "2026-03-01T09:00:00.000Z";

it("A3: whatever takes words away forgets what searches took apart, also where it fails; what reads or adds doesn't", async () => {
  const kept = new Map([["t", { said: "hash", documents: [] }]]);
  const factWords = new Map([["Ann has a boat", {}]]);
  const store = forgetTakenApart(guardStore(inMemoryStore(), 1_000), { takenApart: kept, factWords });
  const isKept = async (call: Promise<unknown>): Promise<boolean> => {
    await call.catch(() => undefined);
    const sizes = [kept.size, factWords.size];
    kept.set("t", { said: "hash", documents: [] });
    factWords.set("Ann has a boat", {});
    expect(sizes[0]).toBe(sizes[1]);
    return sizes[0] === 1;
  };
  expect(await isKept(store.changeTurns(CHAT, [{ turn: "t", action: "hide" }]))).toBe(false);
  expect(await isKept(store.erase(AGENT, { kind: "subject", subject: "ann" }, { now: AT }))).toBe(false);
  expect(await isKept(store.purgeExpired(AGENT, { now: AT, operationsBefore: AT, limit: 1 }))).toBe(false);
  const commit = { expectedVersion: 0, now: AT, put: [] };
  const owner = { ...AGENT, scope: "user", id: "ann" } as const;
  expect(await isKept(store.commitFacts(owner, { ...commit, erase: ["f"] }))).toBe(false);
  expect(await isKept(store.commitFacts(owner, { ...commit, tombstones: { add: ["hash"] } }))).toBe(false);
  expect(await isKept(store.commitFacts(owner, commit))).toBe(true);
  expect(await isKept(store.readTurns(CHAT, { limit: 1 }))).toBe(true);
  expect(await isKept(store.reopenWork(AGENT))).toBe(true);
  await store.close();
  expect(await isKept(store.changeTurns(CHAT, []))).toBe(false);
});
