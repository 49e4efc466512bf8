import { toBase64 } from "../artifacts/base64.ts";
import { readCarryOvers } from "../carry-over/segments.ts";
import type { Fact } from "../contract/fact.ts";
import type { ConversationInfo } from "../contract/memory.ts";
import type { Turn } from "../contract/message.ts";
import type { RecordRow } from "../contract/store-rows.ts";
import type {
  AuditedConversation,
  ExportedConversation,
  SubjectAudit,
  SubjectExport,
} from "../contract/subject-export.ts";
import { allTurns } from "../conversation/all-turns.ts";
import { publicSummary } from "../conversation/public-summary.ts";
import { publicTurn } from "../conversation/public-turn.ts";
import { readQuarantine } from "../extract/quarantine.ts";
import { readEvents } from "../extract/timeline.ts";
import { HISTORY_LIMIT } from "../facts/fact-access.ts";
import { factOwner } from "../facts/fact-owner.ts";
import { forgetKeyMark } from "../facts/tombstones.ts";
import { canonicalSubject } from "./canonical-subject.ts";
import type { Engine } from "./engine.ts";
import { listConversations } from "./list-conversations.ts";
import { isReserved } from "./records.ts";

const PAGE = 200;

/** Keys of artifacts' items begin so. */
export const ARTIFACT_PREFIX = "artifact/";

/** Items that are read at a time: an artifact's page is large. */
const ITEMS = 8;

/** All conversations of a subject, most recently active first. */
export async function conversationsOf(engine: Engine, subject: string): Promise<ConversationInfo[]> {
  const infos: ConversationInfo[] = [];
  let cursor: string | undefined;
  do {
    const page = await listConversations(engine, { subject, limit: PAGE, ...(cursor === undefined ? {} : { cursor }) });
    infos.push(...page.items);
    cursor = page.cursor;
  } while (cursor !== undefined);
  return infos;
}

async function conversationFacts(engine: Engine, conversation: string): Promise<Fact[]> {
  const owner = factOwner({ ...engine.owner, conversation }, "conversation");
  const store = await engine.store();
  const sets = owner ? await store.readFacts([owner], { now: engine.now(), history: true, limit: HISTORY_LIMIT }) : [];
  return sets.flatMap((set) => set.facts);
}

/** Everything there is of one subject: what was said, what was made of it, and what is known. */
export async function auditSubject(engine: Engine, id: string): Promise<SubjectAudit> {
  const store = await engine.store();
  const subject = await canonicalSubject(engine, id);
  const conversations: SubjectAudit["conversations"] = [];
  for (const info of await conversationsOf(engine, subject)) {
    const owner = { ...engine.owner, conversation: info.id };
    const turns: Turn[] = [];
    for await (const turn of allTurns(engine, owner, { hidden: true })) turns.push(publicTurn(turn));
    const summaries = await store.readSummaries(owner, { limit: PAGE });
    const live = summaries.find((summary) => summary.deletedAt === undefined);
    const clearedSeq = (await store.readConversation(owner))?.clearedThrough ?? 0;
    const cleared = turns.findLast((turn) => turn.seq <= clearedSeq);
    conversations.push({
      ...info,
      transcript: turns,
      summary: live ? publicSummary(live) : null,
      summarizedThrough: live?.throughTurn ?? null,
      ...(cleared === undefined ? {} : { clearedThrough: cleared.id }),
      facts: await conversationFacts(engine, info.id),
    });
  }
  const owners = (["user", "global"] as const).flatMap((scope) => factOwner({ ...engine.owner, subject }, scope) ?? []);
  const sets = await store.readFacts(owners, { now: engine.now(), history: true, limit: HISTORY_LIMIT });
  return {
    subject,
    identities: await store.listIdentities(engine.owner, { subject }),
    conversations,
    facts: sets.flatMap((set) => set.facts),
    quarantined: await readQuarantine(engine, { subject }),
    events: await readEvents(engine, subject),
    carryOver: await readCarryOvers(engine, subject),
  };
}

async function artifactItems(engine: Engine, conversation: string): Promise<{ key: string; base64: string }[]> {
  const store = await engine.store();
  const owner = { ...engine.owner, conversation };
  const items: { key: string; base64: string }[] = [];
  for (let after: string | undefined; ; ) {
    const query = { prefix: ARTIFACT_PREFIX, limit: ITEMS, ...(after === undefined ? {} : { after }) };
    const page = await store.readItems(owner, query);
    for (const { key, bytes } of page) items.push({ key, base64: toBase64(bytes) });
    after = page.at(-1)?.key;
    if (page.length < ITEMS) return items;
  }
}

/** A conversation with what an audit doesn't show: its artifacts, and the hashes of what was forgotten in it. */
async function exported(engine: Engine, conversation: AuditedConversation): Promise<ExportedConversation> {
  const store = await engine.store();
  const owner = factOwner({ ...engine.owner, conversation: conversation.id }, "conversation");
  const artifacts = await artifactItems(engine, conversation.id);
  const forgotten = owner ? await store.readTombstones(owner) : [];
  return {
    ...conversation,
    ...(artifacts.length === 0 ? {} : { artifacts }),
    ...(forgotten.length === 0 ? {} : { forgotten }),
  };
}

/** The audit view with the subject's records and artifacts, complete enough to be imported elsewhere. */
export async function exportSubject(engine: Engine, id: string): Promise<SubjectExport> {
  const audit = await auditSubject(engine, id);
  const store = await engine.store();
  const records: RecordRow[] = [];
  for (let offset = 0; ; offset += PAGE) {
    const page = await store.readRecords(engine.owner, { now: engine.now(), namespace: [], limit: PAGE, offset });
    // The library's own are in the export in a form of their own.
    records.push(...page.filter((record) => record.subject === audit.subject && !isReserved(record.namespace)));
    if (page.length < PAGE) break;
  }
  const conversations: ExportedConversation[] = [];
  for (const conversation of audit.conversations) conversations.push(await exported(engine, conversation));
  const tombstones = async (scope: "user" | "global") => {
    const owner = factOwner({ ...engine.owner, subject: audit.subject }, scope);
    return owner ? store.readTombstones(owner) : [];
  };
  return {
    format: "throughline/subject@1",
    exportedAt: engine.now(),
    agent: engine.owner.agent,
    ...audit,
    conversations,
    records,
    forgotten: {
      mark: await forgetKeyMark(engine),
      user: await tombstones("user"),
      global: await tombstones("global"),
    },
  };
}
