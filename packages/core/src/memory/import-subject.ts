import { canonicalJson } from "../checks/json.ts";
import type { ImportReport, SubjectExport } from "../contract/subject-export.ts";
import { MemoryError } from "../errors/memory-error.ts";
import { ingestEvent, settleEvents } from "../extract/timeline.ts";
import { factOwner } from "../facts/fact-owner.ts";
import { forgetKeyMark } from "../facts/tombstones.ts";
import { canonicalSubject } from "./canonical-subject.ts";
import type { Engine } from "./engine.ts";
import { importConversation, readMessages } from "./import-conversation.ts";
import { importFacts } from "./import-facts.ts";
import { gatherLines, type ImportSource } from "./import-lines.ts";
import { type ReadExport, readExport } from "./subject-schema.ts";

/** How to import. */
export interface ImportOptions {
  /** Import under another subject id. @default the export's own */
  subject?: string;
  /**
   * The operator vouches for the export: origins and authors stay as they are. Otherwise nothing in it counts for more
   * than `import`, no instruction in it is one, and what it calls a person's or an operator's is an import's.
   */
  trusted?: boolean;
}

/**
 * Takes a subject's export in: turns, artifacts, facts and records, each once however often it is imported. What was
 * forgotten here stays forgotten; what was forgotten there is forgotten here too where both are keyed by the same
 * `forgetKey`. Throws `INVALID_ARGUMENT` or `INVALID_MESSAGE` for what is no export, before anything is written.
 */
export async function importSubject(
  engine: Engine,
  source: ImportSource<SubjectExport>,
  options: ImportOptions = {},
): Promise<ImportReport> {
  const data = readExport(await gatherLines(source));
  const trusted = options.trusted ?? false;
  for (const { transcript } of data.conversations) for (const turn of transcript) readMessages(turn, trusted);
  const subject = await canonicalSubject(engine, options.subject ?? data.subject);
  const report: ImportReport = { turns: 0, facts: 0, records: 0, artifacts: 0, refused: [] };
  const sameKey = data.forgotten !== undefined && data.forgotten.mark === (await forgetKeyMark(engine));
  const context = { engine, subject, trusted, sameKey, report };
  for (const conversation of data.conversations) await importConversation(context, conversation);
  for (const scope of ["user", "global"] as const) {
    const owner = factOwner({ ...engine.owner, subject }, scope);
    const facts = data.facts.filter((fact) => fact.scope === scope);
    const hashes = sameKey ? (data.forgotten?.[scope] ?? []) : [];
    if (owner) await importFacts(engine, owner, { facts, hashes, trusted }, report);
  }
  await importRecords(engine, subject, data.records, report);
  await importEvents(engine, subject, data.events ?? []);
  const { turns, facts, records, refused } = report;
  engine.emit({ type: "memory.imported", subject, turns, facts, records, refused: refused.length });
  return report;
}

/** Events as they were; facts were drawn from them where they come from, and those are imported as well. */
async function importEvents(engine: Engine, subject: string, events: NonNullable<ReadExport["events"]>): Promise<void> {
  for (const event of events) {
    const outcome = await ingestEvent(engine, { ...event, subject });
    if (outcome.status === "failed") {
      throw new MemoryError("STORE_FAILED", "An event could not be stored; import again, nothing is stored twice.");
    }
    if (outcome.status === "stored") await settleEvents(engine, subject, [event.id]);
  }
}

async function importRecords(
  engine: Engine,
  subject: string,
  records: ReadExport["records"],
  report: ImportReport,
): Promise<void> {
  const store = await engine.store();
  for (const { namespace, key, value, expiresAt } of records) {
    const now = engine.now();
    const commit = { namespace, key, value, subject, ifVersion: 0, ...(expiresAt === undefined ? {} : { expiresAt }) };
    const result = await store.commitRecords(engine.owner, [commit], { now });
    if (result.status === "committed") {
      report.records++;
      continue;
    }
    const rows = await store.readRecords(engine.owner, { now, namespace, keys: [key], limit: 100 });
    const there = rows.find((row) => row.namespace.length === namespace.length);
    if (there && canonicalJson(there.value) === canonicalJson(value)) continue;
    const reason = `A record "${key}" of this namespace is there already, with another value; it was left as it is.`;
    report.refused.push({ kind: "record", id: key, code: "VERSION_CONFLICT", reason });
  }
}
