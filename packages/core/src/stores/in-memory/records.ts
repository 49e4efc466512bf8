import type { AgentOwner } from "../../contract/owner.ts";
import type { RecordCommit, RecordCommitResult, RecordQuery } from "../../contract/store-records.ts";
import type { RecordRow } from "../../contract/store-rows.ts";
import { plainCopy as copy } from "../../store-kit/plain-copy.ts";
import { isLiveRecord, selectNamespaces, selectRecords } from "../../store-kit/select-records.ts";
import type { State } from "./state.ts";

export function readRecords(state: State, owner: AgentOwner, query: RecordQuery): RecordRow[] {
  return copy(selectRecords(state.agent(owner).records.values(), query));
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
    const before = stored !== undefined && isLiveRecord(stored, now) ? stored : undefined;
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
  return copy(selectNamespaces(state.agent(owner).records.values(), query));
}
