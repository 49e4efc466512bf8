import type { ToolResultPart } from "../contract/message.ts";
import type { ConversationOwner } from "../contract/owner.ts";
import { MemoryError } from "../errors/memory-error.ts";
import { callOf } from "../memory/call-options.ts";
import type { Engine } from "../memory/engine.ts";
import { codeOf, retryingWrite, throwIfAborted, withDeadline } from "../memory/resilience.ts";
import { isArtifactTool } from "../tools/tool-names.ts";
import { artifactId } from "./artifact-id.ts";
import { writeFirst } from "./artifact-store.ts";
import { toBase64 } from "./base64.ts";
import { contentChunks } from "./build-chunks.ts";
import { type CutOptions, cutResult } from "./cut-result.ts";
import { previewChars, previewOf, type Whereabouts, withPreviews } from "./preview.ts";
import { contentLength, oversizePieces, type Piece } from "./result-content.ts";

/** Where a result comes from, and who is to read it. */
export interface OffloadContext extends CutOptions {
  /** The turn it belongs to, and when it began. */
  turn: string;
  startedAt: string;
  /** Whose turn it is: what was erased of a subject since the turn began takes nothing in. */
  subject?: string | undefined;
  /** The model has `get_artifact`. Without it the result is cut with a mark. */
  hasTools: boolean;
  signal?: AbortSignal | undefined;
}

/** A result made fit for the prompt. */
export interface Offloaded {
  /** For the prompt. */
  shown: ToolResultPart;
  /** For the recorded turn: the same, or the whole result where the store could not take it. */
  recorded: ToolResultPart;
  /** Ids of the artifacts that hold what was taken out. */
  artifacts: string[];
}

/**
 * Keeps what is too large in a tool result as artifacts. A result of at most `offloadChars` comes back as it is. The
 * same result again has the same id and is kept once. A store that fails or is slow is reported, and the result cut for
 * the prompt; `strict` rejects instead. An abort rejects with `ABORTED`.
 */
export async function offloadResult(
  engine: Engine,
  owner: ConversationOwner,
  part: ToolResultPart,
  context: OffloadContext,
): Promise<Offloaded> {
  throwIfAborted(context.signal, "offload");
  const { offloadChars } = engine.policy.artifacts;
  const chars = previewChars(offloadChars);
  // A page that was asked for is not kept again.
  const pieces = isArtifactTool(part.tool)
    ? []
    : oversizePieces(part, { maxChars: offloadChars, previewChars: chars, keepMedia: context.keepMedia });
  if (pieces.length === 0) return { shown: part, recorded: part, artifacts: [] };
  try {
    const keep = async () => {
      const kept: { piece: Piece; id: string; pages: number }[] = [];
      for (const piece of pieces) kept.push({ piece, ...(await keepPiece(engine, owner, part, piece, context)) });
      return kept;
    };
    const kept = await withDeadline(keep(), engine.readTimeoutMs, "offload");
    const { conversation } = owner;
    engine.emit({ type: "memory.offloaded", conversation, turn: context.turn, artifacts: kept.length });
    const previews = kept.map(({ piece, id, pages }) => {
      const where: Whereabouts = context.hasTools
        ? { kept: true, id, pages, tools: true }
        : { kept: true, id, tools: false };
      return { piece, text: previewOf(piece.content, where, chars) };
    });
    const shown = withPreviews(part, previews);
    return { shown, recorded: shown, artifacts: kept.map(({ id }) => id) };
  } catch (error) {
    throwIfAborted(context.signal, "offload");
    // What was erased since the turn began takes nothing in, and the turn itself will be refused.
    if (engine.strict && codeOf(error) !== "ERASED") throw error;
    if (codeOf(error) === "TIMEOUT") {
      engine.emit({
        type: "memory.write_failed",
        conversation: owner.conversation,
        operation: "artifact",
        code: "TIMEOUT",
        attempts: 1,
      });
    }
    return { shown: cutResult(part, offloadChars, context), recorded: part, artifacts: [] };
  }
}

async function keepPiece(
  engine: Engine,
  owner: ConversationOwner,
  part: ToolResultPart,
  { at, content }: Piece,
  { turn, startedAt, subject, signal }: OffloadContext,
): Promise<{ id: string; pages: number }> {
  const body = content.kind === "binary" ? toBase64(content.bytes) : content.text;
  const id = artifactId(owner, JSON.stringify([turn, part.callId, at, content.kind, content.mediaType, body]));
  const chunks = contentChunks(content, engine.policy.artifacts.pageChars, "1");
  const now = engine.now();
  const row = {
    id,
    kind: content.kind,
    mediaType: content.mediaType,
    name: content.name,
    characters: contentLength(content),
    tool: part.tool,
    callId: part.callId,
    turn,
    createdAt: now,
    updatedAt: now,
    version: 1,
    writer: id,
  };
  const store = await engine.store();
  const options = { ...callOf(signal), beganAt: startedAt, ...(subject === undefined ? {} : { subject }) };
  if (!(await retryingWrite(engine, "artifact", () => writeFirst(store, owner, row, chunks, options)))) {
    throw new MemoryError("ERASED", `The conversation "${owner.conversation}" was erased after the turn began.`);
  }
  return { id, pages: Math.max(1, chunks.length) };
}
