import { createArtifact } from "../artifacts/create-artifact.ts";
import { listArtifacts } from "../artifacts/list-artifacts.ts";
import type { RetentionReport } from "../contract/memory.ts";
import type { TurnChange } from "../contract/memory-store.ts";
import type { Message } from "../contract/message.ts";
import type { ConversationOwner } from "../contract/owner.ts";
import type { ConversationRow, TurnRow } from "../contract/store-rows.ts";
import { indexAgain } from "../conversation/administer.ts";
import { allTurns } from "../conversation/all-turns.ts";
import { countMessages, messageTokens } from "../conversation/message-text.ts";
import { dropStaleSummary } from "../conversation/stale-summary.ts";
import { dropVectors } from "../search/drop-vectors.ts";
import { roughTokens } from "../text/tokens.ts";
import type { Engine } from "./engine.ts";

const PAGE = 100;
/** How long an idempotency key is known again, in milliseconds. */
const OPERATION_TTL_MS = 7 * 86_400_000;
const STUB = "[removed by retention]";

const before = (now: string, ms: number | null): string | null =>
  ms === null ? null : new Date(Date.parse(now) - ms).toISOString();

/** A message whose tool results are stubs: the calls keep their answers, the content is gone. */
function stubbed(message: Message): Message {
  const parts = message.parts.map((part) => {
    if (part.type !== "tool-result" || part.output === STUB) return part;
    const { native: _native, outputIs: _outputIs, ...rest } = part;
    return { ...rest, output: STUB };
  });
  if (parts.every((part, index) => part === message.parts[index])) return message;
  const { native: _native, ...rest } = message;
  return { ...rest, parts };
}

/**
 * Applies the policy's retention: old tool results become stubs, old turns and summaries go, expired facts and records
 * are removed. `dryRun` counts and changes nothing.
 */
export async function sweepRetention(engine: Engine, options: { dryRun?: boolean } = {}): Promise<RetentionReport> {
  const now = engine.now();
  const report: RetentionReport = {
    dryRun: options.dryRun ?? false,
    toolResults: 0,
    messages: 0,
    vectors: 0,
    summaries: 0,
    artifacts: 0,
    expired: {},
  };
  const store = await engine.store();
  let after: { updatedAt: string; id: string } | undefined;
  for (;;) {
    const rows: ConversationRow[] = await store.listConversations(engine.owner, {
      limit: PAGE,
      ...(after === undefined ? {} : { after }),
    });
    for (const row of rows) await sweepConversation(engine, { ...engine.owner, conversation: row.id }, now, report);
    const last = rows.at(-1);
    if (rows.length < PAGE || last === undefined) break;
    after = { updatedAt: last.updatedAt, id: last.id };
  }
  if (!report.dryRun) {
    const operationsBefore = before(now, OPERATION_TTL_MS) as string;
    report.expired = await store.purgeExpired(engine.owner, { now, operationsBefore, limit: 10_000 });
  }
  const { dryRun, expired, residue: _residue, ...removed } = report;
  engine.emit({ type: "memory.retention", dryRun, removed: { ...removed, ...expired } });
  return report;
}

async function sweepConversation(
  engine: Engine,
  owner: ConversationOwner,
  now: string,
  report: RetentionReport,
): Promise<void> {
  const { retention } = engine.policy;
  const stubBefore = before(now, retention.toolResultsMs);
  const eraseBefore = before(now, retention.messagesMs);
  const erased: TurnRow[] = [];
  const changes: TurnChange[] = [];
  for await (const turn of allTurns(engine, owner, { hidden: true })) {
    const age = turn.endedAt ?? turn.startedAt;
    if (eraseBefore !== null && age < eraseBefore) {
      erased.push(turn);
      changes.push({ turn: turn.id, action: "erase" });
      continue;
    }
    // Turns are in order of time; the first young one ends the search.
    if (stubBefore === null || age >= stubBefore) break;
    const messages = turn.messages.map(stubbed);
    const stubs = messages.filter((message, index) => message !== turn.messages[index]).length;
    if (stubs === 0) continue;
    report.toolResults += stubs;
    changes.push({
      turn: turn.id,
      action: "rewrite",
      messages,
      counted: countMessages(messages),
      tokens: messageTokens(messages, roughTokens),
    });
  }
  const vectorsBefore = before(now, retention.vectorsMs);
  const goneTurns = new Set(erased.map((turn) => turn.id));
  report.vectors += await dropVectors(
    engine,
    owner,
    (entry) => goneTurns.has(entry.turn) || (vectorsBefore !== null && entry.createdAt < vectorsBefore),
    { dryRun: report.dryRun },
  );
  report.messages += erased.reduce((sum, turn) => sum + turn.messages.length, 0);
  await sweepSummary(engine, owner, now, report);
  await sweepArtifacts(engine, owner, now, report);
  if (report.dryRun || changes.length === 0) return;
  const store = await engine.store();
  await store.changeTurns(owner, changes);
  await dropStaleSummary(engine, owner, { from: erased[0]?.seq });
  const rewritten = changes.filter((change) => change.action === "rewrite").map((change) => change.turn);
  if (rewritten.length > 0) await indexAgain(engine, owner, rewritten);
}

async function sweepArtifacts(
  engine: Engine,
  owner: ConversationOwner,
  now: string,
  report: RetentionReport,
): Promise<void> {
  const cutoff = before(now, engine.policy.retention.artifactsMs);
  if (cutoff === null) return;
  for (let after: string | undefined; ; ) {
    const page = await listArtifacts(engine, owner, { limit: PAGE, ...(after === undefined ? {} : { after }) });
    for (const { id, updatedAt } of page) {
      if (updatedAt >= cutoff) continue;
      report.artifacts++;
      if (!report.dryRun) await createArtifact(engine, owner, id).delete();
    }
    const last = page.at(-1);
    if (page.length < PAGE || last === undefined) return;
    after = last.id;
  }
}

async function sweepSummary(
  engine: Engine,
  owner: ConversationOwner,
  now: string,
  report: RetentionReport,
): Promise<void> {
  const cutoff = before(now, engine.policy.retention.summariesMs);
  if (cutoff === null) return;
  const store = await engine.store();
  const [live] = await store.readSummaries(owner, { limit: 1 });
  if (live === undefined || live.deletedAt !== undefined || live.createdAt >= cutoff) return;
  report.summaries++;
  if (!report.dryRun) await store.commitSummary(owner, { expectedVersion: live.version, summary: null, now });
}
