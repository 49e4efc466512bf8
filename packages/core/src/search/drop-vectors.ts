import type { ConversationOwner } from "../contract/owner.ts";
import type { ItemCommit } from "../contract/store-items.ts";
import type { VectorDocument, VectorSelection } from "../contract/store-vectors.ts";
import type { Engine } from "../memory/engine.ts";
import { decodeSegment, encodeSegment, modelPrefix, VECTOR_PREFIX } from "./vector-segments.ts";

const PAGE = 64;

/** Drops vectors of a conversation, those that any member of the selection names. Answers how many went. */
export async function dropVectors(
  engine: Engine,
  owner: ConversationOwner,
  selection: VectorSelection,
  options: { dryRun?: boolean } = {},
): Promise<number> {
  const { turns = [], messages = [], createdBefore, otherThan } = selection;
  const isNamed = turns.length > 0 || messages.length > 0 || otherThan !== undefined;
  if (!isNamed && createdBefore === undefined) return 0;
  const store = await engine.store();
  if (store.vectors) return store.vectors.drop(owner, selection, options);
  if (!isNamed && !(await isSomeSegmentOld(engine, owner, createdBefore ?? ""))) return 0;
  return dropFromSegments(engine, owner, selection, options);
}

async function dropFromSegments(
  engine: Engine,
  owner: ConversationOwner,
  { turns, messages, createdBefore = "", otherThan }: VectorSelection,
  { dryRun = false }: { dryRun?: boolean },
): Promise<number> {
  const store = await engine.store();
  const [inTurns, isMessage] = [new Set(turns), new Set(messages)];
  const isGone = ({ turn, message, createdAt }: VectorDocument): boolean =>
    inTurns.has(turn) || isMessage.has(message) || createdAt < createdBefore;
  let dropped = 0;
  for (let after: string | undefined; ; ) {
    const range = { prefix: VECTOR_PREFIX, limit: PAGE, ...(after === undefined ? {} : { after }) };
    const items = await store.readItems(owner, range);
    const commits: ItemCommit[] = [];
    for (const item of items) {
      const entries = decodeSegment(item.bytes);
      const isOther = otherThan !== undefined && !item.key.startsWith(modelPrefix(otherThan));
      const kept = isOther ? [] : entries.filter((entry) => !isGone(entry));
      if (kept.length === entries.length) continue;
      dropped += entries.length - kept.length;
      // Deleted first: what a put takes the place of may stay in a store's log for a while.
      commits.push({ action: "delete", key: item.key });
      const [first] = kept;
      if (first !== undefined) {
        commits.push({ action: "put", key: item.key, bytes: encodeSegment(first.vector.length, kept) });
      }
    }
    if (commits.length > 0 && !dryRun) await store.commitItems(owner, commits);
    const last = items.at(-1);
    if (items.length < PAGE || last === undefined) return dropped;
    after = last.key;
  }
}

/**
 * True where the oldest segment of some model holds a vector that is older. Segments are in order of time and go once they
 * are empty, so a conversation is not read through for what is old.
 */
async function isSomeSegmentOld(engine: Engine, owner: ConversationOwner, createdBefore: string): Promise<boolean> {
  const store = await engine.store();
  for (let after: string | undefined; ; ) {
    const range = { prefix: VECTOR_PREFIX, limit: 1, ...(after === undefined ? {} : { after }) };
    const [item] = await store.readItems(owner, range);
    if (item === undefined) return false;
    if (decodeSegment(item.bytes).some(({ createdAt }) => createdAt < createdBefore)) return true;
    // Behind all segments of this one's model.
    after = `${item.key.slice(0, item.key.lastIndexOf("/"))}/\uffff`;
  }
}
