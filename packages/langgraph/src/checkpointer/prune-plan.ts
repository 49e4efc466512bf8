import type { CheckpointRow } from "@throughline/core";
import { readBody } from "./checkpoint-body.ts";
import { decode } from "./codec/decode.ts";
import { spaceKey } from "./heads.ts";

/** What to keep of a thread. The newest checkpoint of each history always stays. */
export interface KeepRule {
  /** So many of the newest of each history. */
  keep?: number;
  /** ISO 8601: those written before go. */
  before?: string;
}

/** Channels whose value is spread over the writes of ancestors, back to the nearest one that holds it whole. */
function spreadChannels(row: CheckpointRow): string[] {
  const counters = row.tags.find(([key]) => key === "counters_since_delta_snapshot");
  const names = Object.keys(counters === undefined ? {} : Object(decode(counters[1])));
  const whole = new Set(row.values.map(({ name }) => name));
  return names.filter(
    (name) => !whole.has(name) && Object.hasOwn(readBody(row.body).checkpoint.channel_versions, name),
  );
}

/** The root's checkpoint that a subgraph's belongs to. */
function rootOf(row: CheckpointRow): string | undefined {
  const parents = row.tags.find(([key]) => key === "parents");
  const named: unknown = parents === undefined ? undefined : Object(decode(parents[1]))[""];
  return typeof named === "string" ? named : undefined;
}

/** A subgraph's history of one step: its name ends with a task. Others go on from run to run. */
const isOfOneStep = (space: string): boolean => (space.split("|").at(-1) ?? "").includes(":");

/**
 * Which checkpoints of a thread may go; `rows` are all of them, newest first. A kept one keeps the ancestors that its delta
 * channels are made of, and the histories of the subgraphs that ran in it.
 */
export function planPrune(rows: readonly CheckpointRow[], { keep, before }: KeepRule): { space: string; id: string }[] {
  const place = ({ space, id }: { space: string; id: string }) => spaceKey(space, id);
  const byPlace = new Map(rows.map((row) => [place(row), row]));
  const kept = new Set<string>();
  const seen = new Map<string, number>();
  for (const row of rows) {
    if (isOfOneStep(row.space)) continue;
    const count = seen.get(row.space) ?? 0;
    seen.set(row.space, count + 1);
    const isRecent = (keep === undefined || count < keep) && (before === undefined || row.at >= before);
    if (count === 0 || isRecent) kept.add(place(row));
  }
  for (const row of rows) {
    if (!isOfOneStep(row.space)) continue;
    const root = rootOf(row);
    const isLost = root === undefined || !byPlace.has(place({ space: "", id: root }));
    // Without a root nothing tells what it belongs to: its age does.
    if (isLost ? before === undefined || row.at >= before : kept.has(place({ space: "", id: root })))
      kept.add(place(row));
  }
  for (const row of rows) if (kept.has(place(row))) keepAncestors(row);
  return rows.filter((row) => !kept.has(place(row))).map(({ space, id }) => ({ space, id }));

  function keepAncestors(row: CheckpointRow): void {
    const open = new Set(spreadChannels(row));
    for (let next = row; open.size > 0 && next.parent !== undefined; ) {
      const parent = byPlace.get(place({ space: next.space, id: next.parent }));
      if (parent === undefined) return;
      kept.add(place(parent));
      for (const { name } of parent.values) open.delete(name);
      next = parent;
    }
  }
}
