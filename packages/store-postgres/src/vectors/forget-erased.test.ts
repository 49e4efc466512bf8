import { inMemoryStore, type MemoryStore } from "@throughline/core";
import { describe, expect, it } from "vitest";
import { forgetErased } from "./forget-erased.ts";

const AGENT = { tenant: "acme", agent: "helper" };
const CHAT = { ...AGENT, conversation: "c" };
const STILL = { seq: 1, messages: ["m"] };

function kept(change: (store: MemoryStore) => void = () => undefined) {
  const base = inMemoryStore();
  if (base.vectors === undefined) throw new Error("The store in memory searches vectors.");
  const inner = { ...base, vectors: { ...base.vectors } };
  change(inner);
  const forgotten: string[] = [];
  return { store: forgetErased(inner, (tenant) => forgotten.push(tenant)), forgotten };
}

/** Every call that can take a vector away. */
const erasing: readonly [string, (store: ReturnType<typeof kept>["store"]) => Promise<unknown>][] = [
  ["erasing a turn", (store) => store.changeTurns(CHAT, [{ turn: "t", action: "erase", ifStill: STILL }])],
  [
    "rewriting a turn",
    (store) => store.changeTurns(CHAT, [{ turn: "t", action: "rewrite", messages: [], counted: 0, tokens: 0 }]),
  ],
  [
    "erasing a conversation",
    (store) => store.erase(AGENT, { kind: "conversation", conversation: "c" }, { now: "2026-01-01T00:00:00.000Z" }),
  ],
  ["dropping vectors", (store) => store.vectors.drop(CHAT, { turns: ["t"] })],
];

describe("vectors in memory", () => {
  it.each(erasing)("A3/PR7: are forgotten by %s, also where the answer was lost", async (_name, erase) => {
    const { store, forgotten } = kept();
    await erase(store);
    expect(forgotten).toEqual(["acme"]);
    const fail = async (): Promise<never> => {
      throw new Error("lost");
    };
    const lost = kept((inner) => {
      Object.assign(inner, { changeTurns: fail, erase: fail });
      Object.assign(inner.vectors ?? {}, { drop: fail });
    });
    await expect(erase(lost.store)).rejects.toThrow("lost");
    expect(lost.forgotten).toEqual(["acme"]);
  });

  it("J8: stay where nothing is taken away", async () => {
    const { store, forgotten } = kept();
    await store.changeTurns(CHAT, [{ turn: "t", action: "hide" }]);
    await store.vectors.drop(CHAT, { turns: ["t"] }, { dryRun: true });
    await store.readTurns(CHAT, { limit: 1 });
    expect(forgotten).toEqual([]);
  });
});
