import { decodeRow, idOfInfoKey, infoPrefix } from "../artifacts/artifact-rows.ts";
import { fromBase64 } from "../artifacts/base64.ts";
import type { Message, MessageInput } from "../contract/message.ts";
import type { ConversationOwner } from "../contract/owner.ts";
import type { ItemCommit } from "../contract/store-items.ts";
import type { ImportReport } from "../contract/subject-export.ts";
import { toMessages } from "../conversation/message-input.ts";
import { recordTurn } from "../conversation/record-turn.ts";
import { factOwner } from "../facts/fact-owner.ts";
import { ARTIFACT_PREFIX } from "./audit.ts";
import type { Engine } from "./engine.ts";
import { importedOrigin, importFacts } from "./import-facts.ts";
import type { ReadConversation } from "./subject-schema.ts";

type ReadTurn = ReadConversation["transcript"][number];

/** What every part of an import shares. */
export interface ImportContext {
  engine: Engine;
  subject: string;
  trusted: boolean;
  /** Hashes of the file are keyed as those here are. */
  sameKey: boolean;
  report: ImportReport;
}

/** The messages of a turn as they are stored. Throws `INVALID_MESSAGE`. */
export function readMessages({ id, startedAt, messages }: ReadTurn, trusted: boolean): Message[] {
  // The schema looked at what is no part of a message's content; the content is looked at here.
  const read = toMessages(messages as unknown as MessageInput[], { turn: id, now: startedAt });
  return read.map((message) => ({ ...message, origin: importedOrigin(message.origin, trusted) }));
}

/** Takes one conversation in: turns, what of them was hidden, cleared and folded, artifacts and facts. */
export async function importConversation(context: ImportContext, conversation: ReadConversation): Promise<void> {
  const { engine, subject, report } = context;
  const store = await engine.store();
  const owner = { ...engine.owner, conversation: conversation.id };
  const row = await store.readConversation(owner);
  if (row?.subject !== undefined && row.subject !== subject) {
    const code = "CONVERSATION_OWNER_MISMATCH";
    const reason = `The conversation "${conversation.id}" belongs to another subject here; nothing of it was taken.`;
    for (const { id } of conversation.transcript) report.refused.push({ kind: "turn", id, code, reason });
    for (const { id } of conversation.facts) report.refused.push({ kind: "fact", id, code, reason });
    return;
  }
  const isNew = row === null && conversation.transcript.length > 0 && engine.policy.conversation.enabled;
  if (isNew && conversation.createdAt !== undefined) {
    const now = earlier(conversation.createdAt, engine.now());
    await store.changeConversation(owner, { now, ifVersion: 0, create: true, subject });
  }
  const left = await importTurns(context, owner, conversation.transcript);
  if (isNew && left === 0) {
    // It was erased here: not even its name comes back.
    await store.erase(engine.owner, { kind: "conversation", conversation: conversation.id }, { now: engine.now() });
    return;
  }
  await hideTurns(engine, owner, conversation.transcript);
  await importArtifacts(context, owner, conversation);
  await importSummary(engine, owner, conversation);
  await importState(engine, owner, conversation, isNew || row?.title === undefined, isNew);
  const facts = factOwner(owner, "conversation");
  const hashes = context.sameKey ? (conversation.forgotten ?? []) : [];
  if (facts) await importFacts(engine, facts, { facts: conversation.facts, hashes, trusted: context.trusted }, report);
}

const earlier = (time: string, now: string): string => (time < now ? time : now);

/** Answers how many turns were not refused as erased. */
async function importTurns(
  { engine, subject, trusted, report }: ImportContext,
  owner: ConversationOwner,
  transcript: readonly ReadTurn[],
): Promise<number> {
  let left = 0;
  for (const turn of [...transcript].sort((a, b) => a.seq - b.seq)) {
    const { id, status, startedAt, endedAt, agentName, replaces, error } = turn;
    const draft = { id, status, startedAt, endedAt, agentName, replaces, error, messages: readMessages(turn, trusted) };
    const outcome = await recordTurn(engine, owner, draft, { subject });
    if (outcome.status === "stored" || outcome.status === "merged") report.turns++;
    if (outcome.code !== "ERASED") left++;
    if (outcome.code !== undefined)
      report.refused.push({ kind: "turn", id, code: outcome.code, reason: outcome.reason ?? "" });
  }
  return left;
}

