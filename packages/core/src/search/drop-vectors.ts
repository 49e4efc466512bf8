import type { ConversationOwner } from "../contract/owner.ts";
import type { ItemCommit } from "../contract/store-items.ts";
import type { Engine } from "../memory/engine.ts";
import { decodeSegment, encodeSegment, VECTOR_PREFIX, type VectorEntry } from "./vector-segments.ts";

const PAGE = 64;

/** Removes the vectors of messages that `gone` names from all segments of a conversation. Answers how many went. */
export async function dropVectors(
  engine: Engine,
  owner: ConversationOwner,
  gone: (entry: VectorEntry) => boolean,
  options: { dryRun?: boolean } = {},
): Promise<number> {
  const store = await engine.store();
  let dropped = 0;
  for (let after: string | undefined; ; ) {
    const range = { prefix: VECTOR_PREFIX, limit: PAGE, ...(after === undefined ? {} : { after }) };
    const items = await store.readItems(owner, range);
    const commits: ItemCommit[] = [];
    for (const item of items) {
      const entries = decodeSegment(item.bytes);
      const kept = entries.filter((entry) => !gone(entry));
      if (kept.length === entries.length) continue;
      dropped += entries.length - kept.length;
      // Deleted first: what a put takes the place of may stay in a store's log for a while.
      commits.push({ action: "delete", key: item.key });
      const [first] = kept;
      if (first !== undefined) {
        commits.push({ action: "put", key: item.key, bytes: encodeSegment(first.vector.length, kept) });
      }
    }
    if (commits.length > 0 && !options.dryRun) await store.commitItems(owner, commits);
    const last = items.at(-1);
    if (items.length < PAGE || last === undefined) return dropped;
    after = last.key;
  }
}

/**
 * True where `isMeant` names a vector of the oldest segment of some model. Segments are in order of time and go once
 * they are empty, so a conversation is not read through for what is old.
 */
export async function someFirstVector(
  engine: Engine,
  owner: ConversationOwner,
  isMeant: (entry: VectorEntry) => boolean,
): Promise<boolean> {
  const store = await engine.store();
  for (let after: string | undefined; ; ) {
    const range = { prefix: VECTOR_PREFIX, limit: 1, ...(after === undefined ? {} : { after }) };
    const [item] = await store.readItems(owner, range);
    if (item === undefined) return false;
    if (decodeSegment(item.bytes).some(isMeant)) return true;
    // Behind all segments of this one's model.
    after = `${item.key.slice(0, item.key.lastIndexOf("/"))}/\uffff`;
  }
}
