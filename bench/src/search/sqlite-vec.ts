import { existsSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { FAKE_DIMENSIONS } from "../lib/fake-embedder.ts";
import { cacheFolder, fingerprint } from "../lib/folders.ts";
import { loadPeer, peerVersions } from "../turn/mastra-memory.ts";
import { vectorOf } from "./vector-corpus.ts";

export const SQLITE_VEC = "sqlite-vec";

// What is used of the peer: it is no dependency, so its own types aren't at hand.
interface Extension {
  load(database: DatabaseSync): void;
}

/** Its version, where it is installed in the peers' folder. */
export function sqliteVecVersions(folder: string | undefined): Record<string, string> {
  const isThere = folder !== undefined && existsSync(join(folder, "node_modules", SQLITE_VEC));
  return isThere ? peerVersions(folder, [SQLITE_VEC]) : {};
}

/** A table with the same vectors, a subject a partition; `undefined` where the peer isn't installed. */
export async function sqliteVecFile(
  folder: string,
  seed: number,
  sizes: readonly number[],
): Promise<string | undefined> {
  const versions = sqliteVecVersions(folder);
  if (versions[SQLITE_VEC] === undefined) return undefined;
  const own = ["bench/src/search/sqlite-vec.ts", "bench/src/search/vector-corpus.ts", "bench/src/lib/fake-embedder.ts"];
  const path = join(cacheFolder(), `sqlite-vec-${fingerprint(own, seed, versions[SQLITE_VEC], ...sizes)}.db`);
  if (existsSync(path)) return path;
  const draft = `${path}.draft`;
  rmSync(draft, { force: true });
  const database = await connect(folder, draft);
  database.exec(
    `CREATE VIRTUAL TABLE near USING vec0(subject TEXT PARTITION KEY, vector FLOAT[${FAKE_DIMENSIONS}] distance_metric=cosine, +place INTEGER)`,
  );
  const insert = database.prepare("INSERT INTO near (subject, vector, place) VALUES (?, ?, ?)");
  database.exec("BEGIN");
  for (const size of sizes) {
    for (let index = 0; index < size; index++) {
      insert.run(`${size}`, bytesOf(vectorOf(seed + size, index)), BigInt(index));
    }
  }
  database.exec("COMMIT");
  database.close();
  renameSync(draft, path);
  return path;
}

/** The extension in `node:sqlite`, ready to be asked; it was asked nothing yet. */
export async function openSqliteVec(folder: string, path: string) {
  const database = await connect(folder, path);
  database.exec("PRAGMA cache_size = -65536");
  const statement = database.prepare("SELECT place FROM near WHERE vector MATCH ? AND k = ? AND subject = ?");
  return {
    /** The numbers of the nearest among the vectors of the subject of a size. */
    nearest: (size: number, vector: Float32Array, limit: number): number[] =>
      statement.all(bytesOf(vector), limit, `${size}`).map(({ place }) => Number(place)),
    close: () => database.close(),
  };
}

async function connect(folder: string, path: string): Promise<DatabaseSync> {
  const { load } = await loadPeer<Extension>(folder, SQLITE_VEC);
  const database = new DatabaseSync(path, { allowExtension: true });
  load(database);
  return database;
}

const bytesOf = ({ buffer, byteOffset, byteLength }: Float32Array): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength);
