import type { Artifact, ArtifactEdit, ArtifactPatch } from "../contract/artifact.ts";
import type { CallOptions, MemoryStore } from "../contract/memory-store.ts";
import type { ConversationOwner } from "../contract/owner.ts";
import { MemoryError } from "../errors/memory-error.ts";
import { callOf } from "../memory/call-options.ts";
import type { Engine, EventDraft } from "../memory/engine.ts";
import { retryingWrite, throwIfAborted, withDeadline } from "../memory/resilience.ts";
import { contentHash } from "../text/hash.ts";
import { isArtifactId, isArtifactOf } from "./artifact-id.ts";
import { type ArtifactRow, decodeText, publicInfo } from "./artifact-rows.ts";
import { eraseArtifact, findOperation, readChunks, readNewest, writeNext } from "./artifact-store.ts";
import { concatBytes, toBase64 } from "./base64.ts";
import { pageSize, textChunks } from "./build-chunks.ts";
import { checkEdits } from "./check-edits.ts";
import { editText } from "./edit-text.ts";
import { resplit } from "./split-text.ts";

/** How often something is read again because somebody changed it meanwhile. */
const TRIES = 4;

/** What the handle of an artifact shares with its conversation. */
export interface ArtifactHandleOptions {
  /** Runs before each call; rejects where the conversation belongs to somebody else. */
  checkOwner?: (store: MemoryStore, options: CallOptions) => Promise<void>;
  /** Is told what was read and changed. */
  report?: (event: EventDraft) => void;
}

function notFound(owner: ConversationOwner, id: string): MemoryError {
  const shown = id.slice(0, 40).toWellFormed();
  const [why, says] = !isArtifactId(id)
    ? ["malformed", `"${shown}" is no artifact id; copy it exactly as the result shows it.`]
    : isArtifactOf(owner, id)
      ? ["missing", `The artifact "${shown}" isn't there any more.`]
      : ["other-conversation", `The artifact "${shown}" belongs to another conversation.`];
  return new MemoryError("NOT_FOUND", says, { details: { id: shown, why } });
}

