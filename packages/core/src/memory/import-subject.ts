import * as z from "zod";
import type { Fact } from "../contract/fact.ts";
import type { Turn } from "../contract/message.ts";
import { ORIGINS, type Origin } from "../contract/origin.ts";
import type { FactOwner } from "../contract/owner.ts";
import type { AuditedConversation, ImportReport, SubjectExport } from "../contract/subject-export.ts";
import { allTurns } from "../conversation/all-turns.ts";
import { toMessages } from "../conversation/message-input.ts";
import { recordTurn } from "../conversation/record-turn.ts";
import { MemoryError } from "../errors/memory-error.ts";
import { CONFLICT_TRIES, HISTORY_LIMIT, readOwner } from "../facts/fact-access.ts";
import { factOwner } from "../facts/fact-owner.ts";
import { mergeFacts } from "../facts/move-facts.ts";
import { withHistory } from "../facts/remove-facts.ts";
import { forgottenAmong } from "../facts/tombstones.ts";
import { canonicalSubject } from "./canonical-subject.ts";
import type { Engine } from "./engine.ts";
import { isReserved } from "./records.ts";

const text = z.string();
const json: z.ZodType<Fact["value"]> = z.json() as z.ZodType<Fact["value"]>;
const origin = z.enum(ORIGINS as [Origin, ...Origin[]]);

const factSchema = z.looseObject({
  id: text.min(1),
  key: text.optional(),
  topic: text.optional(),
  value: json,
  type: z.enum(["fact", "preference", "relationship", "instruction"]),
  tags: z.array(text),
  scope: z.enum(["user", "conversation", "global"]),
  author: z.enum(["agent", "operator", "user", "distiller"]),
  origin,
  createdAt: text,
  updatedAt: text,
  validFrom: text,
  version: z.int().positive(),
});

const turnSchema = z.looseObject({
  id: text.min(1),
  seq: z.int(),
  status: z.enum(["completed", "aborted", "failed", "paused"]),
  startedAt: text,
  messages: z.array(z.looseObject({ id: text, role: z.enum(["user", "assistant", "tool", "system"]) })),
});

const namespace = z
  .array(text.min(1))
  .min(1)
  .refine((labels) => !isReserved(labels), "not a host's namespace");

const exportSchema = z.looseObject({
  format: z.literal("throughline/subject@1"),
  subject: text.min(1),
  conversations: z.array(
    z.looseObject({ id: text.min(1), transcript: z.array(turnSchema), facts: z.array(factSchema) }),
  ),
  facts: z.array(factSchema),
  records: z.array(z.looseObject({ namespace, key: text.min(1), value: json })),
});

/** How to import. */
export interface ImportOptions {
  /** Import under another subject id. @default the export's own */
  subject?: string;
  /**
   * The operator vouches for the export: origins stay as they are. Otherwise nothing in it counts for more than
   * `import`, and no instruction in it is one.
   */
  trusted?: boolean;
}

/**
 * Takes a subject's export in: turns, facts and records, each once however often it is imported. What was forgotten here
 * stays forgotten. Throws `INVALID_ARGUMENT` for what is no export.
 */
export async function importSubject(
  engine: Engine,
  data: SubjectExport,
  options: ImportOptions = {},
): Promise<ImportReport> {
  const parsed = exportSchema.safeParse(data);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    throw new MemoryError(
      "INVALID_ARGUMENT",
      `This is no subject export: ${issue?.path.join(".") || "the whole"} (${issue?.message ?? "wrong shape"}).`,
    );
  }
  const subject = await canonicalSubject(engine, options.subject ?? data.subject);
  const trusted = options.trusted ?? false;
  const report: ImportReport = { turns: 0, facts: 0, records: 0, refused: [] };
  for (const conversation of data.conversations) {
    await importConversation(engine, subject, conversation, trusted, report);
  }
  for (const scope of ["user", "global"] as const) {
    const owner = factOwner({ ...engine.owner, subject }, scope);
    if (owner)
      await importFacts(
        engine,
        owner,
        data.facts.filter((fact) => fact.scope === scope),
        trusted,
        report,
      );
  }
  await importRecords(engine, subject, data.records, report);
  const { refused, ...counts } = report;
  engine.emit({ type: "memory.imported", subject, ...counts, refused: refused.length });
  return report;
}

const lowered = (given: Origin | undefined, trusted: boolean): Origin =>
  trusted && given !== undefined
    ? given
    : given !== undefined && ORIGINS.indexOf(given) > ORIGINS.indexOf("import")
      ? given
      : "import";

