import { expect } from "vitest";
import { AGENT, at, CHAT, chat, codeOf, HOSTILE_IDS, record, turnOf } from "../fixtures.ts";
import type { StoreSuite } from "../store-suite.ts";
import {
  ANN,
  axis,
  cosine,
  degrees,
  directions,
  EVERYBODY,
  find,
  findAll,
  MODEL,
  near,
  questionOf,
  say,
  scopeOf,
  vectorsOf,
} from "./vector-fixtures.ts";

/** Vectors: the nearest of a scope, exactly, and nothing of another. */
export const vectorSearchSuite: StoreSuite = {
  name: "vector search",
  applies: ({ capabilities }) => capabilities.vectorSearch,
  cases: [
    {
      rules: ["J1", "S1"],
      title: "the nearest are those of an exact reference, best first, with their cosines and places",
      async run({ store }) {
        const vectors = directions(120);
        await say(store, CHAT, vectors, { subject: "ann" });
        for (const query of directions(12, MODEL.dimensions, 7)) {
          const expected = vectors
            .map((vector, index) => ({ turn: `t${index + 1}`, score: cosine(vector, query) }))
            .sort((a, b) => b.score - a.score)
            .slice(0, 20);
          const found = await near(store, ANN, { vector: query, limit: 20 });
          expect(found.map(({ turn }) => turn)).toEqual(expected.map(({ turn }) => turn));
          for (const [index, { score }] of found.entries()) expect(score).toBeCloseTo(expected[index]?.score ?? 9, 5);
        }
        const [first] = await near(store, ANN, { vector: vectors[4] ?? axis(0), limit: 1 });
        const { score, ...place } = first ?? expect.fail("Nothing was found.");
        expect(score).toBeCloseTo(1, 5);
        expect(place).toEqual({
          conversation: CHAT.conversation,
          turn: "t5",
          seq: 5,
          position: 0,
          message: "t5-q",
          role: "user",
          subject: "ann",
          createdAt: at(5),
        });
      },
    },
    {
      rules: ["J1", "J14"],
      title: "limit and floor cut, and ties come newest first, then by place",
      async run({ store }) {
        await say(store, chat("b"), [0, 30, 60, 90, 120, 180].map(degrees));
        expect(await find(store, EVERYBODY, { limit: 3 })).toEqual(["b/t1", "b/t2", "b/t3"]);
        expect(await find(store, EVERYBODY, { limit: 0 })).toEqual([]);
        expect(await find(store, EVERYBODY, { floor: 0.49 })).toEqual(["b/t1", "b/t2", "b/t3"]);
        expect(await find(store, EVERYBODY, { floor: 0.51 })).toEqual(["b/t1", "b/t2"]);
        expect(await find(store, EVERYBODY, { floor: 1.01 })).toEqual([]);
        expect((await near(store)).at(-1)?.score).toBeCloseTo(-1, 5);

        const same = chat("a");
        await record(store, same, turnOf("t1"), turnOf("t2"));
        const answer = { position: 1, message: "t1-a", role: "assistant" as const, createdAt: at(1) };
        const documents = [
          questionOf("t2", 2, axis(0), { createdAt: at(1) }),
          questionOf("t1", 1, axis(0), answer),
          questionOf("t1", 1, axis(0)),
        ];
        expect(await vectorsOf(store).put(same, { model: MODEL, documents })).toBe(3);
        await say(store, chat("c"), [axis(0), axis(0)]);
        const tied = await near(store, EVERYBODY, { floor: 0.99 });
        expect(tied.map(({ conversation, message }) => `${conversation} ${message}`)).toEqual([
          "c t2-q",
          "a t1-q",
          "a t1-a",
          "a t2-q",
          "b t1-q",
          "c t1-q",
        ]);
        expect(await find(store, EVERYBODY, { floor: 0.99, limit: 2 })).toEqual(["c/t2", "a/t1"]);
      },
    },
    {
      rules: ["S2", "J3"],
      title: "each scope holds its own vectors, tenants and agents apart",
      async run({ store }) {
        await say(store, chat("a"), [axis(0), axis(1)], { subject: "ann" });
        await say(store, chat("b"), [axis(0)], { subject: "ann" });
        await say(store, chat("c"), [axis(0)], { subject: "bob" });
        await say(store, chat("d"), [axis(0)]);
        const strangers = [
          { ...AGENT, agent: "other" },
          { ...AGENT, tenant: "other" },
          { tenant: AGENT.agent, agent: AGENT.tenant },
        ];
        for (const stranger of strangers) {
          expect(await find(store, EVERYBODY, {}, stranger)).toEqual([]);
          await say(store, chat("a", stranger), [axis(2)], { subject: "ann" });
        }
        expect(await findAll(store)).toEqual(["a/t1", "a/t2", "b/t1", "c/t1", "d/t1"]);
        expect(await findAll(store, ANN)).toEqual(["a/t1", "a/t2", "b/t1"]);
        expect(await findAll(store, scopeOf("d"))).toEqual(["d/t1"]);
        expect(await findAll(store, { kind: "subject", subject: "an" })).toEqual([]);
        expect(await findAll(store, scopeOf("A"))).toEqual([]);
        for (const stranger of strangers) {
          const found = await near(store, ANN, { vector: axis(2) }, stranger);
          expect(found.map(({ score }) => Math.round(score))).toEqual([1]);
        }
      },
    },
    {
      rules: ["J3", "PR5"],
      title: "hostile ids stay apart as conversations, subjects and models",
      async run({ store }) {
        for (const id of HOSTILE_IDS) {
          const documents = await say(store, chat(id), [axis(0)], { subject: id });
          await vectorsOf(store).put(chat(id), { model: { ...MODEL, modelId: id }, documents });
        }
        for (const id of HOSTILE_IDS) {
          const query = { model: { ...MODEL, modelId: id } };
          const found = await near(store, EVERYBODY, query);
          expect(found.map(({ conversation, subject }) => [conversation, subject])).toEqual([[id, id]]);
          expect(await findAll(store, { kind: "subject", subject: id })).toEqual([`${id}/t1`]);
          expect(await findAll(store, scopeOf(id))).toEqual([`${id}/t1`]);
        }
      },
    },
    {
      rules: ["S2"],
      title: "filters narrow what is near, alone and together, before the limit",
      async run({ store }) {
        await say(store, chat("a"), [0, 10, 20, 30].map(degrees), { subject: "ann" });
        await say(store, chat("b"), [degrees(40)], { subject: "ann" });
        const answer = { position: 1, message: "t4-a", role: "assistant" as const };
        const documents = [questionOf("t4", 4, degrees(80), answer)];
        await vectorsOf(store).put(chat("a"), { model: MODEL, documents });
        const found = (query: object) => find(store, ANN, query);
        expect(await found({ role: "assistant", limit: 1 })).toEqual(["a/t4"]);
        expect(await found({ from: at(2), to: at(4) })).toEqual(["a/t2", "a/t3"]);
        expect(await found({ from: at(5) })).toEqual([]);
        expect(await found({ conversation: "b", limit: 1 })).toEqual(["b/t1"]);
        expect(await found({ conversation: "c" })).toEqual([]);
        expect(await found({ exclude: { conversation: "a", after: 1 } })).toEqual(["a/t1", "b/t1"]);
        expect(await found({ exclude: { conversation: "a", after: 0 }, role: "user", limit: 1 })).toEqual(["b/t1"]);
        expect(await found({ conversation: "a", role: "user", from: at(3), floor: 0.9 })).toEqual(["a/t3"]);
        expect(await find(store, scopeOf("a"), { conversation: "b" })).toEqual([]);
      },
    },
    {
      rules: ["S4"],
      title: "models and lengths live side by side, and none is answered with another's",
      async run({ store }) {
        await say(store, chat("a"), [axis(0)]);
        await say(store, chat("b"), [axis(0)], { model: { ...MODEL, modelId: "other" } });
        const short = { ...MODEL, dimensions: 3 };
        await say(store, chat("c"), [axis(0, 3)], { model: short });
        const documents = [questionOf("t1", 1, axis(0, 3))];
        expect(await vectorsOf(store).put(chat("a"), { model: short, documents })).toBe(1);
        expect(await findAll(store)).toEqual(["a/t1"]);
        expect(await findAll(store, EVERYBODY, { model: { ...MODEL, modelId: "other" } })).toEqual(["b/t1"]);
        expect(await findAll(store, EVERYBODY, { model: short, vector: axis(0, 3) })).toEqual(["a/t1", "c/t1"]);
        expect(await findAll(store, EVERYBODY, { model: { ...MODEL, modelId: "none" } })).toEqual([]);
      },
    },
    {
      rules: ["J1", "E3"],
      title: "a vector kept again is there once, and the later one counts",
      async run({ store }) {
        const [document] = await say(store, CHAT, [axis(0)]);
        const put = (documents: readonly (typeof document)[]) =>
          vectorsOf(store).put(CHAT, { model: MODEL, documents: documents.flatMap((each) => each ?? []) });
        expect(await put([document])).toBe(1);
        expect(await find(store)).toEqual(["chat-1/t1"]);
        await put([questionOf("t1", 1, axis(1)), questionOf("t1", 1, axis(2))]);
        expect((await near(store, EVERYBODY, { vector: axis(2) })).map(({ score }) => score)).toEqual([1]);
        expect(await put([])).toBe(0);
      },
    },
    {
      rules: ["J1", "PR5"],
      title: "numbers of every size are kept, and what isn't so many finite ones is refused with a code",
      async run({ store }) {
        const vectors = [axis(0).fill(0), axis(0).map((value) => value * 1e-30), axis(0).fill(-Math.SQRT1_2, 0, 2)];
        await say(store, CHAT, vectors);
        const scores = (await near(store)).map(({ turn, score }) => [turn, Number(score.toFixed(5)) + 0]);
        expect(scores.toSorted()).toEqual([
          ["t1", 0],
          ["t2", 0],
          ["t3", -Number(Math.SQRT1_2.toFixed(5))],
        ]);
        const bad = [axis(0, 7), axis(0, 9), new Float32Array(), axis(0).fill(Number.NaN), axis(0).fill(Infinity)];
        for (const vector of bad) {
          const documents = [questionOf("t1", 1, axis(1)), questionOf("t2", 2, vector)];
          expect(await codeOf(vectorsOf(store).put(CHAT, { model: MODEL, documents }))).toBe("INVALID_ARGUMENT");
          expect(await codeOf(near(store, EVERYBODY, { vector }))).toBe("INVALID_ARGUMENT");
        }
        expect(await find(store, EVERYBODY, { vector: axis(1), floor: 0.5 })).toEqual([]);
      },
    },
    {
      rules: ["Z6", "J14"],
      title: "two thousand vectors of one subject are searched whole",
      async run({ store }) {
        const vectors = directions(2_000);
        await record(store, CHAT, turnOf("t1", { subject: "ann", turn: { messages: messagesOf(vectors.length) } }));
        const documents = vectors.map((vector, index) => ({
          ...questionOf("t1", 1, vector),
          position: index,
          message: `m${index}`,
        }));
        for (let from = 0; from < documents.length; from += 500) {
          const batch = documents.slice(from, from + 500);
          expect(await vectorsOf(store).put(CHAT, { model: MODEL, documents: batch })).toBe(500);
        }
        const [query = axis(0)] = directions(1, MODEL.dimensions, 99);
        const scores = vectors.map((vector) => cosine(vector, query)).sort((a, b) => b - a);
        const found = await near(store, ANN, { vector: query, limit: 200 });
        expect(found).toHaveLength(200);
        for (const [index, { score }] of found.entries()) expect(score).toBeCloseTo(scores[index] ?? 9, 5);
        expect(await near(store, ANN, { vector: query, limit: 5_000 })).toHaveLength(2_000);
      },
    },
    {
      rules: ["J8", "T6"],
      title: "the store says in words how it searches",
      async run({ store }) {
        expect(await vectorsOf(store).describe()).toMatch(/exact/);
      },
    },
  ],
};

function messagesOf(count: number) {
  return Array.from({ length: count }, (_, index) => ({
    id: `m${index}`,
    role: "user" as const,
    parts: [{ type: "text" as const, text: `message ${index}` }],
    createdAt: at(1),
  }));
}
