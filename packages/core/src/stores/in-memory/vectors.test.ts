import { afterEach, expect, it, vi } from "vitest";
import { turnsOfOthers } from "../../../test/turns-of-others.ts";
import type { NearMessage, VectorQuery } from "../../contract/store-vectors.ts";
import { compareNear } from "../../search/compare-near.ts";
import { inMemoryStore } from "../in-memory-store.ts";

afterEach(() => vi.restoreAllMocks());

const OWNER = { tenant: "t", agent: "a" };
const MODEL = { modelId: "m", dimensions: 2 };
const AT = "2026-03-01T09:00:00.000Z";
const SCOPE = { kind: "subject", subject: "ann" } as const;

/** So many messages in conversations of 500, in seven directions: a great many are equally near. */
async function filled(messages: number) {
  const store = inMemoryStore();
  for (let first = 0; first < messages; first += 500) {
    const owner = { ...OWNER, conversation: `c${first}` };
    const some = Array.from({ length: Math.min(500, messages - first) }, (_, index) => `m${index}`);
    const said = some.map((id) => ({
      id,
      role: "user" as const,
      parts: [{ type: "text" as const, text: id }],
      createdAt: AT,
      origin: "user" as const,
    }));
    const turn = {
      id: "t",
      status: "completed",
      startedAt: AT,
      counted: some.length,
      tokens: 1,
      messages: said,
    } as const;
    await store.commitTurn(owner, { turn, subject: "ann", now: AT });
    const documents = some.map((message, position) => {
      const angle = ((position * 5 + first) % 7) / 4;
      const vector = Float32Array.of(Math.cos(angle), Math.sin(angle));
      return { turn: "t", seq: 1, position, message, role: "user" as const, createdAt: AT, vector };
    });
    await store.vectors?.put(owner, { model: MODEL, documents });
  }
  return (limit: number): Promise<NearMessage[]> => {
    const query: VectorQuery = { model: MODEL, vector: Float32Array.of(1, 0), floor: -1, limit };
    return store.vectors?.nearest(OWNER, SCOPE, query) ?? Promise.resolve([]);
  };
}

it("S2: of many vectors the nearest are found, equals in their order, however few are asked for", async () => {
  const nearest = await filled(2_300);
  const all = await nearest(2_300);
  expect(all).toHaveLength(2_300);
  expect(all).toEqual([...all].sort(compareNear));
  for (const limit of [0, 1, 10, 700, 2_299]) expect(await nearest(limit)).toEqual(all.slice(0, limit));
});

it("J7: everything else has its turn while a great many vectors are compared", async () => {
  const nearest = await filled(2_300);
  let now = 0;
  // Every look at the clock finds 5 ms gone.
  vi.spyOn(performance, "now").mockImplementation(() => {
    now += 5;
    return now;
  });
  const { result, turns } = await turnsOfOthers(() => nearest(3));
  expect(result).toHaveLength(3);
  expect(turns).toBeGreaterThanOrEqual(8);
});
