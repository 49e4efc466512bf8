import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { cacheFolder, fingerprint } from "../lib/folders.ts";
import type { Contender } from "../turn/contender.ts";
import { fillPeer, loadPeer, type PeerStore, peerVersions } from "../turn/mastra-memory.ts";
import type { Workload } from "../turn/workload.ts";
import { openHybrid, recallingTurns } from "./mastra-recall.ts";

// What is used of the peer: it is no dependency, so its own types aren't at hand.
interface Libsql {
  LibSQLStore: new (options: { id: string; url: string }) => PeerStore;
  LibSQLVector: new (options: { id: string; url: string }) => { close?(): Promise<void> };
}

export const mastraVersions = (folder: string): Record<string, string> =>
  peerVersions(folder, ["@mastra/core", "@mastra/memory", "@mastra/libsql"]);

async function open(folder: string, directory: string) {
  const { LibSQLStore, LibSQLVector } = await loadPeer<Libsql>(folder, "@mastra/libsql");
  const storage = new LibSQLStore({ id: "bench", url: `file:${join(directory, "store.db")}` });
  const vector = new LibSQLVector({ id: "bench-vectors", url: `file:${join(directory, "vectors.db")}` });
  await storage.init();
  const memory = await openHybrid(folder, storage, vector);
  return { memory, close: async () => void (await Promise.all([storage.close?.(), vector.close?.()])) };
}

/** The peer's files, built once by the peer itself, and their size. */
export async function mastraFolder(folder: string, workload: Workload): Promise<{ path: string; megabytes: number }> {
  const own = [
    "bench/src/hybrid/mastra.ts",
    "bench/src/hybrid/mastra-recall.ts",
    "bench/src/lib/mastra-peer.ts",
    "bench/src/turn/mastra-memory.ts",
    "bench/src/search/corpus.ts",
  ];
  const versions = JSON.stringify(mastraVersions(folder));
  const path = join(
    cacheFolder(),
    `mastra-hybrid-${fingerprint(own, workload.messages, workload.subjects, workload.seed, versions)}`,
  );
  if (!existsSync(path)) {
    const draft = `${path}.draft`;
    rmSync(draft, { recursive: true, force: true });
    mkdirSync(draft, { recursive: true });
    const { memory, close } = await open(folder, draft);
    await fillPeer(memory, workload);
    await close();
    renameSync(draft, path);
  }
  const bytes = readdirSync(path).reduce((sum, name) => sum + statSync(join(path, name)).size, 0);
  return { path, megabytes: bytes / 2 ** 20 };
}

/** The same turn with Mastra's memory on libSQL, semantic recall over the resource. */
export async function mastraHybrid(folder: string, directory: string, workload: Workload): Promise<Contender> {
  const { memory, close } = await open(folder, directory);
  return recallingTurns("@mastra/memory on @mastra/libsql, semantic recall", memory, workload, close);
}
