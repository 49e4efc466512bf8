import type { Artifact } from "../contract/artifact.ts";
import type { Checkpoints } from "../contract/checkpoints.ts";
import type { Conversation, OpenTurn, SearchResult, Subject } from "../contract/conversation.ts";
import type { ForgetReceipt } from "../contract/fact.ts";
import type { Memory, Operator, Records, SweepReport } from "../contract/memory.ts";
import type { Outcome, Receipt } from "../contract/outcome.ts";
import type { SubjectAudit } from "../contract/subject-export.ts";
import type { SpanAttributes } from "../contract/tracer.ts";
import type { SpanTable } from "./with-spans.ts";

const nothing = (): SpanAttributes => ({});

const ofCode = (code: string | undefined): SpanAttributes => (code === undefined ? {} : { "memory.code": code });

const ofOutcome = ({ status, code }: Outcome): SpanAttributes => ({ "memory.outcome": status, ...ofCode(code) });

const ofForgetting = ({ forgotten, code }: ForgetReceipt): SpanAttributes => ({
  "memory.facts": forgotten,
  ...ofCode(code),
});

const ofSearch = ({ hits, code }: SearchResult): SpanAttributes => ({ "memory.hits": hits.length, ...ofCode(code) });

const ofReceipt = ({ removed, residue }: Receipt): SpanAttributes => ({
  "memory.removed": Object.values(removed).reduce((sum, count) => sum + count, 0),
  "memory.residue": residue.length,
});

const ofFound = (result: unknown): SpanAttributes => ({
  "memory.found": result !== null && result !== undefined && result !== false,
});

const counting =
  (attribute: string) =>
  (items: readonly unknown[]): SpanAttributes => ({ [attribute]: items.length });

/** A key's value or a list of facts. */
function ofRecall(result: unknown): SpanAttributes {
  const { facts } = (result ?? {}) as { facts?: unknown };
  return { "memory.facts": Array.isArray(facts) ? facts.length : result === null ? 0 : 1 };
}

function ofTurn(turn: OpenTurn | null): SpanAttributes {
  if (turn === null) return { "memory.found": false };
  const { budget, items } = turn.explain();
  const included = (kind: string): number => items.filter((item) => item.included && item.kind === kind).length;
  return {
    "memory.facts": included("fact"),
    "memory.turns": included("history"),
    "memory.tokens": budget.used,
    "memory.budget_tokens": budget.total,
    "memory.fresh_messages": turn.fresh.length,
    "memory.resumed": turn.resumed,
    "memory.degraded": turn.degraded,
  };
}

/** What a sweep did, in counts. */
export const ofSweep = (report: SweepReport): SpanAttributes => ({
  "memory.conversations": report.conversations,
  "memory.indexed_turns": report.indexed,
  "memory.embedded_turns": report.embedded,
  "memory.folded_conversations": report.folded,
  "memory.extracted_turns": report.extracted,
  "memory.carried_conversations": report.carried,
  "memory.failed": report.failed,
});

/** What retention removed, in counts. */
export const ofRetention: SpanTable<Operator>["sweepRetention"] = (report) => ({
  "memory.dry_run": report.dryRun,
  "memory.tool_results": report.toolResults,
  "memory.messages": report.messages,
  "memory.vectors": report.vectors,
  "memory.summaries": report.summaries,
  "memory.artifacts": report.artifacts,
  "memory.expired": Object.values(report.expired).reduce((sum, count) => sum + count, 0),
});

const ofAudit = ({ conversations, facts }: SubjectAudit): SpanAttributes => ({
  "memory.conversations": conversations.length,
  "memory.turns": conversations.reduce((sum, { transcript }) => sum + transcript.length, 0),
  "memory.facts": facts.length,
});

