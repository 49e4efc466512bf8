import { dropArtifacts } from "../artifacts/drop-artifacts.ts";
import type { Receipt } from "../contract/outcome.ts";
import type { ConversationRow } from "../contract/store-rows.ts";
import { allTurns } from "../conversation/all-turns.ts";
import { changedHands, dropFormer, readFormer } from "../conversation/former-people.ts";
import { peopleOf } from "../conversation/people-of.ts";
import { dropQuarantined } from "../extract/quarantine.ts";
import { dropQuotes, factsAround, factsOf, factsOfApp } from "../facts/drop-quotes.ts";
import { HISTORY_LIMIT, readOwner } from "../facts/fact-access.ts";
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
  const names = new Set([...identities.map((row) => row.identity), subject]);
  for (const name of names) {
    receipts.push(await eraseShared(engine, name, names));
    receipts.push(await store.erase(engine.owner, { kind: "subject", subject: name }, { now: engine.moments.erase() }));
  }
  await dropLostFailures(engine);
  return mergeReceipts(receipts);
}

/**
 * Removes what others' conversations and others' facts hold of the subject's: before the turns themselves, so that an erasure
 * that breaks off finds the rest again.
 */
async function eraseShared(engine: Engine, subject: string, names: ReadonlySet<string>): Promise<Receipt> {
  // Facts under any name of the subject go as they are.
  const others = (people: Iterable<string | undefined>) => [...people].filter((name) => !names.has(name ?? ""));
  let items = 0;
  let facts = 0;
  for await (const row of conversationsWith(engine, { subject, former: true })) {
    const owner = { ...engine.owner, conversation: row.id };
    const turns = new Set<string>();
    for await (const turn of allTurns(engine, owner, { hidden: true }))
      if (turn.subject === subject) turns.add(turn.id);
    items += await dropVectors(engine, owner, { turns: [...turns] });
    items += await dropArtifacts(engine, owner, ({ turn }) => turns.has(turn));
    const people = others(await peopleOf(engine, owner, row.subject));
    const erased = new Map([...turns].map((id) => [id, { gone: "", left: "" }]));
    const kept = await dropQuotes(engine, factsAround(engine, owner, people), { conversation: row.id, turns: erased });
    facts += kept.length;
  }
  facts += await dropFromApp(engine, subject);
  const isFormer = await changedHands(engine);
  for await (const { id } of conversationsWith(engine, { subject })) {
    if (isFormer(id)) facts += await dropFromFormer(engine, id, others);
  }
  return {
    removed: items === 0 ? {} : { items },
    residue: [],
    ...(facts === 0 ? {} : { kept: { facts } }),
  };
}

/** A conversation goes with whom it is bound to; whom it was bound to before may know something from it. */
async function dropFromFormer(
  engine: Engine,
  conversation: string,
  others: (people: Iterable<string>) => (string | undefined)[],
): Promise<number> {
  const former = await readFormer(engine, conversation);
  const store = await engine.store();
  const people = new Set(former);
  for (const name of former) people.add(await store.resolveSubject(engine.owner, name));
  for (const person of people) await dropQuarantined(engine, conversation, person);
  const kept = await dropQuotes(engine, factsOf(engine, others(people)), { conversation });
  await dropFormer(engine, conversation);
  return kept.length;
}

/** What the app's facts quote of conversations that go with the subject. */
async function dropFromApp(engine: Engine, subject: string): Promise<number> {
  const store = await engine.store();
  const app = factsOfApp(engine);
  const { facts } = await readOwner(engine, app, { now: engine.now(), history: true, limit: HISTORY_LIMIT });
  const quoted = facts.flatMap(({ source }) => (source?.quote === undefined ? [] : source.conversation));
  let kept = 0;
  for (const conversation of new Set(quoted)) {
    const row = await store.readConversation({ ...engine.owner, conversation });
    if (row?.subject === subject) kept += (await dropQuotes(engine, [app], { conversation })).length;
  }
  return kept;
}

async function* conversationsWith(
  engine: Engine,
  which: { subject: string; former?: boolean },
): AsyncGenerator<ConversationRow> {
  const store = await engine.store();
  for (let after: { updatedAt: string; id: string } | undefined; ; ) {
    const query = { ...which, limit: PAGE, ...(after === undefined ? {} : { after }) };
    const rows: ConversationRow[] = await store.listConversations(engine.owner, query);
    yield* rows;
    const last = rows.at(-1);
    if (rows.length < PAGE || last === undefined) return;
    after = { updatedAt: last.updatedAt, id: last.id };
  }
}