async function hideTurns(engine: Engine, owner: ConversationOwner, transcript: readonly ReadTurn[]): Promise<void> {
  const rewound = transcript.filter((turn) => turn.hidden && turn.replacedBy === undefined);
  if (rewound.length === 0) return;
  const store = await engine.store();
  await store.changeTurns(
    owner,
    rewound.map((turn) => ({ turn: turn.id, action: "hide" })),
    { now: engine.now() },
  );
}

async function importSummary(
  engine: Engine,
  owner: ConversationOwner,
  { summary, summarizedThrough }: ReadConversation,
): Promise<void> {
  if (!summary || !summarizedThrough) return;
  const store = await engine.store();
  const [turn] = await store.readTurns(owner, { ids: [summarizedThrough], limit: 1 });
  if (turn === undefined) return;
  await store.commitSummary(owner, {
    // Only where there is none yet: what was folded here since counts for more.
    expectedVersion: 0,
    now: engine.now(),
    summary: {
      text: summary.text,
      through: turn.seq,
      throughTurn: turn.id,
      turns: summary.turns,
      tokens: engine.countTokens(summary.text),
      createdAt: summary.createdAt,
    },
  });
}

/** Title, metadata and what was cleared; what was changed here since stays. */
async function importState(
  engine: Engine,
  owner: ConversationOwner,
  { title, metadata, clearedThrough, updatedAt }: ReadConversation,
  isTitled: boolean,
  isNew: boolean,
): Promise<void> {
  const store = await engine.store();
  const [cleared] = clearedThrough
    ? await store.readTurns(owner, { ids: [clearedThrough], hidden: true, limit: 1 })
    : [];
  const row = await store.readConversation(owner);
  const through = cleared !== undefined && cleared.seq > (row?.clearedThrough ?? 0) ? cleared.seq : undefined;
  if (!isNew && !(isTitled && (title ?? metadata) !== undefined) && through === undefined) return;
  const now = engine.now();
  await store.changeConversation(owner, {
    now: isNew && updatedAt !== undefined ? earlier(updatedAt, now) : now,
    ...(isTitled && title !== undefined ? { title } : {}),
    ...(isTitled && metadata !== undefined ? { metadata } : {}),
    ...(through === undefined ? {} : { clearedThrough: through }),
  });
}

const ITEMS = 16;

async function importArtifacts(
  { engine, report }: ImportContext,
  owner: ConversationOwner,
  { artifacts = [], transcript }: ReadConversation,
): Promise<void> {
  const first = transcript.map((turn) => turn.startedAt).sort()[0];
  if (first === undefined || artifacts.length === 0) return;
  const store = await engine.store();
  const puts: (ItemCommit & { action: "put" })[] = [];
  for (const { key, base64 } of artifacts) {
    const bytes = fromBase64(base64);
    if (bytes !== null && key.startsWith(ARTIFACT_PREFIX) && isReadable(key, bytes)) {
      puts.push({ action: "put", key, bytes, ifAbsent: true });
    } else {
      report.refused.push({ kind: "artifact", id: key, code: "INVALID_ARGUMENT", reason: "It is no artifact's item." });
    }
  }
  for (let from = 0; from < puts.length; from += ITEMS) {
    const batch = puts.slice(from, from + ITEMS);
    const keys = batch.map(({ key }) => key).filter((key) => key.startsWith(infoPrefix()));
    const known = new Set((await store.readItems(owner, { keys })).map((item) => item.key));
    // What was erased here since the conversation began takes nothing in.
    if (!(await store.commitItems(owner, batch, { beganAt: first }))) return;
    report.artifacts += new Set(keys.filter((key) => !known.has(key)).map(idOfInfoKey)).size;
  }
}

/** Whether what says of an artifact what it is can be read again; its pages are any bytes. */
function isReadable(key: string, bytes: Uint8Array): boolean {
  if (!key.startsWith(infoPrefix())) return true;
  try {
    decodeRow(key, bytes);
    return true;
  } catch {
    return false;
  }
}
