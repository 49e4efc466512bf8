import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type BaseCheckpointSaver, MemorySaver } from "@langchain/langgraph-checkpoint";
import { versionOf } from "../lib/folders.ts";
import { withClient } from "../lib/postgres-server.ts";
import type { Contender } from "./contender.ts";
import { fileBytes, schemaBytes } from "./ours.ts";

const PACKAGES = ["@langchain/langgraph-checkpoint-sqlite", "@langchain/langgraph-checkpoint-postgres"];

// What is used of the peers: they are no dependency, so their own types aren't at hand.
type OfficialSaver = BaseCheckpointSaver & { setup(): Promise<void>; end(): Promise<void>; db: { close(): void } };
interface OfficialModules {
  SqliteSaver: { fromConnString(path: string): OfficialSaver };
  PostgresSaver: { fromConnString(url: string, options: { schema: string }): OfficialSaver };
}

/** Versions of what is installed in the peers' folder. */
export const officialVersions = (folder: string): Record<string, string> =>
  Object.fromEntries(PACKAGES.map((name) => [name, versionOf(join(folder, "node_modules", name, "package.json"))]));

async function load(folder: string): Promise<OfficialModules> {
  const require = createRequire(join(folder, "package.json"));
  const modules = await Promise.all(PACKAGES.map((name) => import(pathToFileURL(require.resolve(name)).href)));
  return Object.assign({}, ...modules);
}

/** Everything that it holds serialised. */
function savedBytes(saver: MemorySaver): number {
  const parts = [saver.storage, saver.writes];
  let bytes = 0;
  const count = (value: unknown): void => {
    if (value instanceof Uint8Array) bytes += value.length;
    else if (typeof value === "string") bytes += value.length;
    else if (typeof value === "object" && value !== null) for (const member of Object.values(value)) count(member);
  };
  for (const part of parts) count(part);
  return bytes;
}

export function inMemory(): Contender {
  const saver = new MemorySaver();
  return { name: "MemorySaver", saver, bytes: () => savedBytes(saver), close: async () => {} };
}

export async function officialSqlite(peers: string, folder: string): Promise<Contender> {
  const { SqliteSaver } = await load(peers);
  const path = join(folder, "official.db");
  const saver = SqliteSaver.fromConnString(path);
  return { name: "SqliteSaver", saver, bytes: () => fileBytes(path), close: async () => saver.db.close() };
}

export async function officialPostgres(peers: string, url: string, name: string): Promise<Contender> {
  const { PostgresSaver } = await load(peers);
  const schema = `official_${name}`;
  const saver = PostgresSaver.fromConnString(url, { schema });
  await saver.setup();
  return {
    name: "PostgresSaver",
    saver,
    bytes: () => schemaBytes(url, schema),
    async close() {
      await saver.end();
      await withClient(url, (client) => client.query(`DROP SCHEMA IF EXISTS "${schema}" CASCADE`));
    },
  };
}
