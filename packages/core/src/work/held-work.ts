import type { MemoryStore } from "../contract/memory-store.ts";
import type { ConversationOwner } from "../contract/owner.ts";
import type { KeywordIndex } from "../contract/store-keyword.ts";
import type { VectorDocument, VectorModel } from "../contract/store-vectors.ts";
import type { WorkSettlement } from "../contract/store-work.ts";
import type { Engine } from "../memory/engine.ts";
import { moveMarks } from "./move-marks.ts";

/** The last turns of a conversation, indexed and embedded, held back to be written in one trip with what settles it. */
export interface HeldWork {
  /** When the conversation that was claimed was made: another one may have its id by the time that this is written. */
  readonly createdAt: string;
  index?: { batch: Parameters<KeywordIndex["index"]>[1]; turns: number };
  embed?: { model: VectorModel; documents: readonly VectorDocument[]; mark: string; through: number; turns: number };
}

/** What became of a piece that was held. */
export interface Written {
  work: "index" | "embed";
  turns: number;
  /** False where another worker did it meanwhile, or the store threw. */
  isOurs: boolean;
  error?: unknown;
}

/** Whether the store writes what is held in one trip. */
export const canHold = ({ finishWork, keyword, vectors }: MemoryStore): boolean =>
  finishWork !== undefined && keyword !== undefined && vectors !== undefined;

/**
 * Writes what is held, and settles where that is asked for, in one trip; `settle` is told whether all was written. Where that
 * trip fails it is done piece by piece: what can be written is, and what can't has its error. Rejects where settling fails.
 */
export async function writeHeld(
  engine: Engine,
  owner: ConversationOwner,
  held: HeldWork,
  settle?: (isWhole: boolean) => WorkSettlement,
): Promise<Written[]> {
  const { createdAt, index, embed } = held;
  delete held.index;
  delete held.embed;
  const written =
    index || embed || settle
      ? ((await writeTogether(engine, owner, { createdAt, index, embed }, settle?.(true))) ??
        (await writeSeparately(engine, owner, { createdAt, index, embed }, settle)))
      : [];
  for (const { work, turns, isOurs } of written) {
    const type = work === "index" ? "memory.indexed" : "memory.embedded";
    if (isOurs) engine.emit({ type, conversation: owner.conversation, turns });
  }
  return written;
}

type Pieces = { [Piece in Written["work"]]: HeldWork[Piece] | undefined };

/** `null` where the store has no way to, or failed. */
async function writeTogether(
  engine: Engine,
  owner: ConversationOwner,
  { createdAt, index, embed }: Pieces & Pick<HeldWork, "createdAt">,
  settlement: Omit<WorkSettlement, "createdAt"> = { holder: engine.holder, release: false },
): Promise<Written[] | null> {
  const store = await engine.store();
  if (store.finishWork === undefined) return null;
  const mark = embed === undefined ? {} : { [embed.mark]: embed.through };
  try {
    const { indexed } = await store.finishWork(owner, {
      ...(index === undefined ? {} : { index: index.batch }),
      ...(embed === undefined ? {} : { vectors: { model: embed.model, documents: embed.documents } }),
      settlement: { ...settlement, createdAt, watermarks: { ...settlement.watermarks, ...mark } },
    });
    const written: Written[] = [];
    if (index !== undefined) written.push({ work: "index", turns: index.turns, isOurs: indexed });
    if (embed !== undefined) written.push({ work: "embed", turns: embed.turns, isOurs: true });
    return written;
  } catch {
    return null;
  }
}

async function writeSeparately(
  engine: Engine,
  owner: ConversationOwner,
  { createdAt, index, embed }: Pieces & Pick<HeldWork, "createdAt">,
  settle: ((isWhole: boolean) => WorkSettlement) | undefined,
): Promise<Written[]> {
  const store = await engine.store();
  const written: Written[] = [];
  const attempt = async (work: Written["work"], turns: number, write: () => Promise<boolean>): Promise<void> => {
    try {
      written.push({ work, turns, isOurs: await write() });
    } catch (error) {
      written.push({ work, turns, isOurs: false, error });
    }
  };
  if (index !== undefined) {
    await attempt("index", index.turns, async () => (await store.keyword?.index(owner, index.batch)) ?? false);
  }
  if (embed !== undefined) {
    const { model, documents, mark, through, turns } = embed;
    await attempt("embed", turns, async () => {
      await store.vectors?.put(owner, { createdAt, model, documents });
      await moveMarks(engine, { id: owner.conversation, createdAt }, { [mark]: through });
      return true;
    });
  }
  if (settle !== undefined) {
    await store.settleWork(owner, { ...settle(written.every(({ error }) => error === undefined)), createdAt });
  }
  return written;
}
