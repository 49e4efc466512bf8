import type { Engine } from "../memory/engine.ts";

/** Records of the library itself; `records` refuses hosts a label that begins with U+0001. */
const ROOT = ["\u0001throughline", "former-people"] as const;
const READ_LIMIT = 1_000;
const MOST_NOTED = 10_000;

/**
 * Notes whom a conversation was bound to before: facts of that person may rest on what was said in it, and nothing in the
 * conversation names them any more. The note goes with the person, and with the conversation.
 */
export async function noteFormer(engine: Engine, conversation: string, subject: string): Promise<void> {
  const store = await engine.store();
  const note = { namespace: [...ROOT, conversation], key: subject, value: true, subject };
  await store.commitRecords(engine.owner, [note], { now: engine.now() });
}

/** Whom a conversation was bound to before. */
export async function readFormer(engine: Engine, conversation: string): Promise<string[]> {
  const store = await engine.store();
  const query = { now: engine.now(), namespace: [...ROOT, conversation], limit: READ_LIMIT };
  return (await store.readRecords(engine.owner, query)).map(({ key }) => key);
}

/** Whether a conversation may have been another person's before; for many conversations at once. */
export async function changedHands(engine: Engine): Promise<(conversation: string) => boolean> {
  const store = await engine.store();
  const query = { prefix: ROOT, limit: MOST_NOTED, now: engine.now() };
  const noted = await store.listNamespaces(engine.owner, query);
  const conversations = new Set(noted.map((labels) => labels[ROOT.length]));
  return (conversation) => noted.length === MOST_NOTED || conversations.has(conversation);
}

/** Removes the notes of a conversation that is erased. */
export async function dropFormer(engine: Engine, conversation: string): Promise<void> {
  const keys = await readFormer(engine, conversation);
  if (keys.length === 0) return;
  const store = await engine.store();
  const commits = keys.map((key) => ({ namespace: [...ROOT, conversation], key }));
  await store.commitRecords(engine.owner, commits, { now: engine.now() });
}
