import { existsSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { cacheFolder, fingerprint } from "../lib/folders.ts";
import type { Contender } from "./contender.ts";
import {
  fillPeer,
  loadPeer,
  openPeer,
  type PeerMemory,
  type PeerStore,
  peerTurns,
  peerVersions,
} from "./mastra-memory.ts";
import type { Workload } from "./workload.ts";

interface Libsql {
  LibSQLStore: new (options: { id: string; url: string }) => PeerStore;
}

/** Versions of what is installed in the peers' folder. */
export const mastraVersions = (folder: string): Record<string, string> =>
  peerVersions(folder, ["@mastra/core", "@mastra/memory", "@mastra/libsql"]);

async function open(folder: string, path: string): Promise<{ memory: PeerMemory; store: PeerStore }> {
  const { LibSQLStore } = await loadPeer<Libsql>(folder, "@mastra/libsql");
  const store = new LibSQLStore({ id: "bench", url: `file:${path}` });
  return { memory: await openPeer(folder, store), store };
}

/** The peer's file, built once by the peer itself. */
export async function mastraFile(folder: string, workload: Workload): Promise<string> {
  const own = ["bench/src/turn/mastra-memory.ts", "bench/src/turn/mastra-peer.ts", "bench/src/turn/workload.ts"];
  const versions = JSON.stringify(mastraVersions(folder));
  const path = join(cacheFolder(), `mastra-${fingerprint(own, workload.messages, workload.seed, versions)}.db`);
  if (existsSync(path)) return path;
  const draft = `${path}.draft`;
  for (const end of ["", "-wal", "-shm"]) rmSync(`${draft}${end}`, { force: true });
  const { memory, store } = await open(folder, draft);
  await fillPeer(memory, workload);
  await store.close?.();
  // Its close leaves the write-ahead log beside the file.
  const file = new DatabaseSync(draft);
  file.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  file.close();
  renameSync(draft, path);
  return path;
}

/** The same turn with Mastra's memory on libSQL. */
export async function mastra(folder: string, path: string, workload: Workload): Promise<Contender> {
  const { memory, store } = await open(folder, path);
  return peerTurns("@mastra/memory on @mastra/libsql", memory, workload, () => store.close?.());
}
