import { link, readFile, rm, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { MemoryError } from "@throughline/core";
import { translateError } from "./errors.ts";
import { makeDirectory } from "./make-directory.ts";

const SECRET_BYTES = 32;

/**
 * Random bytes in a file of their own, `<path>.secret`, so that who has the database alone doesn't have them. Made with
 * the first call; of two processes one makes them and both read the same.
 */
export function createSecret(path: string, readOnly: boolean): () => Promise<Uint8Array> {
  let secret: Promise<Uint8Array> | undefined;
  return () => {
    secret ??= (path === ":memory:" ? Promise.resolve(randomBytes()) : obtain(path, readOnly)).catch((error) => {
      // A failed try is made again by the next call.
      secret = undefined;
      throw translateError(error, path);
    });
    return secret;
  };
}

async function obtain(path: string, readOnly: boolean): Promise<Uint8Array> {
  const place = `${path}.secret`;
  const found = await read(place);
  if (found !== undefined) return found;
  if (readOnly) {
    throw new MemoryError("STORE_READ_ONLY", `"${place}" isn't there yet; open the store once without readOnly.`, {
      details: { path },
    });
  }
  makeDirectory(dirname(place));
  // Written whole under a name of its own, then linked: nobody ever reads half of it.
  const own = `${place}.${crypto.randomUUID()}`;
  try {
    await writeFile(own, randomBytes(), { flag: "wx", mode: 0o600, flush: true });
    await link(own, place).catch(ignoreCode("EEXIST"));
  } finally {
    await rm(own, { force: true });
  }
  const written = await read(place);
  if (written !== undefined) return written;
  throw new MemoryError("STORE_CORRUPT", `"${place}" should hold ${SECRET_BYTES} bytes; restore it from a backup.`, {
    details: { path },
  });
}

async function read(place: string): Promise<Uint8Array | undefined> {
  const bytes = await readFile(place).catch(ignoreCode("ENOENT"));
  if (bytes === undefined) return undefined;
  if (bytes.length === SECRET_BYTES) return new Uint8Array(bytes);
  throw new MemoryError("STORE_CORRUPT", `"${place}" should hold ${SECRET_BYTES} bytes; restore it from a backup.`);
}

function ignoreCode(code: string): (error: unknown) => undefined {
  return (error) => {
    if (typeof error === "object" && error !== null && "code" in error && error.code === code) return undefined;
    throw error;
  };
}

function randomBytes(): Uint8Array {
  return crypto.getRandomValues(new Uint8Array(SECRET_BYTES));
}