async function importConversation(
  engine: Engine,
  subject: string,
  conversation: AuditedConversation,
  trusted: boolean,
  report: ImportReport,
): Promise<void> {
  const store = await engine.store();
  const owner = { ...engine.owner, conversation: conversation.id };
  const bound = (await store.readConversation(owner))?.subject;
  if (bound !== undefined && bound !== subject) {
    const code = "CONVERSATION_OWNER_MISMATCH";
    const reason = `The conversation "${conversation.id}" belongs to another subject here; nothing of it was taken.`;
    for (const { id } of conversation.transcript) report.refused.push({ kind: "turn", id, code, reason });
    for (const { id } of conversation.facts) report.refused.push({ kind: "fact", id, code, reason });
    return;
  }
  for (const turn of [...conversation.transcript].sort((a, b) => a.seq - b.seq)) {
    const outcome = await importTurn(engine, owner, subject, turn, trusted);
    if (outcome.status === "stored" || outcome.status === "merged") report.turns++;
    else if (outcome.code !== undefined) {
      report.refused.push({ kind: "turn", id: turn.id, code: outcome.code, reason: outcome.reason ?? "" });
    }
  }
  const rewound = conversation.transcript.filter((turn) => turn.hidden && turn.replacedBy === undefined);
  if (rewound.length > 0) {
    await store.changeTurns(
      owner,
      rewound.map((turn) => ({ turn: turn.id, action: "hide" })),
      { now: engine.now() },
    );
  }
  if (conversation.title !== undefined || conversation.metadata !== undefined) {
    await store.changeConversation(owner, {
      now: engine.now(),
      ...(conversation.title === undefined ? {} : { title: conversation.title }),
      ...(conversation.metadata === undefined ? {} : { metadata: conversation.metadata }),
    });
  }
  await importSummary(engine, owner, conversation);
  const facts = factOwner({ ...engine.owner, conversation: conversation.id }, "conversation");
  if (facts) await importFacts(engine, facts, conversation.facts, trusted, report);
}

async function importTurn(
  engine: Engine,
  owner: Parameters<typeof recordTurn>[1],
  subject: string,
  turn: Turn,
  trusted: boolean,
) {
  const messages = toMessages(turn.messages, { turn: turn.id, now: turn.startedAt });
  return recordTurn(
    engine,
    owner,
    {
      id: turn.id,
      status: turn.status,
      startedAt: turn.startedAt,
      endedAt: turn.endedAt,
      messages: messages.map((message) => ({ ...message, origin: lowered(message.origin, trusted) })),
      agentName: turn.agentName,
      replaces: turn.replaces,
      error: turn.error,
    },
    { subject },
  );
}

async function importSummary(
  engine: Engine,
  owner: Parameters<typeof recordTurn>[1],
  { summary, summarizedThrough }: AuditedConversation,
): Promise<void> {
  if (summary === null || summarizedThrough === null) return;
  const store = await engine.store();
  for await (const turn of allTurns(engine, owner)) {
    if (turn.id !== summarizedThrough) continue;
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
    return;
  }
}

async function importFacts(
  engine: Engine,
  owner: FactOwner,
  given: readonly Fact[],
  trusted: boolean,
  report: ImportReport,
): Promise<void> {
  const store = await engine.store();
  const facts = given.map((fact): Fact => {
    const from = lowered(fact.origin, trusted);
    const type = fact.type === "instruction" && !trusted ? "fact" : fact.type;
    return { ...fact, scope: owner.scope, origin: from, type };
  });
  for (let attempt = 0; attempt < CONFLICT_TRIES && facts.length > 0; attempt++) {
    const now = engine.now();
    const set = await readOwner(engine, owner, { now, history: true, limit: HISTORY_LIMIT });
    const here = new Set(set.facts.map((fact) => fact.id));
    const fresh = facts.filter((fact) => !here.has(fact.id));
    const forgotten = await forgottenAmong(engine, new Set(await store.readTombstones(owner)), fresh);
    const left = withHistory(
      fresh,
      fresh.filter((fact) => forgotten.has(fact.id)),
    );
    const taken = fresh.filter((fact) => !left.has(fact.id));
    const put = mergeFacts(taken, set.facts, now);
    const result = put.length === 0 ? null : await store.commitFacts(owner, { expectedVersion: set.version, now, put });
    if (result !== null && result.status !== "committed") continue;
    report.facts += taken.length;
    for (const id of left) {
      report.refused.push({ kind: "fact", id, code: "FORGOTTEN", reason: "The person had this forgotten." });
    }
    return;
  }
  if (facts.length > 0) {
    throw new MemoryError("STORE_BUSY", "The facts of this owner change too fast to import into; import again.");
  }
}

async function importRecords(
  engine: Engine,
  subject: string,
  records: SubjectExport["records"],
  report: ImportReport,
): Promise<void> {
  const store = await engine.store();
  for (const { namespace, key, value, expiresAt } of records) {
    const commit = { namespace, key, value, subject, ifVersion: 0, ...(expiresAt === undefined ? {} : { expiresAt }) };
    const result = await store.commitRecords(engine.owner, [commit], { now: engine.now() });
    if (result.status === "committed") report.records++;
  }
}
