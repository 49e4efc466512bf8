import { MemoryError } from "@throughline/core";
import { decodeTable, type WordTable } from "./table.ts";

/** Reads the table that comes with the package. */
export async function packagedTable(): Promise<Uint8Array> {
  const { readFile } = await import("node:fs/promises");
  return readFile(new URL("../table/glove-100d.gz", import.meta.url));
}

/** The table in bytes, packed or not. Throws `INVALID_ARGUMENT` where there is none in them. */
export async function readTable(bytes: Uint8Array): Promise<WordTable> {
  const isPacked = bytes[0] === 0x1f && bytes[1] === 0x8b;
  return decodeTable(isPacked ? await unpack(bytes) : bytes);
}

async function unpack(bytes: Uint8Array): Promise<Uint8Array> {
  try {
    return await (unpackInThread(bytes) ?? unpackAsStream(bytes));
  } catch (cause) {
    throw new MemoryError(
      "INVALID_ARGUMENT",
      "The table of word vectors is damaged; install @throughline/embed-local anew.",
      { cause },
    );
  }
}

/** Node's own, in another thread: making its web streams ready keeps everything else waiting for 100 ms. */
function unpackInThread(bytes: Uint8Array): Promise<Uint8Array> | undefined {
  const zlib = globalThis.process?.getBuiltinModule?.("node:zlib");
  if (zlib?.gunzip === undefined) return undefined;
  return new Promise((resolve, reject) => {
    zlib.gunzip(bytes, (error, unpacked) => (error === null ? resolve(unpacked) : reject(error)));
  });
}

async function unpackAsStream(bytes: Uint8Array): Promise<Uint8Array> {
  const stream = new Blob([new Uint8Array(bytes)]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
