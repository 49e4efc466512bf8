import { dropArtifacts } from "../artifacts/drop-artifacts.ts";
import type { Receipt } from "../contract/outcome.ts";
import type { ConversationOwner } from "../contract/owner.ts";
import type { ConversationRow } from "../contract/store-rows.ts";
import { allTurns } from "../conversation/all-turns.ts";
import { dropVectors } from "../search/drop-vectors.ts";
import { dropLostFailures } from "../work/failures.ts";
import type { Engine } from "./engine.ts";
import { mergeReceipts } from "./receipts.ts";

const PAGE = 100;

/** Erases everything of a subject, under every name that was linked to it. `subject` is resolved. */
export async function eraseSubject(engine: Engine, subject: string): Promise<Receipt> {
  const store = await engine.store();
  // What was filed under other names of the subject before they were linked is the subject's too.
  const identities = await store.listIdentities(engine.owner, { subject });
  const receipts: Receipt[] = [];
  for (const name of [...identities.map((row) => row.identity), subject]) {
    const items = await eraseSharedItems(engine, name);
    if (items > 0) receipts.push({ removed: { items }, residue: [] });
    receipts.push(await store.erase(engine.owner, { kind: "subject", subject: name }, { now: engine.moments.erase() }));
  }
  await dropLostFailures(engine);
  return mergeReceipts(receipts);
}

/**
 * Removes vectors and artifacts of what the subject said in conversations that are somebody else's now. Before the turns
 * themselves, so that an erasure that breaks off finds the rest again.
 */
async function eraseSharedItems(engine: Engine, subject: string): Promise<number> {
  const store = await engine.store();
  let items = 0;
  for (let after: { updatedAt: string; id: string } | undefined; ; ) {
    const query = { subject, former: true, limit: PAGE, ...(after === undefined ? {} : { after }) };
    const rows: ConversationRow[] = await store.listConversations(engine.owner, query);
    for (const row of rows) items += await eraseItemsOf(engine, { ...engine.owner, conversation: row.id }, subject);
    const last = rows.at(-1);
    if (rows.length < PAGE || last === undefined) return items;
    after = { updatedAt: last.updatedAt, id: last.id };
  }
}

async function eraseItemsOf(engine: Engine, owner: ConversationOwner, subject: string): Promise<number> {
  const turns = new Set<string>();
  for await (const turn of allTurns(engine, owner, { hidden: true })) if (turn.subject === subject) turns.add(turn.id);
  const vectors = await dropVectors(engine, owner, { turns: [...turns] });
  return vectors + (await dropArtifacts(engine, owner, ({ turn }) => turns.has(turn)));
}
