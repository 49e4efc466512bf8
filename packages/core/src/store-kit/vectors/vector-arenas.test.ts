import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { dotProduct } from "../../search/vector-math.ts";
import { BestBounds } from "./best-bounds.ts";
import { clearCodes, emptyRun, putCodes, readRun } from "./code-run.ts";
import { quantiseQuery, strideOf } from "./quantise.ts";
import { scanArena } from "./scan-arena.ts";
import { jsKernel, wasmKernel } from "./scan-kernel.ts";
import type { VectorArena } from "./vector-arena.ts";
import { VectorArenas } from "./vector-arenas.ts";

const place = (index: number) => ({ conversation: index % 3, seq: index, role: index % 2, time: index * 1_000 });

function runOf(vectors: readonly Float32Array[]) {
  const { run, bytes } = emptyRun(vectors.length, vectors[0]?.length ?? 1);
  vectors.forEach((vector, index) => {
    putCodes(run, index, place(index), vector);
  });
  return { run, bytes };
}

function unit(vector: Float32Array): Float32Array {
  const length = Math.hypot(...vector);
  return length > 0 ? vector.map((value) => value / length) : vector;
}

const vectorsOf = (dimensions: number) =>
  fc.array(fc.float32Array({ minLength: dimensions, maxLength: dimensions, noNaN: true, min: -1, max: 1 }).map(unit), {
    minLength: 1,
    maxLength: 60,
  });

const candidates = (arena: VectorArena, query: Float32Array, limit: number, floor: number) => {
  const best = new BestBounds(limit, floor);
  scanArena(arena, quantiseQuery(query, strideOf(query.length)), {}, best);
  return best.take();
};

