import type { CallOptions, MemoryStore } from "../contract/memory-store.ts";
import type { ConversationOwner } from "../contract/owner.ts";
import type { ItemCommit } from "../contract/store-items.ts";
import {
  type ArtifactRow,
  type Chunk,
  dataKey,
  dataPrefix,
  decodeMaker,
  decodeRow,
  encodeJson,
  idOfInfoKey,
  infoKey,
  infoPrefix,
} from "./artifact-rows.ts";

/** A chunk to write. */
export interface NewChunk extends Chunk {
  bytes: Uint8Array;
}

const withoutBytes = ({ bytes: _bytes, ...chunk }: NewChunk | (Chunk & { bytes?: never })): Chunk => chunk;

/** The newest version of an artifact; `null` where there is none. */
export async function readNewest(
  store: MemoryStore,
  owner: ConversationOwner,
  id: string,
  options: CallOptions,
): Promise<ArtifactRow | null> {
  const query = { prefix: infoPrefix(id), order: "descending", limit: 1 } as const;
  const [item] = await store.readItems(owner, query, options);
  return item ? decodeRow(item.key, item.bytes) : null;
}

/** Pages by their chunks; `null` where one is gone, since a newer version took its place. */
export async function readChunks(
  store: MemoryStore,
  owner: ConversationOwner,
  id: string,
  chunks: readonly Chunk[],
  options: CallOptions,
): Promise<Uint8Array[] | null> {
  if (chunks.length === 0) return [];
  const keys = chunks.map((chunk) => dataKey(id, chunk.key));
  const found = new Map((await store.readItems(owner, { keys }, options)).map((item) => [item.key, item.bytes]));
  const bytes = keys.flatMap((key) => found.get(key) ?? []);
  return bytes.length === keys.length ? bytes : null;
}

/**
 * Writes the first version. One that is there stays as it is: the same content of the same call is kept once. False where
 * the conversation, or the subject that is named, was erased since `beganAt`.
 */
export async function writeFirst(
  store: MemoryStore,
  owner: ConversationOwner,
  row: Omit<ArtifactRow, "chunks">,
  chunks: readonly NewChunk[],
  options: CallOptions & { beganAt?: string; subject?: string },
): Promise<boolean> {
  const stored: ArtifactRow = { ...row, chunks: chunks.map(withoutBytes) };
  return store.commitItems(
    owner,
    [
      ...chunks.map(
        (chunk): ItemCommit => ({
          action: "put",
          key: dataKey(row.id, chunk.key),
          bytes: chunk.bytes,
          ifAbsent: true,
        }),
      ),
      { action: "put", key: infoKey(row.id, row.version), bytes: encodeJson(stored), ifAbsent: true },
    ],
    options,
  );
}

/**
 * Writes the version after `current`, if nobody else did: items know no compare-and-set, but a key is given once. Of two
 * writers the first one's version stands, and each finds out by reading it. What the loser wrote beside is removed.
 */
export async function writeNext(
  store: MemoryStore,
  owner: ConversationOwner,
  current: ArtifactRow,
  row: Omit<ArtifactRow, "chunks">,
  chunks: readonly (Chunk | NewChunk)[],
  beganAt: string,
  options: CallOptions,
): Promise<boolean> {
  const fresh = chunks.filter((chunk): chunk is NewChunk => "bytes" in chunk);
  const stored: ArtifactRow = {
    ...row,
    chunks: chunks.map((chunk) => ("bytes" in chunk ? withoutBytes(chunk) : chunk)),
  };
  const key = infoKey(row.id, row.version);
  const isThere = await store.commitItems(
    owner,
    [
      ...fresh.map((chunk): ItemCommit => ({ action: "put", key: dataKey(row.id, chunk.key), bytes: chunk.bytes })),
      { action: "put", key, bytes: encodeJson(stored), ifAbsent: true },
    ],
    { ...options, beganAt },
  );
  // The conversation was erased after the artifact was read.
  if (!isThere) return false;
  const [written] = await store.readItems(owner, { keys: [key] }, options);
  const won = written !== undefined && decodeMaker(key, written.bytes).writer === row.writer;
  const kept = new Set(stored.chunks.map((chunk) => chunk.key));
  const stale = won ? current.chunks.filter((chunk) => !kept.has(chunk.key)) : fresh;
  const { version, writer, operation } = current;
  await store.commitItems(
    owner,
    [
      ...stale.map((chunk): ItemCommit => ({ action: "delete", key: dataKey(row.id, chunk.key) })),
      ...(won
        ? [
            {
              action: "put" as const,
              key: infoKey(row.id, version),
              bytes: encodeJson({ version, writer, ...(operation === undefined ? {} : { operation }) }),
            },
          ]
        : []),
    ],
    { ...options, beganAt },
  );
  return won;
}

/** The version that a patch of this key made, if one of the newest is of it. */
export async function findOperation(
  store: MemoryStore,
  owner: ConversationOwner,
  id: string,
  operation: string,
  options: CallOptions,
): Promise<number | null> {
  const query = { prefix: infoPrefix(id), order: "descending", limit: 50 } as const;
  const versions = await store.readItems(owner, query, options);
  const made = versions.map((item) => decodeMaker(item.key, item.bytes)).find((maker) => maker.operation === operation);
  return made?.version ?? null;
}

/** Removes an artifact with its pages. */
export async function eraseArtifact(
  store: MemoryStore,
  owner: ConversationOwner,
  id: string,
  options: CallOptions,
): Promise<void> {
  await store.commitItems(
    owner,
    [
      { action: "delete-prefix", prefix: infoPrefix(id) },
      { action: "delete-prefix", prefix: dataPrefix(id) },
    ],
    options,
  );
}

/** The artifacts of a conversation by id, without their pages; those after `after`. */
export async function readArtifacts(
  store: MemoryStore,
  owner: ConversationOwner,
  query: { after?: string | undefined; limit: number },
  options: CallOptions,
): Promise<ArtifactRow[]> {
  const found = new Map<string, { key: string; bytes: Uint8Array }>();
  // Behind every version of that artifact: versions are digits.
  let after = query.after === undefined ? undefined : `${infoPrefix(query.after)}~`;
  while (found.size <= query.limit) {
    const items = await store.readItems(
      owner,
      { prefix: infoPrefix(), ...(after === undefined ? {} : { after }), limit: 100 },
      options,
    );
    for (const item of items) found.set(idOfInfoKey(item.key), item);
    if (items.length < 100) break;
    after = items.at(-1)?.key;
  }
  return [...found.values()].slice(0, query.limit).flatMap((item) => decodeRow(item.key, item.bytes) ?? []);
}
