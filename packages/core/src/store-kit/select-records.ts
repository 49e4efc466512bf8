import type { ItemQuery } from "../contract/store-items.ts";
import type { RecordQuery } from "../contract/store-records.ts";
import type { RecordRow } from "../contract/store-rows.ts";
import { compareNamespaces, compareText, startsWithLabels } from "./orders.ts";

/** True where the record hasn't expired by then. */
export const isLiveRecord = ({ expiresAt }: Pick<RecordRow, "expiresAt">, now: string): boolean =>
  expiresAt === undefined || expiresAt > now;

/** The records that a query asks for, in its order. Pure. */
export function selectRecords(records: Iterable<RecordRow>, query: RecordQuery): RecordRow[] {
  const { namespace, keys, order = "namespace", offset = 0 } = query;
  const found = [...records].filter(
    (record) =>
      isLiveRecord(record, query.now) &&
      startsWithLabels(record.namespace, namespace) &&
      (keys === undefined || (record.namespace.length === namespace.length && keys.includes(record.key))),
  );
  found.sort((left, right) =>
    order === "updated"
      ? compareText(right.updatedAt, left.updatedAt) || comparePlace(left, right)
      : comparePlace(left, right),
  );
  return found.slice(offset, offset + query.limit);
}

/** The distinct namespaces that live records stand in, in order. Pure. */
export function selectNamespaces(
  records: Iterable<RecordRow>,
  query: { prefix?: readonly string[]; limit: number; after?: readonly string[]; now: string },
): string[][] {
  const { prefix = [], after } = query;
  const distinct = new Map<string, string[]>();
  for (const record of records) {
    if (!isLiveRecord(record, query.now) || !startsWithLabels(record.namespace, prefix)) continue;
    distinct.set(JSON.stringify(record.namespace), record.namespace);
  }
  return [...distinct.values()]
    .filter((namespace) => after === undefined || compareNamespaces(after, namespace) < 0)
    .sort(compareNamespaces)
    .slice(0, query.limit);
}

function comparePlace(left: RecordRow, right: RecordRow): number {
  return compareNamespaces(left.namespace, right.namespace) || compareText(left.key, right.key);
}

/** The keys of items that a query asks for, in its order. Pure. */
export function selectItemKeys(keys: Iterable<string>, query: ItemQuery): string[] {
  const sorted = [...keys].sort(compareText);
  if ("keys" in query) return sorted.filter((key) => query.keys.includes(key));
  const { prefix, after, before, order = "ascending", limit } = query;
  const found = sorted.filter(
    (key) => key.startsWith(prefix) && (after === undefined || key > after) && (before === undefined || key < before),
  );
  return (order === "descending" ? found.reverse() : found).slice(0, limit);
}
