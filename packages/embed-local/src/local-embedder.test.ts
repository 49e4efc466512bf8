import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import { localEmbedder } from "./local-embedder.ts";
import { decodeTable, encodeTable } from "./table.ts";
import { placesOf } from "./words.ts";

const packed = readFileSync(new URL("../table/glove-100d.gz", import.meta.url));
const embedder = localEmbedder({ table: packed });
const document = { kind: "document" } as const;

async function cosine(left: string, right: string): Promise<number> {
  const [a = new Float32Array(), b = new Float32Array()] = await embedder.embed([left, right], document);
  return a.reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0);
}

const digest = (...vectors: Float32Array[]): string => {
  const hash = createHash("sha256");
  for (const vector of vectors) hash.update(new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength));
  return hash.digest("hex");
};

describe("localEmbedder", () => {
  test("S1: the table in the package is the one that the script builds", async () => {
    const bytes = gunzipSync(packed);
    expect(createHash("sha256").update(bytes).digest("hex")).toBe(
      "4a43a0fa3a705f7baa76e528199e2535bca26dc5b38c93b3cfa0866f23dd305c",
    );
    expect(packed.length).toBeLessThan(2_700_000);
    const { places, dimensions } = await decodeTable(bytes);
    expect([places.size, dimensions]).toEqual([50_000, 100]);
  });

  test("G8: a question of common words beside unknown ones has no vector; a document has, and so has one of anything else", async () => {
    const isBlank = async (text: string, kind: "query" | "document") =>
      ((await embedder.embed([text], { kind }))[0] ?? []).every((value) => value === 0);
    const hollow = "What is the wuggle of the brimzat?";
    expect([await isBlank(hollow, "query"), await isBlank(hollow, "document")]).toEqual([true, false]);
    for (const text of ["What did I do?", "Where does Wuggle live?", "Who is it?", "What is a puppy of the brimzat?"]) {
      expect(await isBlank(text, "query"), text).toBe(false);
    }
  });

  test("S1/J14: vectors are the same to the bit on every machine, alone, in a batch, as a query and as a document", async () => {
    const texts = ["My daughter is allergic to peanuts.", "Crème brûlée, 2 spoons", "She doesn't drive Ann’s car."];
    const vectors = await embedder.embed(texts, document);
    expect(digest(...vectors)).toBe("838f37f4a7babaec6a87525a9bbea47fffa709a9039ec3946374e1b59e57692e");
    const queries = await embedder.embed(texts, { kind: "query" });
    expect(queries).toEqual(vectors);
    for (const [index, text] of texts.entries()) {
      const [alone] = await localEmbedder().embed([text], document);
      expect(alone).toEqual(vectors[index]);
    }
  });

  test("S1: what means the same is nearer than what has nothing to do with it", async () => {
    const pairs = [
      ["We adopted a puppy last week", "Did they get a new dog?", "The invoice is due on Friday"],
      ["She works as a nurse in the clinic", "healthcare job", "a trip to the mountains"],
      ["I am getting married in June", "When is the wedding?", "The printer is out of paper"],
    ] as const;
    for (const [said, asked, other] of pairs) {
      expect(await cosine(said, asked)).toBeGreaterThan((await cosine(other, asked)) + 0.1);
    }
  });

  test("S5: an accent is the same letter composed or not, and case and typographic apostrophes are no difference", async () => {
    expect(await cosine("café", "cafe\u0301")).toBeCloseTo(1, 6);
    expect(await cosine("ZÜRICH", "zu\u0308rich")).toBeCloseTo(1, 6);
    expect(await cosine("Ann’s dog doesn’t bark", "ann's dog doesn't BARK")).toBeCloseTo(1, 6);
  });

  test("S5/S6: a text without a known word says so: all zeros, and a coverage of 0", async () => {
    for (const text of ["", "  \n", "我喜欢喝茶", "מה שלומך", "zxqvbnrt wqpfjkl", "🎉🎉"]) {
      const [vector] = await embedder.embed([text], document);
      expect(vector?.every((value) => value === 0)).toBe(true);
      expect(await embedder.coverage(text)).toBe(0);
    }
    expect(await embedder.coverage("my dog 我喜欢")).toBeCloseTo(2 / 3, 6);
    expect(await embedder.coverage("my dog doesn't bark")).toBe(1);
  });

  test("S1: each vector has length 1 or is all zeros, whatever the text", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof(fc.string({ unit: "binary" }), fc.lorem()), { maxLength: 8 }),
        async (texts) => {
          const vectors = await embedder.embed(texts, document);
          expect(vectors.length).toBe(texts.length);
          for (const vector of vectors) {
            const square = vector.reduce((sum, value) => sum + value * value, 0);
            expect(square === 0 || Math.abs(square - 1) < 1e-5).toBe(true);
          }
        },
      ),
      { numRuns: 60 },
    );
  });

  test("J7: many and long texts leave room for everything else", async () => {
    const long = "the quick brown fox adopted a puppy ".repeat(250);
    let turns = 0;
    const timer = setInterval(() => {
      turns += 1;
    }, 0);
    const vectors = await embedder.embed(
      Array.from({ length: 200 }, () => long),
      document,
    );
    clearInterval(timer);
    expect(vectors.length).toBe(200);
    expect(turns).toBeGreaterThan(2);
    expect(await cosine(long, "the quick brown fox adopted a puppy")).toBeCloseTo(1, 5);
  });

  test("E5: a signal that is over ends it with ABORTED, before and between texts", async () => {
    const over = AbortSignal.abort(new Error("enough"));
    await expect(embedder.embed(["dog"], { kind: "query", signal: over })).rejects.toMatchObject({ code: "ABORTED" });
    const controller = new AbortController();
    const many = embedder.embed(
      Array.from({ length: 500 }, () => "a dog"),
      { kind: "document", signal: controller.signal },
    );
    setTimeout(() => controller.abort(), 0);
    await expect(many).rejects.toMatchObject({ code: "ABORTED" });
  });

  test("E1: bytes come from wherever they are had; what is no table is refused, and the next text tries again", async () => {
    const [expected] = await embedder.embed(["a dog"], document);
    const bytes = new Uint8Array(gunzipSync(packed));
    expect((await localEmbedder({ table: bytes }).embed(["a dog"], document))[0]).toEqual(expected);
    let tries = 0;
    const flaky = localEmbedder({
      table: async () => {
        tries += 1;
        if (tries === 1) throw new Error("not yet");
        return bytes.subarray(0);
      },
    });
    await expect(flaky.embed(["a dog"], document)).rejects.toThrow("not yet");
    expect((await flaky.embed(["a dog"], document))[0]).toEqual(expected);
    expect(tries).toBe(2);
    for (const damaged of [
      new Uint8Array(3),
      packed.subarray(0, 5_000),
      bytes.subarray(0, 5_000),
      new Uint8Array(100),
    ]) {
      const broken = localEmbedder({ table: damaged });
      await expect(broken.embed(["a"], document)).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
    }
    const other = encodeTable(4, [{ word: "a", vector: [1, 2, 3, 4] }]);
    await expect(localEmbedder({ table: other }).embed(["a"], document)).rejects.toMatchObject({
      code: "INVALID_ARGUMENT",
    });
  });

  test("E1: wrong options and texts are refused with a code", async () => {
    // What JavaScript may pass.
    const options = [{ model: "x" }, null, { table: 3 }] as unknown as { table: Uint8Array }[];
    for (const wrong of options) {
      expect(() => localEmbedder(wrong)).toThrow(expect.objectContaining({ code: "INVALID_ARGUMENT" }));
    }
    const texts = [7] as unknown as string[];
    await expect(embedder.embed(texts, document)).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
    for (const call of [undefined, null, {}, { kind: "question" }] as unknown as (typeof document)[]) {
      await expect(embedder.embed(["dog"], call)).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
    }
  });
});

