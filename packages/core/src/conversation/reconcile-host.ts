import type { BeginInput } from "../contract/conversation.ts";
import type { CallOptions, ContextRows } from "../contract/memory-store.ts";
import type { MessageInput } from "../contract/message.ts";
import type { TurnRow } from "../contract/store-rows.ts";
import { callOf } from "../memory/call-options.ts";
import { degradingRead } from "../memory/resilience.ts";
import { type Reconciliation, reconcileMessages } from "./reconcile.ts";
import type { ConversationScope } from "./scope.ts";

/** What of a host's copy is new, and what it was compared with. */
export interface HostReconciliation extends Reconciliation {
  /** The visible turns that were compared, oldest first: the window's, and older ones where the copy is about those. */
  turns: readonly TurnRow[];
  /** Older turns could not be read. */
  degraded?: boolean;
}

/** Turns before the window that are looked through, newest first. */
const MAX_OLDER = 1_000;
const PAGE = 100;

/** True where what was read begins with the conversation's first visible turn. */
const isComplete = (rows: ContextRows): boolean =>
  rows.conversation === null ||
  (rows.summary === null && rows.conversation.clearedThrough === 0 && rows.turns.length >= rows.conversation.turns);

/**
 * What of the host's copy is new. A copy of which the window holds nothing may be older than that, edited or asked anew
 * where the window doesn't reach: then the turns before the window are looked through.
 */
export async function reconcileHost(
  scope: ConversationScope,
  rows: ContextRows,
  host: readonly MessageInput[],
  { signal, canHold }: Pick<BeginInput, "signal" | "canHold"> = {},
): Promise<HostReconciliation> {
  const complete = isComplete(rows);
  const first = { ...reconcileMessages(rows.turns, host, { complete, canHold }), turns: rows.turns };
  const said = host.filter((message) => message.role !== "system");
  const { enabled } = scope.engine.policy.conversation;
  if (!enabled || complete || first.known.length > 0 || said.length < 2) return first;
  const call = callOf(signal);
  const older = await degradingRead(scope.engine, "begin", () => readOlder(scope, rows.turns[0], call), null);
  if (older === null) return { ...first, degraded: true };
  const turns = [...older, ...rows.turns];
  const whole = older.length < MAX_OLDER;
  const second = { ...reconcileMessages(turns, host, { complete: whole, canHold }), turns };
  const ids = host.flatMap((message) => message.id ?? []);
  if (second.known.length > 0 || whole || ids.length === 0) return second;
  // Older still: a message whose id is stored is known, wherever it stands.
  const find = async () => (await scope.engine.store()).findMessages(scope.owner, ids, call);
  const found = await degradingRead(scope.engine, "begin", find, null);
  if (found === null) return { ...first, degraded: true };
  const knownIds = new Set(found.map((location) => location.id));
  return knownIds.size === 0 ? second : { ...reconcileMessages(rows.turns, host, { knownIds }), turns: rows.turns };
}

/** Visible turns before the window's first, oldest first; all where the window is empty. */
async function readOlder(
  { engine, owner }: ConversationScope,
  first: TurnRow | undefined,
  call: CallOptions,
): Promise<TurnRow[]> {
  const store = await engine.store();
  const pages: TurnRow[][] = [];
  let before = first?.seq;
  for (let count = 0; count < MAX_OLDER; count += PAGE) {
    const query = { order: "newest", limit: PAGE, ...(before === undefined ? {} : { before }) } as const;
    const page = await store.readTurns(owner, query, call);
    pages.push(page);
    before = page.at(-1)?.seq;
    if (page.length < PAGE) break;
  }
  return pages.flat().reverse();
}

/**
 * The rows that a prompt is made from where what it answers goes on before the stored turn `from`: what comes before
 * that turn. A summary that reaches behind it tells of another past; the turns it stands for are shown instead.
 */
export async function rowsBefore(
  scope: ConversationScope,
  rows: ContextRows,
  compared: readonly TurnRow[],
  from: string | undefined,
  signal: AbortSignal | undefined,
): Promise<ContextRows> {
  if (from === undefined) return rows;
  // One that was replaced meanwhile: what stands in its place.
  const find = (all: readonly TurnRow[]) =>
    all.find((turn) => turn.id === from) ?? all.find((turn) => turn.replaces === from);
  let turns = compared;
  if (find(turns) === undefined && !isComplete(rows) && scope.engine.policy.conversation.enabled) {
    const read = () => readOlder(scope, compared[0], callOf(signal));
    turns = [...(await degradingRead(scope.engine, "begin", read, [])), ...compared];
  }
  const first = find(turns);
  if (first === undefined) return rows;
  const summary = rows.summary !== null && rows.summary.through < first.seq ? rows.summary : null;
  const hidden = Math.max(rows.conversation?.clearedThrough ?? 0, summary?.through ?? 0);
  return { ...rows, summary, turns: turns.filter((turn) => turn.seq < first.seq && turn.seq > hidden) };
}
