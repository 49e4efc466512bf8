import { dropSegments } from "../carry-over/segments.ts";
import { checkId } from "../checks/ids.ts";
import type { Outcome } from "../contract/outcome.ts";
import type { ConversationRow } from "../contract/store-rows.ts";
import { allTurns } from "../conversation/all-turns.ts";
import { noteFormer } from "../conversation/former-people.ts";
import { dropQuarantined } from "../extract/quarantine.ts";
import { factOwner } from "../facts/fact-owner.ts";
import { moveFacts } from "../facts/move-facts.ts";
import type { Engine } from "./engine.ts";

const PAGE = 100;

/** Stamps turns of a conversation with a subject: those that `isMeant` names. Answers how many there were. */
async function restamp(
  engine: Engine,
  conversation: string,
  subject: string,
  isMeant: (stamped: string | undefined) => boolean,
): Promise<number> {
  const store = await engine.store();
  const owner = { ...engine.owner, conversation };
  let moved = 0;
  for await (const turn of allTurns(engine, owner, { hidden: true })) {
    if (turn.subject === subject || !isMeant(turn.subject)) continue;
    moved += await store.changeTurns(owner, [{ turn: turn.id, action: "restamp", subject }]);
  }
  return moved;
}

/** Binds a conversation to another subject. Nothing was said in it, so it keeps its place in listings. */
async function bind(engine: Engine, row: ConversationRow, subject: string): Promise<void> {
  const store = await engine.store();
  await store.changeConversation({ ...engine.owner, conversation: row.id }, { now: row.updatedAt, subject });
}

/** Files one conversation, all its turns included, under a subject. Answers how many turns were another's. */
export async function refile(engine: Engine, row: ConversationRow, subject: string): Promise<number> {
  if (row.subject !== undefined && row.subject !== subject) {
    await dropSegments(engine, row.subject, { conversation: row.id });
    await dropQuarantined(engine, row.id, row.subject);
    await noteFormer(engine, row.id, row.subject);
  }
  await bind(engine, row, subject);
  return restamp(engine, row.id, subject, () => true);
}

/** Files what stands under an identity under its subject: its conversations, and its turns wherever they are. */
async function refileIdentity(engine: Engine, identity: string, subject: string): Promise<number> {
  const store = await engine.store();
  let moved = 0;
  for (const former of [false, true]) {
    for (;;) {
      // What was moved isn't listed again; a link that was cut short left turns in conversations it had bound already.
      const rows = await store.listConversations(engine.owner, { subject: identity, former, limit: PAGE });
      for (const row of rows) {
        if (!former) await bind(engine, row, subject);
        await restamp(engine, row.id, subject, (stamped) => stamped === identity);
      }
      moved += rows.length;
      if (rows.length < PAGE) break;
    }
  }
  return moved;
}

/** Binds conversations that have checkpoints and nothing else: no row of theirs names the identity, their threads do. */
async function refileCheckpoints(engine: Engine, identity: string, subject: string): Promise<number> {
  const store = await engine.store();
  if (store.checkpoints === undefined) return 0;
  for (let moved = 0; ; ) {
    // What was moved isn't listed again.
    const threads = await store.checkpoints.threads(engine.owner, { subject: identity, limit: PAGE });
    for (const { conversation, updatedAt } of threads) {
      const owner = { ...engine.owner, conversation };
      await store.changeConversation(owner, { now: updatedAt, subject, create: true });
    }
    moved += threads.length;
    if (threads.length < PAGE) return moved;
  }
}

/**
 * Makes `identity` another name of `subject`. What was filed under the identity so far is filed under the subject, so
 * that one person has one memory. Linked again to the same subject it changes nothing.
 */
export async function linkIdentity(engine: Engine, link: { identity: string; subject: string }): Promise<Outcome> {
  checkId(link.identity, "identity");
  checkId(link.subject, "subject id");
  const store = await engine.store();
  const subject = await store.resolveSubject(engine.owner, link.subject);
  const { identity } = link;
  if (identity === subject) return { status: "unchanged", id: subject };
  const already = (await store.resolveSubject(engine.owner, identity)) === subject;
  // Names of the identity become names of the subject: resolving takes one step.
  for (const other of await store.listIdentities(engine.owner, { subject: identity })) {
    await store.linkIdentity(engine.owner, { ...other, subject });
  }
  // Linked before the rest moves, so that nothing is written under the old name meanwhile.
  if (!already) await store.linkIdentity(engine.owner, { identity, subject, since: engine.now() });
  let moved = await refileIdentity(engine, identity, subject);
  moved += await refileCheckpoints(engine, identity, subject);
  for (const scope of ["user", "global"] as const) {
    const from = factOwner({ ...engine.owner, subject: identity }, scope);
    const to = factOwner({ ...engine.owner, subject }, scope);
    if (from && to) moved += await moveFacts(engine, from, to);
  }
  if (already && moved === 0) return { status: "unchanged", id: subject };
  engine.emit({ type: "memory.changed", subject, operation: "link", items: moved });
  return { status: "stored", id: subject };
}

/** Ends a link: what is written from now on is the identity's own again. What was merged stays with the subject. */
export async function unlinkIdentity(engine: Engine, identity: string): Promise<Outcome> {
  checkId(identity, "identity");
  const store = await engine.store();
  if (!(await store.unlinkIdentity(engine.owner, identity))) {
    return { status: "unchanged", id: identity, code: "NOT_FOUND", reason: "The identity was not linked." };
  }
  engine.emit({ type: "memory.changed", subject: identity, operation: "unlink", items: 1 });
  return { status: "stored", id: identity };
}
