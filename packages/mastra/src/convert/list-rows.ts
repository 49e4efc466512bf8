import type { MastraMemory } from "@mastra/core/memory";
import type { ConversationInfo, Turn } from "@throughline/core";
import type { Row } from "./rows.ts";
import { type RowFrom, toRowsFrom } from "./to-rows.ts";

/** What Mastra asks of a listing of messages. */
export type RecallInput = Parameters<MastraMemory["recall"]>[0];
export type ThreadsInput = Parameters<MastraMemory["listThreads"]>[0];
/** A thread as Mastra knows it. */
export type Thread = Awaited<ReturnType<MastraMemory["saveThread"]>>;

/** How many rows are listed where nothing else is said. */
const PAGE_ROWS = 40;
const PAGE_THREADS = 100;

/** A conversation as a thread. One that nobody owns has an empty resource. */
export const toThread = (info: ConversationInfo): Thread => ({
  id: info.id,
  title: info.title ?? "",
  resourceId: info.subject ?? "",
  createdAt: new Date(info.createdAt),
  updatedAt: new Date(info.updatedAt),
  ...(info.metadata === undefined ? {} : { metadata: info.metadata }),
});

/** The rows of these turns, and what each is made of. */
export const toThreadRows = (turns: readonly Turn[], owner: { threadId: string; resourceId: string }): RowFrom[] =>
  toRowsFrom(
    turns.flatMap(({ id: turn, messages }) => messages.map((message) => ({ ...message, turn }))),
    // What only another framework knows is not for Mastra to show.
    { ...owner, exact: true, onUnsupported: () => {} },
  );

/** Is it neither replaced nor rewound? */
export const isShown = ({ hidden, replacedBy }: Turn): boolean => !hidden && replacedBy === undefined;

interface Page<Item> {
  items: Item[];
  total: number;
  page: number;
  perPage: number | false;
  hasMore: boolean;
}

function pageOf<Item>(all: readonly Item[], page: number, perPage: number | false): Page<Item> {
  const size = perPage === false ? Math.max(1, all.length) : perPage;
  const items = all.slice(page * size, (page + 1) * size);
  return { items, total: all.length, page, perPage, hasMore: (page + 1) * size < all.length };
}

/** Picks the rows that are asked for, as Mastra's own stores do: without a page and an order the newest ones. */
export function pickRows(rows: readonly Row[], input: RecallInput): Page<Row> {
  const { page = 0, orderBy, filter } = input;
  const fitting = rows.filter((row) => isFitting(row, filter));
  if (input.perPage === undefined && orderBy === undefined) {
    const last = input.threadConfig?.lastMessages;
    const perPage = typeof last === "number" ? last : PAGE_ROWS;
    const newest = pageOf(fitting.toReversed(), page, perPage);
    return withIncluded({ ...newest, items: newest.items.reverse() }, rows, input);
  }
  const ordered = orderBy?.direction === "DESC" ? fitting.toReversed() : fitting;
  return withIncluded(pageOf(ordered, page, input.perPage ?? PAGE_ROWS), rows, input);
}

function isFitting(row: Row, filter: RecallInput["filter"]): boolean {
  const { start, end, startExclusive, endExclusive } = filter?.dateRange ?? {};
  const at = row.createdAt.getTime();
  if (start !== undefined && (startExclusive ? at <= start.getTime() : at < start.getTime())) return false;
  if (end !== undefined && (endExclusive ? at >= end.getTime() : at > end.getTime())) return false;
  return isMatching(row.content.metadata, filter?.metadata);
}

const isMatching = (metadata: Record<string, unknown> | undefined, wanted: Record<string, unknown> | undefined) =>
  Object.entries(wanted ?? {}).every(([key, value]) => JSON.stringify(metadata?.[key]) === JSON.stringify(value));

/** A page with the rows that were asked for by their ids, and those around them. */
function withIncluded(page: Page<Row>, rows: readonly Row[], { include = [] }: RecallInput): Page<Row> {
  const wanted = new Set(page.items.map(({ id }) => id));
  for (const { id, withPreviousMessages = 0, withNextMessages = 0 } of include) {
    const at = rows.findIndex((row) => row.id === id);
    if (at < 0) continue;
    for (const row of rows.slice(Math.max(0, at - withPreviousMessages), at + withNextMessages + 1)) wanted.add(row.id);
  }
  if (wanted.size === page.items.length) return page;
  return { ...page, items: rows.filter(({ id }) => wanted.has(id)) };
}

/** Picks the threads that are asked for. */
export function pickThreads(
  threads: readonly Thread[],
  { filter, orderBy, page = 0, perPage }: ThreadsInput,
): Page<Thread> {
  const fitting = threads.filter(({ metadata }) => isMatching(metadata, filter?.metadata));
  const field = orderBy?.field ?? "createdAt";
  const sign = orderBy?.direction === "ASC" ? 1 : -1;
  const ordered = fitting.toSorted((a, b) => sign * (a[field].getTime() - b[field].getTime()));
  return pageOf(ordered, page, perPage ?? PAGE_THREADS);
}
