import { dropArtifacts } from "../artifacts/drop-artifacts.ts";
import { dropSegments } from "../carry-over/segments.ts";
import type { RetentionReport } from "../contract/memory.ts";
import type { TurnChange } from "../contract/memory-store.ts";
import type { Message } from "../contract/message.ts";
import type { ConversationOwner } from "../contract/owner.ts";
import type { ConversationRow, TurnRow } from "../contract/store-rows.ts";
import { allTurns } from "../conversation/all-turns.ts";
import { asRead, inRuns } from "../conversation/change-runs.ts";
import { toolResultText, wordsIn } from "../conversation/message-text.ts";
import { peopleOf } from "../conversation/people-of.ts";
import { valueText } from "../conversation/quote.ts";
import { rewriteTurn } from "../conversation/rewrite-turn.ts";
import { dropStaleSummary } from "../conversation/stale-summary.ts";
import { dropQuarantined } from "../extract/quarantine.ts";
import { dropQuotes, type ErasedWords, factsAround, repeats } from "../facts/drop-quotes.ts";
import { dropVectors } from "../search/drop-vectors.ts";
import { indexAgain } from "../search/index-again.ts";
import { moveMarks } from "../work/move-marks.ts";
import type { Engine } from "./engine.ts";

const PAGE = 100;
/** How long an idempotency key is known again, in milliseconds. */
const OPERATION_TTL_MS = 7 * 86_400_000;
const STUB = "[removed by retention]";

const before = (now: string, ms: number | null): string | null =>
  ms === null ? null : new Date(Date.parse(now) - ms).toISOString();

/** Tool results of a message that are no stubs yet. */
const resultsOf = (message: Message): number =>
  message.parts.filter((part) => part.type === "tool-result" && part.output !== STUB).length;

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

/** What stubs take of a turn, and what they leave. */
const stubbedWords = ({ messages }: TurnRow): ErasedWords => ({
  gone: messages.map(toolResultText).join("\n"),
  left: wordsIn(messages.map(stubbed)),
});

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
    for (const row of rows) await sweepConversation(engine, row, now, report);
    const last = rows.at(-1);
    if (rows.length < PAGE || last === undefined) break;
    after = { updatedAt: last.updatedAt, id: last.id };
  }
  if (!report.dryRun) {
    const operationsBefore = before(now, OPERATION_TTL_MS) as string;
    report.expired = await store.purgeExpired(engine.owner, { now, operationsBefore, limit: 10_000 });
  }
  const { dryRun, expired, residue: _residue, kept: _kept, ...removed } = report;
  engine.emit({ type: "memory.retention", dryRun, removed: { ...removed, ...expired } });
  return report;
}

/** Through which sequence number old tool results are stubs: what a sweep need not read again. */
const WATERMARK = "retention";

async function sweepConversation(
  engine: Engine,
  row: ConversationRow,
  now: string,
  report: RetentionReport,
): Promise<void> {
  const owner = { ...engine.owner, conversation: row.id };
  const { retention } = engine.policy;
  const copies = copiesOf(engine, row);
  const erased = await eraseOldTurns(engine, row, before(now, retention.messagesMs), copies, report);
  await stubOldResults(engine, row, now, copies, report);
  if (copies.kept.size > 0) report.kept = { facts: (report.kept?.facts ?? 0) + copies.kept.size };
  const vectorsBefore = before(now, retention.vectorsMs);
  const old = vectorsBefore === null ? {} : { createdBefore: vectorsBefore };
  report.vectors += await dropVectors(engine, owner, { turns: [...erased], ...old }, { dryRun: report.dryRun });
  await sweepSummary(engine, owner, now, report);
  const artifactsBefore = before(now, retention.artifactsMs);
  if (erased.size === 0 && artifactsBefore === null) return;
  report.artifacts += await dropArtifacts(
    engine,
    owner,
    ({ turn, updatedAt }) => erased.has(turn) || (artifactsBefore !== null && updatedAt < artifactsBefore),
    { dryRun: report.dryRun },
  );
}

const ageOf = (turn: TurnRow): string => turn.endedAt ?? turn.startedAt;

/** Turns up to the first that is younger than `cutoff`: they are in order of time. */
async function* turnsBefore(
  engine: Engine,
  owner: ConversationOwner,
  cutoff: string,
  after: number,
): AsyncGenerator<TurnRow> {
  for await (const turn of allTurns(engine, owner, { hidden: true, after })) {
    if (ageOf(turn) >= cutoff) return;
    yield turn;
  }
}

/** What others keep of a conversation's turns. */
interface Copies {
  /** Facts that rest on what was erased. */
  kept: Set<string>;
  /** Takes what is erased of turns out of them: facts stay without their quotes. */
  drop(turns: ReadonlyMap<string, ErasedWords>): Promise<void>;
}