export const CONVERSATION_SPANS: SpanTable<Conversation> = {
  info: ofFound,
  begin: ofTurn,
  resume: ofTurn,
  record: ofOutcome,
  reconcile: ({ known, fresh }) => ({ "memory.messages": known.length, "memory.fresh_messages": fresh.length }),
  history: counting("memory.messages"),
  systemContext: (text) => ({ "memory.characters": text.length }),
  transcript: ({ turns }) => ({ "memory.turns": turns.length }),
  summary: ofFound,
  deleteSummary: ofOutcome,
  remember: ofOutcome,
  recall: ofRecall,
  forget: ofForgetting,
  search: ofSearch,
  rebindSubject: ofOutcome,
  update: ofOutcome,
  clone: nothing,
  rewind: ofOutcome,
  deleteMessages: ofOutcome,
  clear: ofOutcome,
  delete: ofReceipt,
};

export const TURN_SPANS: SpanTable<OpenTurn> = {
  offload: nothing,
  compact: ({ strategy, compacted, before, after, edits }) => ({
    "memory.strategy": strategy,
    "memory.compacted": compacted,
    "memory.tokens_before": before,
    "memory.tokens": after,
    "memory.edits": edits.length,
  }),
  complete: ofOutcome,
  abort: ofOutcome,
  fail: ofOutcome,
  pause: ofOutcome,
};

export const ARTIFACT_SPANS: SpanTable<Artifact> = {
  info: ({ pages, characters }) => ({ "memory.pages": pages, "memory.characters": characters }),
  page: ({ page, pages, text }) => ({
    "memory.page": page,
    "memory.pages": pages,
    "memory.characters": text.length,
  }),
  bytes: (bytes) => ({ "memory.bytes": bytes.length }),
  patch: (patch) => ({
    "memory.outcome": patch.status,
    ...ofCode(patch.status === "refused" ? patch.refusal : undefined),
  }),
  delete: ofFound,
};

export const SUBJECT_SPANS: SpanTable<Subject> = {
  facts: counting("memory.facts"),
  remember: ofOutcome,
  search: ofSearch,
  conversations: ({ items }) => ({ "memory.conversations": items.length }),
  carryOver: ofFound,
  deleteCarryOver: ofOutcome,
  changes: counting("memory.facts"),
  undo: ofOutcome,
  lift: ofOutcome,
  audit: ofAudit,
  export: (data) => ({ ...ofAudit(data), "memory.records": data.records.length }),
  erase: ofReceipt,
};

export const OPERATOR_SPANS: SpanTable<Operator> = {
  remember: ofOutcome,
  forget: ofForgetting,
  search: ofSearch,
  link: ofOutcome,
  unlink: ofOutcome,
  undo: ofOutcome,
  lift: ofOutcome,
  transfer: ofOutcome,
  import: ({ turns, facts, records, refused }) => ({
    "memory.turns": turns,
    "memory.facts": facts,
    "memory.records": records,
    "memory.refused": refused.length,
  }),
  sweepRetention: ofRetention,
  failures: counting("memory.failed"),
  redrive: ofSweep,
};

export const RECORD_SPANS: SpanTable<Records> = {
  get: ofFound,
  put: nothing,
  delete: ofFound,
  list: counting("memory.records"),
  search: counting("memory.hits"),
};

export const CHECKPOINT_SPANS: SpanTable<Checkpoints> = {
  put: ({ status }) => ({ "memory.outcome": status }),
  putWrites: ofFound,
  read: ofFound,
  list: counting("memory.checkpoints"),
  history: nothing,
  threads: ({ items }) => ({ "memory.conversations": items.length }),
  copy: (copied) => ({ "memory.checkpoints": copied }),
  remove: (removed) => ({ "memory.removed": removed }),
};

export const MEMORY_SPANS: SpanTable<Memory> = {
  conversations: ({ items }) => ({ "memory.conversations": items.length }),
  search: ofSearch,
  manifest: ({ degraded }) => ({ "memory.degradations": degraded.length }),
  ingest: ofOutcome,
  distill: ({ found, failed }) => ({ "memory.facts": found, "memory.failed": failed ?? 0 }),
  reindex: ({ conversations, embedded }) => ({
    "memory.conversations": conversations,
    "memory.embedded_turns": embedded,
  }),
  sweep: ofSweep,
  settled: nothing,
  flush: nothing,
  close: nothing,
};
