import type { ConversationOwner, MemoryStore, WorkBegin, WorkResult, WorkRows } from "@throughline/core";

/** What `beginWork` has to answer: each part by its own method. */
export async function beginParts(
  store: MemoryStore,
  owner: ConversationOwner,
  { turns: asked, records = [], ...claim }: WorkBegin,
): Promise<WorkRows | null> {
  const { tenant, agent, conversation: id } = owner;
  const agentOwner = { tenant, agent };
  const [conversation] = await store.claimWork(agentOwner, { ...claim, limit: 1, conversation: id });
  if (conversation === undefined) return null;
  const rows: WorkRows = { conversation, records: [] };
  for (const { namespace, keys } of records) {
    const found = await store.readRecords(agentOwner, { now: claim.now, namespace, keys, limit: 1_000 });
    rows.records.push(found.map(({ key, value }) => ({ key, value })));
  }
  if (asked === undefined) return rows;
  const after = Math.min(...asked.behind.map((name) => conversation.watermarks[name] ?? 0));
  const turns = await store.readTurns(owner, { after, limit: 1_000 });
  return turns.length > asked.limit ? rows : { ...rows, turns };
}

/** What `finishWork` has to do: each part by its own method. */
export async function finishParts(
  store: MemoryStore,
  owner: ConversationOwner,
  { index, vectors, settlement }: WorkResult,
): Promise<{ indexed: boolean; vectors: number }> {
  const { createdAt } = settlement;
  const of = createdAt === undefined ? {} : { createdAt };
  // Vectors can be refused, and then nothing of the rest may be there.
  const kept = vectors === undefined ? 0 : ((await store.vectors?.put(owner, { ...vectors, ...of })) ?? 0);
  const indexed = index !== undefined && (await store.keyword?.index(owner, { ...index, ...of })) === true;
  await store.settleWork(owner, settlement);
  return { indexed, vectors: kept };
}
