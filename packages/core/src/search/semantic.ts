import type { KeywordScope, PostingQuery } from "../contract/store-keyword.ts";
import type { ConversationRow } from "../contract/store-rows.ts";
import { callOf } from "../memory/call-options.ts";
import type { Engine } from "../memory/engine.ts";
import { decodeSegment, modelPrefix, type VectorEntry } from "./vector-segments.ts";

/** A message near the query, with the cosine as score. */
export interface Near {
  conversation: string;
  subject: string | undefined;
  entry: VectorEntry;
  score: number;
}

const PAGE = 64;

/** Conversations of a scope, page by page. */
export async function* conversationsIn(
  engine: Engine,
  scope: KeywordScope,
  signal?: AbortSignal,
): AsyncGenerator<ConversationRow> {
  const store = await engine.store();
  const call = callOf(signal);
  if (scope.kind === "conversation") {
    const row = await store.readConversation({ ...engine.owner, conversation: scope.conversation }, call);
    if (row) yield row;
    return;
  }
  const query = scope.kind === "subject" ? { subject: scope.subject } : {};
  let after: { updatedAt: string; id: string } | undefined;
  for (;;) {
    const page: ConversationRow[] = await store.listConversations(
      engine.owner,
      { ...query, limit: PAGE, ...(after === undefined ? {} : { after }) },
      call,
    );
    yield* page;
    const last = page.at(-1);
    if (page.length < PAGE || last === undefined) return;
    after = { updatedAt: last.updatedAt, id: last.id };
  }
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let index = 0; index < a.length; index++) sum += (a[index] as number) * (b[index] as number);
  return sum;
}

/**
 * Messages of a scope whose vectors are near the query's, best first: an exact scan over the segments of the scope's
 * conversations, at or above `floor`. Its cost follows the owner's messages, not the store's.
 */
export async function nearest(
  engine: Engine,
  scope: KeywordScope,
  query: { vector: Float32Array; modelId: string; floor: number; filter: PostingQuery },
  signal?: AbortSignal,
): Promise<Near[]> {
  const store = await engine.store();
  const prefix = modelPrefix(query.modelId);
  const found: Near[] = [];
  const { filter } = query;
  for await (const row of conversationsIn(engine, scope, signal)) {
    if (filter.conversation !== undefined && row.id !== filter.conversation) continue;
    const owner = { ...engine.owner, conversation: row.id };
    for (let after: string | undefined; ; ) {
      const items = await store.readItems(
        owner,
        { prefix, limit: PAGE, ...(after === undefined ? {} : { after }) },
        callOf(signal),
      );
      for (const entry of items.flatMap((item) => decodeSegment(item.bytes))) {
        if (!passes(row.id, entry, filter)) continue;
        const score = dot(entry.vector, query.vector);
        if (score >= query.floor) found.push({ conversation: row.id, subject: row.subject, entry, score });
      }
      const last = items.at(-1);
      if (items.length < PAGE || last === undefined) break;
      after = last.key;
    }
  }
  return found.sort((a, b) => b.score - a.score);
}

const passes = (conversation: string, entry: VectorEntry, filter: PostingQuery): boolean =>
  (filter.role === undefined || entry.role === filter.role) &&
  (filter.from === undefined || entry.createdAt >= filter.from) &&
  (filter.to === undefined || entry.createdAt < filter.to) &&
  !(filter.exclude && conversation === filter.exclude.conversation && entry.seq > filter.exclude.after);