/** A handle on one artifact of a conversation. Reads and writes nothing by itself; any id may be given. */
export function createArtifact(
  engine: Engine,
  owner: ConversationOwner,
  id: string,
  { checkOwner, report = () => {} }: ArtifactHandleOptions = {},
): Artifact {
  const { conversation } = owner;
  const reportRead = (items: number): void =>
    report({ type: "memory.read", conversation, operation: "artifact", items });
  const reportChange = (operation: "patch_artifact" | "delete_artifact"): void =>
    report({ type: "memory.changed", conversation, operation, items: 1 });

  /** Opens the store for one call, under the deadline of reads: a model waits for the answer. */
  const call = <T>(
    what: string,
    { signal }: CallOptions,
    work: (store: MemoryStore, options: CallOptions) => Promise<T>,
  ) => {
    const options = callOf(signal);
    const run = async () => {
      throwIfAborted(signal, what);
      // Nothing else can be the end of a key of this conversation's.
      if (typeof id !== "string" || !isArtifactId(id)) throw notFound(owner, String(id));
      const store = await engine.store();
      await checkOwner?.(store, options);
      return work(store, options);
    };
    return withDeadline(run(), engine.readTimeoutMs, what);
  };

  const newest = async (store: MemoryStore, options: CallOptions): Promise<ArtifactRow> => {
    const row = await readNewest(store, owner, id, options);
    if (row === null) throw notFound(owner, id);
    return row;
  };

  /** The newest version with pages of it, read again where a patch took pages away in between. */
  const newestWith = async (
    store: MemoryStore,
    options: CallOptions,
    choose: (row: ArtifactRow) => ArtifactRow["chunks"],
  ): Promise<{ row: ArtifactRow; bytes: Uint8Array[] }> => {
    for (let attempt = 0; attempt < TRIES; attempt++) {
      const row = await newest(store, options);
      const bytes = await readChunks(store, owner, id, choose(row), options);
      if (bytes) return { row, bytes };
    }
    throw new MemoryError("STORE_CORRUPT", `Pages of the artifact "${id}" are missing.`, { details: { id } });
  };

  const textOf = (chunk: ArtifactRow["chunks"][number] | undefined, bytes: Uint8Array): string =>
    decodeText(chunk?.key ?? "", bytes, chunk?.escaped);

  const patchOnce = async (
    store: MemoryStore,
    options: CallOptions,
    edits: readonly ArtifactEdit[],
    wanted: { ifVersion?: number | undefined; idempotencyKey?: string | undefined },
  ): Promise<ArtifactPatch | "again"> => {
    const beganAt = engine.now();
    const { row, bytes } = await newestWith(store, options, ({ chunks, kind }) => (kind === "binary" ? [] : chunks));
    const { version } = row;
    if (row.kind === "binary") {
      const reason = `This is ${row.mediaType}, which has no text to edit.`;
      return { status: "refused", refusal: "binary", reason, version };
    }
    if (wanted.ifVersion !== undefined && wanted.ifVersion !== version) {
      const reason = `The artifact is at version ${version} now; read it again before changing it.`;
      return { status: "refused", refusal: "conflict", reason, version };
    }
    const old = bytes.map((page, index) => textOf(row.chunks[index], page));
    const text = old.join("");
    const edited = editText(text, edits);
    if (!edited.ok) {
      const { refusal, edit, reason } = edited;
      return { status: "refused", refusal, edit, reason, version };
    }
    if (edited.text === text) return { status: "unchanged", version };
    const size = pageSize(engine.policy.artifacts.pageChars);
    const { before, after, pieces } = resplit(old, edited.text, size);
    const writer = contentHash(engine.createId());
    const next = {
      ...row,
      characters: edited.text.length,
      updatedAt: engine.now(),
      version: version + 1,
      writer,
      operation: wanted.idempotencyKey,
    };
    const chunks = [
      ...row.chunks.slice(0, before),
      ...textChunks(pieces, `${version + 1}-${writer}`),
      ...row.chunks.slice(row.chunks.length - after),
    ];
    const won = await retryingWrite(engine, "artifact", () =>
      writeNext(store, owner, row, next, chunks, beganAt, options),
    );
    if (!won) return "again";
    return {
      status: "patched",
      version: version + 1,
      pages: Math.max(1, chunks.length),
      characters: edited.text.length,
    };
  };

  return {
    id,
    info: (options = {}) =>
      call("artifact info", options, async (store, signal) => {
        const row = await newest(store, signal);
        reportRead(1);
        return publicInfo(row);
      }),

    page: (page, options = {}) =>
      call("artifact page", options, async (store, signal) => {
        const { row, bytes } = await newestWith(store, signal, ({ chunks }) => {
          const pages = Math.max(1, chunks.length);
          if (!Number.isInteger(page) || page < 1 || page > pages) {
            throw new MemoryError("INVALID_ARGUMENT", `The artifact has pages 1 to ${pages}.`, { details: { pages } });
          }
          return chunks.slice(page - 1, page);
        });
        reportRead(1);
        const [first] = bytes;
        const text =
          first === undefined ? "" : row.kind === "binary" ? toBase64(first) : textOf(row.chunks[page - 1], first);
        return {
          id,
          page,
          pages: Math.max(1, row.chunks.length),
          text,
          encoding: row.kind === "binary" ? "base64" : "text",
          mediaType: row.mediaType,
          firstLine: row.chunks.slice(0, page - 1).reduce((line, chunk) => line + chunk.lines, 1),
          version: row.version,
        };
      }),

    bytes: (options = {}) =>
      call("artifact bytes", options, async (store, signal) => {
        const { row, bytes } = await newestWith(store, signal, ({ chunks }) => chunks);
        reportRead(Math.max(1, bytes.length));
        return row.kind === "binary"
          ? concatBytes(bytes)
          : new TextEncoder().encode(bytes.map((page, index) => textOf(row.chunks[index], page)).join(""));
      }),

    patch: (edits, options = {}) =>
      call("artifact patch", options, async (store, signal): Promise<ArtifactPatch> => {
        checkEdits(edits);
        const { ifVersion, idempotencyKey } = options;
        if (idempotencyKey !== undefined) {
          const done = await findOperation(store, owner, id, idempotencyKey, signal);
          if (done !== null) return { status: "unchanged", version: (await newest(store, signal)).version };
        }
        // Line numbers mean the version that was read; texts mean themselves.
        const repeatable = edits.every((edit) => "find" in edit);
        for (let attempt = 0; attempt < TRIES; attempt++) {
          const outcome = await patchOnce(store, signal, edits, { ifVersion, idempotencyKey });
          if (outcome !== "again") {
            if (outcome.status === "patched") reportChange("patch_artifact");
            return outcome;
          }
          if (!repeatable) break;
        }
        const reason = "Somebody else changed the artifact at the same moment; read it again before changing it.";
        return { status: "refused", refusal: "conflict", reason, version: (await newest(store, signal)).version };
      }),

    delete: (options = {}) =>
      call("artifact delete", options, async (store, signal) => {
        if ((await readNewest(store, owner, id, signal)) === null) return false;
        await retryingWrite(engine, "artifact", () => eraseArtifact(store, owner, id, signal));
        reportChange("delete_artifact");
        return true;
      }),
  };
}
