import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { quantise, quantiseQuery, strideOf } from "./quantise.ts";
import { jsKernel, type ScanKernel, wasmKernel } from "./scan-kernel.ts";

const OUT = 0;
const QUERY = 4_096;

function products(kernel: ScanKernel, codes: Int8Array, query: Int16Array): number[] {
  const stride = query.length;
  const at = QUERY + stride * 2 + 16 - ((QUERY + stride * 2) % 16);
  expect(kernel.grow(at + codes.length)).toBe(true);
  new Int8Array(kernel.buffer, at, codes.length).set(codes);
  new Int16Array(kernel.buffer, QUERY, stride).set(query);
  kernel.scan(at, QUERY, codes.length / stride, stride, OUT);
  return [...new Int32Array(kernel.buffer, OUT, codes.length / stride)];
}

describe("scanning kernel", () => {
  test("Z7: this runtime runs the kernel as WebAssembly", () => {
    expect(wasmKernel()?.kind).toBe("wasm");
  });

  test("Z7: WebAssembly, JavaScript and the plain sum answer the same to the bit", () => {
    const wasm = wasmKernel() ?? expect.fail("There is no WebAssembly.");
    const js = jsKernel();
    const input = fc
      .integer({ min: 1, max: 24 })
      .chain((runs) =>
        fc.tuple(
          fc.int16Array({ minLength: runs * 16, maxLength: runs * 16 }),
          fc.array(fc.int8Array({ minLength: runs * 16, maxLength: runs * 16 }), { maxLength: 9 }),
        ),
      );
    fc.assert(
      fc.property(input, ([query, vectors]) => {
        const codes = Int8Array.from(vectors.flatMap((vector) => [...vector]));
        const plain = vectors.map((vector) => vector.reduce((sum, code, index) => sum + code * (query[index] ?? 0), 0));
        expect(products(js, codes, query)).toEqual(plain);
        expect(products(wasm, codes, query)).toEqual(plain);
      }),
      { numRuns: 300 },
    );
  });

  test("Z7: no sum leaves 32 bits, whatever the length and the direction", () => {
    for (const dimensions of [1, 16, 100, 384, 3_072, 16_000]) {
      const stride = strideOf(dimensions);
      for (const of of [() => 1, (index: number) => (index === 0 ? 1 : 0), (index: number) => (index % 2 ? -1 : 1)]) {
        const vector = Float32Array.from({ length: dimensions }, (_, index) => of(index) / Math.sqrt(dimensions));
        const codes = new Int8Array(stride);
        quantise(vector, codes);
        const query = quantiseQuery(vector, stride);
        const sum = codes.reduce((total, code, index) => total + code * (query.codes[index] ?? 0), 0);
        expect(Math.abs(sum)).toBeLessThan(2 ** 31);
        expect(products(wasmKernel() ?? jsKernel(), codes, query.codes)).toEqual([sum]);
      }
    }
  });

  test("Z7: what a vector became is as far from it as is said, and no further", () => {
    const vectors = fc.float32Array({ minLength: 1, maxLength: 40, noNaN: true, min: -1e3, max: 1e3 });
    fc.assert(
      fc.property(vectors, (vector) => {
        const codes = new Int8Array(strideOf(vector.length));
        const { scale, length, error } = quantise(vector, codes);
        const distance = Math.sqrt(
          vector.reduce((sum, value, index) => sum + (value - scale * (codes[index] ?? 0)) ** 2, 0),
        );
        expect(distance).toBeLessThanOrEqual(error);
        expect(scale * Math.hypot(...codes)).toBeLessThanOrEqual(length + 1e-30);
      }),
    );
  });
});
