import { kernelModule } from "./kernel-module.ts";

const PAGE_BYTES = 65_536;

/**
 * Compares vectors of 8-bit numbers with a query of 16-bit numbers, in one memory. All of it is whole numbers, so that the
 * two implementations answer the same to the bit.
 */
export interface ScanKernel {
  readonly kind: "wasm" | "js";
  /** The memory; another one after `grow`. */
  readonly buffer: ArrayBuffer;
  /** Makes the memory at least so many bytes long, keeping what is in it. False where there is no more to be had. */
  grow(bytes: number): boolean;
  /**
   * Writes the dot products of `count` vectors at `codes`, each `stride` bytes long (a multiple of 16), with the query at
   * `query` to `out`, as 32-bit integers.
   */
  scan(codes: number, query: number, count: number, stride: number, out: number): void;
}

/** WebAssembly where the runtime has it with SIMD and lets it run, else JavaScript. */
export function createScanKernel(): ScanKernel {
  return wasmKernel() ?? jsKernel();
}

/** `undefined` where the runtime can't or won't. */
export function wasmKernel(): ScanKernel | undefined {
  try {
    const { exports } = new WebAssembly.Instance(new WebAssembly.Module(kernelModule()));
    // What the module exports is stated in it.
    const memory = exports.memory as WebAssembly.Memory;
    const scan = exports.scan as ScanKernel["scan"];
    return {
      kind: "wasm",
      get buffer() {
        return memory.buffer as ArrayBuffer;
      },
      grow(bytes) {
        const missing = Math.ceil((bytes - memory.buffer.byteLength) / PAGE_BYTES);
        try {
          if (missing > 0) memory.grow(missing);
          return true;
        } catch {
          return false;
        }
      },
      scan,
    };
  } catch {
    // No WebAssembly, no SIMD, or a policy that forbids it.
    return undefined;
  }
}

/** The same in plain JavaScript. */
export function jsKernel(): ScanKernel {
  let buffer = new ArrayBuffer(PAGE_BYTES);
  return {
    kind: "js",
    get buffer() {
      return buffer;
    },
    grow(bytes) {
      if (bytes <= buffer.byteLength) return true;
      try {
        buffer = buffer.transfer(Math.ceil(bytes / PAGE_BYTES) * PAGE_BYTES);
        return true;
      } catch {
        return false;
      }
    },
    scan(codes, query, count, stride, out) {
      const numbers = new Int8Array(buffer, codes, count * stride);
      const asked = new Int16Array(buffer, query, stride);
      const products = new Int32Array(buffer, out, count);
      for (let vector = 0, at = 0; vector < count; vector++, at += stride) {
        let a = 0;
        let b = 0;
        // Every index is within both; the sums stay whole numbers that a double holds.
        for (let index = 0; index < stride; index += 2) {
          a += (numbers[at + index] as number) * (asked[index] as number);
          b += (numbers[at + index + 1] as number) * (asked[index + 1] as number);
        }
        products[vector] = a + b;
      }
    },
  };
}
