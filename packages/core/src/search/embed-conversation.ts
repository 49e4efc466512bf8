import type { Embedder } from "../contract/models.ts";
import type { ConversationOwner } from "../contract/owner.ts";
import type { ConversationRow, TurnRow } from "../contract/store-rows.ts";
import type { VectorDocument } from "../contract/store-vectors.ts";
import { messageText } from "../conversation/message-text.ts";
import { callOf } from "../memory/call-options.ts";
import type { Engine } from "../memory/engine.ts";
import { isPrompt } from "../memory/resilience.ts";
import { cutAtGrapheme } from "../text/graphemes.ts";
import { type DueTurns, dueTurns } from "../work/begin-work.ts";
import type { HeldWork } from "../work/held-work.ts";
import { moveMarks } from "../work/move-marks.ts";
import { dropVectors } from "./drop-vectors.ts";
import { embedPatiently } from "./embed-patiently.ts";
import { type EmbeddingState, embeddingState } from "./embedding-model.ts";
import { measureFloors } from "./measure-floors.ts";
import { tellOtherModel } from "./tell-other-model.ts";
import { encodeSegment, segmentKey, vectorWatermark } from "./vector-segments.ts";

/** Turns embedded in one call: small enough for any provider's batch. */
const BATCH_TURNS = 16;
/** Longest text given to an embedder, in characters; what follows adds little to what a message is about. */
const MAX_TEXT_CHARS = 8_000;

/** How long other work waits for an embedder, in milliseconds: longer than one that runs in this process takes. */
const PROMPT_MS = 50;

/** The messages of a turn that get a vector. */
function embeddable(turn: TurnRow): { entry: Omit<VectorDocument, "vector">; text: string }[] {
  if (turn.hidden || (turn.status !== "completed" && turn.status !== "aborted")) return [];
  return turn.messages.flatMap((message, position) => {
    const said = message.role === "user" || message.role === "assistant";
    const text = said && message.origin !== "memory" ? messageText(message).trim() : "";
    if (text === "") return [];
    const { id, role, createdAt } = message;
    const entry = { turn: turn.id, seq: turn.seq, position, message: id, role, createdAt };
    return [{ entry, text: cutAtGrapheme(text, MAX_TEXT_CHARS) }];
  });
}

/** Keeps vectors in the store's index, or as a run of bytes where it has none. */
async function keepVectors(
  engine: Engine,
  { id, createdAt }: ConversationRow,
  { model, after, documents }: { model: Embedder; after: number; documents: readonly VectorDocument[] },
  signal?: AbortSignal,
): Promise<void> {
  const store = await engine.store();
  const owner = { ...engine.owner, conversation: id };
  const { modelId, dimensions } = model;
  if (store.vectors) {
    await store.vectors.put(owner, { createdAt, model: { modelId, dimensions }, documents }, callOf(signal));
    return;
  }
  // The key is the batch's place: embedding the same turns again puts the same segment in its place.
  const key = segmentKey(model, after + 1);
  const bytes = encodeSegment(dimensions, documents);
  await store.commitItems(owner, [{ action: "put", key, bytes }], callOf(signal));
  await dropUnsaid(engine, owner, documents);
}

/** Takes vectors back whose messages were erased while the embedder ran: nobody would find them later. */
async function dropUnsaid(engine: Engine, owner: ConversationOwner, entries: readonly VectorDocument[]): Promise<void> {
  const store = await engine.store();
  const ids = [...new Set(entries.map((entry) => entry.turn))];
  const turns = await store.readTurns(owner, { ids, limit: ids.length, hidden: true });
  const said = new Set(turns.flatMap((turn) => turn.messages.map((message) => message.id)));
  const unsaid = entries.map((entry) => entry.message).filter((id) => !said.has(id));
  if (unsaid.length > 0) await dropVectors(engine, owner, { messages: unsaid });
}

/** How the work on a conversation has it embedded. */
export interface EmbedWork {
  due: DueTurns;
  /** As it was read when the conversation was claimed. */
  state?: EmbeddingState | undefined;
  /** Where the last batch is held, where that is possible. */
  held?: HeldWork | undefined;
  /** Run where the embedder isn't prompt, or is asked for more: what is held shall not wait for it. */
  meanwhile?: (() => Promise<void>) | undefined;
  signal?: AbortSignal | undefined;
}

/**
 * Embeds a conversation's turns from the watermark on. Nothing is embedded where search is switched off, without an
 * embedder, or where the stored vectors come from another model: that takes a reindex. Answers how many turns it did.
 */
export async function embedConversation(
  engine: Engine,
  owner: ConversationOwner,
  row: ConversationRow,
  { due, state: read, held, meanwhile, signal }: EmbedWork,
): Promise<number> {
  const { embedder } = engine.options;
  if (embedder === undefined || !engine.policy.search.enabled) return 0;
  const isRead = read !== undefined && read.vectors !== "none";
  const state = isRead ? read : await embeddingState(engine, embedder, { claim: true });
  if (state.vectors === "other") tellOtherModel(engine, owner.conversation, embedder, state);
  if (state.vectors !== "current") return 0;
  const mark = vectorWatermark(embedder);
  const { vectorsMs } = engine.policy.retention;
  const oldest = vectorsMs === null ? "" : new Date(Date.parse(engine.now()) - vectorsMs).toISOString();
  let embedded = 0;
  let holds = 0;
  let pages = due;
  for (let after = row.watermarks[mark] ?? 0; after < row.lastSeq; ) {
    const turns = await pages({ after, limit: BATCH_TURNS }, signal);
    // The embedder may take long: what was erased meanwhile is not given to it.
    pages = dueTurns(engine, owner, { row });
    const through = turns.length < BATCH_TURNS ? row.lastSeq : (turns.at(-1) as TurnRow).seq;
    const texts = turns.filter((turn) => (turn.endedAt ?? turn.startedAt) >= oldest).flatMap(embeddable);
    const documents = await embedAll(engine, embedder, texts, { meanwhile, signal });
    // What is near isn't measured before there is something embedded.
    if (held !== undefined && through >= row.lastSeq && state.floors !== undefined) {
      const { modelId, dimensions } = embedder;
      held.embed = { model: { modelId, dimensions }, documents, mark, through, turns: turns.length };
      holds = turns.length;
      break;
    }
    if (documents.length > 0) await keepVectors(engine, row, { model: embedder, after, documents }, signal);
    await moveMarks(engine, row, { [mark]: through });
    after = through;
    embedded += turns.length;
  }
  if (embedded > 0) engine.emit({ type: "memory.embedded", conversation: owner.conversation, turns: embedded });
  if (embedded > 0 && state.floors === undefined) {
    await meanwhile?.();
    await measureFloors(engine, embedder, { signal });
  }
  return embedded + holds;
}

/** The vectors of some messages. */
async function embedAll(
  engine: Engine,
  embedder: Embedder,
  due: ReturnType<typeof embeddable>,
  { meanwhile, signal }: Pick<EmbedWork, "meanwhile" | "signal">,
): Promise<VectorDocument[]> {
  if (due.length === 0) return [];
  const texts = due.map((item) => item.text);
  const embedding = embedPatiently(engine, embedder, texts, { kind: "document", signal });
  if (meanwhile !== undefined && !(await isPrompt(embedding, PROMPT_MS))) await meanwhile();
  const vectors = await embedding;
  return due.map((item, index) => ({ ...item.entry, vector: vectors[index] as Float32Array }));
}