describe("arenas of vectors", () => {
  test.each([["wasm" as const], ["js" as const]])("Z7: what %s lets through holds the exact nearest", (kind) => {
    const kernel = kind === "js" ? jsKernel() : (wasmKernel() ?? expect.fail("There is no WebAssembly."));
    const arenas = new VectorArenas(1 << 24, kernel);
    let key = 0;
    const input = fc.constantFrom(1, 3, 16, 100, 384).chain((dimensions) =>
      fc.tuple(
        vectorsOf(dimensions),
        fc.float32Array({ minLength: dimensions, maxLength: dimensions, noNaN: true, min: -1, max: 1 }).map(unit),
        fc.integer({ min: 1, max: 12 }),
        fc.constantFrom(-2, 0, 0.35),
        // Some vectors are in the kernel's memory, some are as they were read.
        fc.integer({ min: 0, max: 60 }),
        fc.integer({ min: 0, max: 60 }),
      ),
    );
    fc.assert(
      fc.property(input, ([vectors, query, limit, floor, split, settled]) => {
        const arena = arenas.use(String(key++), query.length);
        const [first, second] = [vectors.slice(0, split), vectors.slice(split)];
        if (first.length > 0) arena.append(runOf(first).run);
        arena.settle(settled);
        if (second.length > 0) arena.append(runOf(second).run);
        const found = new Map(candidates(arena, query, limit, floor).map((entry) => [entry.number, entry]));
        arenas.release(arena);
        arenas.clear();
        const exact = vectors
          .map((vector, number) => ({ number, score: dotProduct(vector, query) }))
          .filter(({ score }) => score >= floor)
          .sort((a, b) => b.score - a.score);
        const last = exact[limit - 1]?.score ?? floor;
        for (const { number, score } of exact.filter((entry) => entry.score >= last)) {
          const bounds = found.get(number) ?? expect.fail(`Vector ${number} was left out.`);
          expect(bounds.least).toBeLessThanOrEqual(score);
          expect(bounds.most).toBeGreaterThanOrEqual(score);
        }
      }),
      { numRuns: 150 },
    );
  });

  test("Z7: wherever vectors lie they are compared alike, run by run and across the borders of pieces", () => {
    const vectors = Array.from({ length: 500 }, (_, seed) =>
      unit(Float32Array.from({ length: 384 }, (_value, index) => Math.sin(seed * 31 + index * (1 + (seed % 7))))),
    );
    const runs = [0, 128, 256, 384].map((from) => runOf(vectors.slice(from, from + 128)).run);
    const query = vectors[77] ?? expect.fail();
    const productsAfter = (settled: number): number[][] => {
      const arena = new VectorArenas(1 << 24).use("a", 384);
      for (const run of runs) arena.append(run);
      arena.settle(settled);
      const { codes } = quantiseQuery(query, arena.stride);
      return [
        [...arena.scan(codes, 0, 500).subarray(0, 500)],
        [...arena.scan(codes, 3 * arena.perChunk, 200).subarray(0, 200)],
      ];
    };
    const [whole = [], part] = productsAfter(500);
    const start = 3 * Math.floor(16_384 / 384);
    expect(part).toEqual(whole.slice(start, start + 200));
    for (const settled of [0, 1, 128, 129, 384]) expect(productsAfter(settled)).toEqual([whole, part]);
  });

  test("Z7: what finds no room in the kernel's memory is compared all the same", () => {
    const kernel = jsKernel();
    let most = 100_000;
    const arenas = new VectorArenas(1 << 24, {
      ...kernel,
      get buffer() {
        return kernel.buffer;
      },
      grow: (bytes) => bytes <= most && kernel.grow(bytes),
    });
    const arena = arenas.use("a", 384);
    const vectors = Array.from({ length: 300 }, (_, seed) =>
      unit(Float32Array.from({ length: 384 }, (_value, index) => Math.cos(seed + index * (1 + (seed % 5))))),
    );
    for (const from of [0, 100, 200]) arena.append(runOf(vectors.slice(from, from + 100)).run);
    const query = vectors[250] ?? expect.fail();
    const found = candidates(arena, query, 5, -2);
    expect(found[0]?.most).toBeGreaterThan(0.99);
    arena.settle(300);
    expect(candidates(arena, query, 5, -2)).toEqual(found);
    most = 1 << 24;
    arena.settle(300);
    expect(candidates(arena, query, 5, -2)).toEqual(found);
  });

  test("Z7: both kernels let the same through", () => {
    const wasm = new VectorArenas(1 << 24, wasmKernel() ?? expect.fail("There is no WebAssembly."));
    const js = new VectorArenas(1 << 24, jsKernel());
    let key = 0;
    fc.assert(
      fc.property(vectorsOf(48), ([first = new Float32Array(48), ...vectors]) => {
        const [left, right] = [wasm, js].map((arenas) => {
          const arena = arenas.use(String(key++), 48);
          arena.append(runOf([first, ...vectors]).run);
          const found = candidates(arena, first, 5, -2);
          arenas.release(arena);
          arenas.clear();
          return found;
        });
        expect(left).toEqual(right);
      }),
      { numRuns: 60 },
    );
  });

  test("Z7: a run keeps its vectors in its bytes, whatever address they are read at, and nothing of one that went", () => {
    const vectors = [1, 2, 3].map((seed) =>
      unit(Float32Array.from({ length: 20 }, (_, index) => Math.sin(seed * index + 1))),
    );
    const { run, bytes } = runOf(vectors);
    const moved = new Uint8Array(bytes.length + 3 + 40);
    moved.set(bytes, 3);
    const read = readRun(moved.subarray(3), 20);
    expect([...read.codes]).toEqual([...run.codes]);
    expect([...read.times]).toEqual([0, 1_000, 2_000]);
    clearCodes(run, 1);
    expect(run.codes.subarray(32, 64).every((code) => code === 0)).toBe(true);
    expect(run.codes.subarray(64).some((code) => code !== 0)).toBe(true);
    expect(() => readRun(bytes.subarray(0, 60), 20)).toThrow(expect.objectContaining({ code: "STORE_CORRUPT" }));
    expect(() => readRun(bytes, 40)).toThrow(expect.objectContaining({ code: "STORE_CORRUPT" }));
    expect(() => readRun(new Uint8Array(4), 20)).toThrow(expect.objectContaining({ code: "STORE_CORRUPT" }));
  });

  test("Z7: arenas stay within the budget: what wasn't searched for longest goes first, what is being searched stays", () => {
    const vector = unit(Float32Array.from({ length: 384 }, (_, index) => Math.cos(index)));
    const many = Array.from({ length: 100 }, () => vector);
    const arenas = new VectorArenas(400_000);
    const fill = (key: string) => {
      const arena = arenas.use(key, 384);
      const fits = arena.count > 0 || arenas.reserve(arena, 100);
      if (fits && arena.count === 0) arena.append(runOf(many).run);
      expect(arenas.bytes).toBeLessThanOrEqual(400_000);
      return { arena, fits };
    };
    const pinned = fill("a");
    const others = ["b", "c", "d", "e", "f", "g", "h", "i"].map(fill);
    expect(others.map(({ fits }) => fits)).toContain(false);
    for (const { arena } of others) arenas.release(arena);
    const before = arenas.size;
    const again = fill("z");
    expect(again.fits).toBe(true);
    expect(arenas.size).toBeLessThanOrEqual(before);
    // "a" was being searched all the while, so it wasn't given up.
    expect(pinned.arena.count).toBe(100);
    expect(candidates(pinned.arena, vector, 1, 0).length).toBe(100);
    arenas.release(pinned.arena);
    arenas.release(again.arena);
    const [most] = candidates(fill("a").arena, vector, 1, 0);
    expect(most?.most).toBeGreaterThan(0.99);
  });

  test("Z7: one owner's vectors that don't fit cost nobody else its place", () => {
    const arenas = new VectorArenas(300_000);
    const small = arenas.use("small", 16);
    expect(arenas.reserve(small, 10)).toBe(true);
    small.append(runOf(Array.from({ length: 10 }, () => new Float32Array(16).fill(0.25))).run);
    arenas.release(small);
    const large = arenas.use("large", 1_000);
    expect(arenas.reserve(large, 10_000)).toBe(false);
    expect(small.count).toBe(10);
  });
});
