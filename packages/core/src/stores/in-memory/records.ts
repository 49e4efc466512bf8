import type { AgentOwner } from "../../contract/owner.ts";
import type { RecordCommit, RecordCommitResult, RecordQuery } from "../../contract/store-records.ts";
import type { RecordRow } from "../../contract/store-rows.ts";
import { compareText, copy } from "./copy.ts";
import type { State } from "./state.ts";

export function readRecords(state: State, owner: AgentOwner, query: RecordQuery): RecordRow[] {
  const { namespace, keys, order = "namespace", offset = 0 } = query;
  const found = [...state.agent(owner).records.values()].filter(
    (record) =>
      isLive(record, query.now) &&
      startsWith(record.namespace, namespace) &&
      (keys === undefined || (record.namespace.length === namespace.length && keys.includes(record.key))),
  );
  found.sort((left, right) =>
    order === "updated"
      ? compareText(right.updatedAt, left.updatedAt) || comparePlace(left, right)
      : comparePlace(left, right),
  );
  return copy(found.slice(offset, offset + query.limit));
}

export function commitRecords(
  state: State,
  owner: AgentOwner,
  commits: readonly RecordCommit[],
  now: string,
): RecordCommitResult {
  const agent = state.agent(owner);
  // The commits run on a copy of the map, which takes its place when all of them went through.
  const records = new Map(agent.records);
  const versions: number[] = [];
  for (const [index, commit] of commits.entries()) {
    const place = JSON.stringify([commit.namespace, commit.key]);
    const stored = records.get(place);
    const before = stored !== undefined && isLive(stored, now) ? stored : undefined;
    const version = before?.version ?? 0;
    if (commit.ifVersion !== undefined && commit.ifVersion !== version) return { status: "conflict", index, version };
    if (commit.value === undefined) {
      records.delete(place);
      versions.push(0);
      continue;
    }
    const { ifVersion: _ifVersion, ...rest } = commit;
    const createdAt = before?.createdAt ?? now;
    records.set(
      place,
      copy({
        ...rest,
        namespace: [...rest.namespace],
        value: commit.value,
        version: version + 1,
        createdAt,
        updatedAt: now,
      }),
    );
    versions.push(version + 1);
  }
  agent.records = records;
  return { status: "committed", versions };
}

export function listNamespaces(
  state: State,
  owner: AgentOwner,
  query: { prefix?: readonly string[]; limit: number; after?: readonly string[]; now: string },
): string[][] {
  const { prefix = [], after } = query;
  const distinct = new Map<string, string[]>();
  for (const record of state.agent(owner).records.values()) {
    if (!isLive(record, query.now) || !startsWith(record.namespace, prefix)) continue;
    distinct.set(JSON.stringify(record.namespace), record.namespace);
  }
  return copy(
    [...distinct.values()]
      .filter((namespace) => after === undefined || compareLabels(after, namespace) < 0)
      .sort(compareLabels)
      .slice(0, query.limit),
  );
}

function isLive(record: RecordRow, now: string): boolean {
  return record.expiresAt === undefined || record.expiresAt > now;
}

function startsWith(namespace: readonly string[], prefix: readonly string[]): boolean {
  return prefix.length <= namespace.length && prefix.every((label, index) => namespace[index] === label);
}

function comparePlace(left: RecordRow, right: RecordRow): number {
  return compareLabels(left.namespace, right.namespace) || compareText(left.key, right.key);
}

/** Label by label; a namespace comes before those below it. */
function compareLabels(left: readonly string[], right: readonly string[]): number {
  for (const [index, label] of left.entries()) {
    const other = right[index];
    if (other === undefined) return 1;
    const order = compareText(label, other);
    if (order !== 0) return order;
  }
  return left.length - right.length;
}
