import type { ConversationOwner } from "../contract/owner.ts";
import type { Engine } from "../memory/engine.ts";
import { allTurns } from "./all-turns.ts";
import { readFormer } from "./former-people.ts";

/**
 * Who may know something from a conversation: whom it is and was bound to, and whose turns are in it, under the names that
 * their facts are filed under. `undefined` among them is nobody.
 */
export async function peopleOf(
  engine: Engine,
  owner: ConversationOwner,
  bound: string | undefined,
): Promise<Set<string | undefined>> {
  const named = new Set([bound]);
  for await (const turn of allTurns(engine, owner, { hidden: true })) named.add(turn.subject);
  return withFormer(engine, owner, named);
}

/** The same where whom it is bound to and whose turns are in it is known. */
export async function withFormer(
  engine: Engine,
  owner: ConversationOwner,
  known: Iterable<string | undefined>,
): Promise<Set<string | undefined>> {
  const store = await engine.store();
  const named = new Set([...known, ...(await readFormer(engine, owner.conversation))]);
  const people = new Set(named);
  for (const name of named) if (name !== undefined) people.add(await store.resolveSubject(engine.owner, name));
  return people;
}