function copiesOf(engine: Engine, row: ConversationRow): Copies {
  const owner = { ...engine.owner, conversation: row.id };
  const kept = new Set<string>();
  // Who may have some: asked once, and before turns that name them go.
  let asked: ReturnType<typeof peopleOf> | undefined;
  return {
    kept,
    async drop(turns) {
      asked ??= peopleOf(engine, owner, row.subject);
      const people = await asked;
      const resting = await dropQuotes(engine, factsAround(engine, owner, people), { conversation: row.id, turns });
      for (const id of resting) kept.add(id);
      for (const person of people) {
        await dropQuarantined(engine, row.id, person, ({ turn, quote, value }) => {
          const words = turns.get(turn ?? "");
          return words !== undefined && (words.left === "" || repeats(`${quote}\n${valueText(value)}`, words));
        });
      }
    },
  };
}

/** Erases old turns; answers which. */
async function eraseOldTurns(
  engine: Engine,
  row: ConversationRow,
  cutoff: string | null,
  copies: Copies,
  report: RetentionReport,
): Promise<Set<string>> {
  const owner = { ...engine.owner, conversation: row.id };
  const turns: TurnRow[] = [];
  if (cutoff !== null) for await (const turn of turnsBefore(engine, owner, cutoff, 0)) turns.push(turn);
  report.messages += turns.reduce((sum, turn) => sum + turn.messages.length, 0);
  const gone = new Set(turns.map((turn) => turn.id));
  const [first] = turns;
  if (report.dryRun || first === undefined) return gone;
  const store = await engine.store();
  // Before the turns and after them: a sweep that breaks off, or what is under way, leaves no copy of what is gone.
  const change = { from: first.seq };
  await dropStaleSummary(engine, owner, change);
  const nothing = new Map(turns.map(({ id }) => [id, { gone: "", left: "" }]));
  await copies.drop(nothing);
  if (row.subject !== undefined) await dropSegments(engine, row.subject, { conversation: row.id });
  report.artifacts += await dropArtifacts(engine, owner, ({ turn }) => gone.has(turn));
  // Counted here: a store with an index of vectors takes them along with their turns.
  report.vectors += await dropVectors(engine, owner, { turns: [...gone] });
  await inRuns(turns, async (run) => {
    await store.changeTurns(
      owner,
      run.map((turn) => ({ turn: turn.id, action: "erase", ifStill: asRead(turn) })),
    );
  });
  await dropStaleSummary(engine, owner, change);
  await copies.drop(nothing);
  if (row.subject !== undefined) await dropSegments(engine, row.subject, { conversation: row.id });
  return gone;
}

/** Makes stubs of old tool results, from where the last sweep ended. */
async function stubOldResults(
  engine: Engine,
  row: ConversationRow,
  now: string,
  copies: Copies,
  report: RetentionReport,
): Promise<void> {
  const owner = { ...engine.owner, conversation: row.id };
  const { retention } = engine.policy;
  const cutoff = before(now, retention.toolResultsMs);
  if (cutoff === null) return;
  const done = row.watermarks[WATERMARK] ?? 0;
  const eraseBefore = before(now, retention.messagesMs) ?? "";
  const turns: TurnRow[] = [];
  for await (const turn of turnsBefore(engine, owner, cutoff, done)) if (ageOf(turn) >= eraseBefore) turns.push(turn);
  const last = turns.at(-1);
  if (last === undefined) return;
  const store = await engine.store();
  const stubbing = turns.filter(({ messages }) => messages.some((message) => resultsOf(message) > 0));
  const words = new Map(stubbing.map((turn) => [turn.id, stubbedWords(turn)]));
  const isDropping = !report.dryRun && words.size > 0;
  if (isDropping) await copies.drop(words);
  let isWhole = true;
  await inRuns(turns, async (run) => {
    const changes = run.flatMap((turn): TurnChange[] => {
      const messages = turn.messages.map(stubbed);
      const stubs = turn.messages.reduce((sum, message) => sum + resultsOf(message), 0);
      if (stubs === 0) return [];
      report.toolResults += stubs;
      return [rewriteTurn(turn, messages)];
    });
    if (report.dryRun || changes.length === 0) return;
    // What others write meanwhile is left to the next sweep.
    if ((await store.changeTurns(owner, changes)) < changes.length) isWhole = false;
    const rewritten = new Set(changes.map((change) => change.turn));
    await indexAgain(
      engine,
      owner,
      row,
      run.filter(({ id }) => rewritten.has(id)),
    );
  });
  if (isDropping) await copies.drop(words);
  if (report.dryRun || !isWhole) return;
  await moveMarks(engine, row, { [WATERMARK]: last.seq });
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