describe("tables of word vectors", () => {
  test("S1: without Node's own unpacking the table is read as a stream, and a damaged one told all the same", async () => {
    const one = await embedder.embed(["a puppy"], document);
    const without = vi.spyOn(process, "getBuiltinModule").mockReturnValue(undefined as never);
    try {
      expect(await localEmbedder({ table: packed }).embed(["a puppy"], document)).toEqual(one);
      const broken = localEmbedder({ table: packed.subarray(0, 1000) });
      await expect(broken.embed(["a"], document)).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
      expect(without).toHaveBeenCalled();
    } finally {
      without.mockRestore();
    }
  });

  test("S1: what is packed into half bytes is read back as close as they allow", async () => {
    const vectors = fc.array(fc.double({ min: -3, max: 3, noNaN: true }), { minLength: 5, maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(fc.array(vectors, { minLength: 1, maxLength: 6 }), async (rows) => {
        const entries = rows.map((vector, index) => ({ word: `w${index}`, vector }));
        const { places, scales, nibbles } = await decodeTable(encodeTable(5, entries));
        for (const { word, vector } of entries) {
          const place = places.get(word) ?? -1;
          vector.forEach((value, index) => {
            const pair = nibbles[place * 3 + (index >> 1)] ?? 0;
            const code = (index % 2 === 0 ? pair & 15 : pair >> 4) - 8;
            expect(Math.abs(value - code * (scales[place] ?? 0))).toBeLessThanOrEqual(
              (scales[place] ?? 0) * 0.51 + 1e-9,
            );
          });
        }
      }),
    );
  });

  test("S5: words are those of the texts that the vectors were made from", () => {
    const words = ["does", "n't", "ann", "'s", "o'brien", "cafe", "2024"];
    const places = new Map(words.map((word, index) => [word, index]));
    const found = (text: string) => placesOf(text, places).found.map((place) => words[place]);
    expect(found("Doesn't")).toEqual(["does", "n't"]);
    expect(found("Ann’s café, 2024!")).toEqual(["ann", "'s", "cafe", "2024"]);
    expect(found("O'Brien")).toEqual(["o'brien"]);
    expect(found("rock'n'roll-cafe")).toEqual(["cafe"]);
    expect(placesOf("ann is in", places)).toEqual({ found: [2], words: 3, isHollow: false });
  });
});
