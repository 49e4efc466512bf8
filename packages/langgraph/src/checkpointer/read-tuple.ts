import {
  type CheckpointMetadata,
  type CheckpointPendingWrite,
  type CheckpointTuple,
  compareWritesSortKeys,
  writesSortKey,
} from "@langchain/langgraph-checkpoint";
import type { CheckpointRow, PendingWriteRow } from "@throughline/core";
import { readValue } from "./channel-values.ts";
import { type Body, readBody } from "./checkpoint-body.ts";
import { decode } from "./codec/decode.ts";
import { setOwn } from "./codec/format.ts";
import type { KnownElements } from "./known-elements.ts";
import { configOf } from "./run-place.ts";

/** Writes in the order in which the host applies them. */
export function sortWrites(writes: readonly PendingWriteRow[]): PendingWriteRow[] {
  const key = ({ path, task, index }: PendingWriteRow) => writesSortKey(path, task, index);
  return [...writes].sort((left, right) => compareWritesSortKeys(key(left), key(right)));
}

/** Writes as the host knows them. */
export const toPendingWrites = (writes: readonly PendingWriteRow[]): CheckpointPendingWrite[] =>
  sortWrites(writes).map(({ task, name, text }) => [task, name, decode(text)]);

/** A row as the host's tuple, with the parts of its body. The items of its lists are learned where `known` is given. */
export function toTuple(
  row: CheckpointRow,
  thread: string,
  known?: KnownElements,
): { tuple: CheckpointTuple & Required<Pick<CheckpointTuple, "pendingWrites">>; body: Body } {
  const body = readBody(row.body);
  const learning = known === undefined ? undefined : { generation: row.generation, known };
  const values: Record<string, unknown> = {};
  for (const value of row.values) {
    const kind = Object.hasOwn(body.kinds, value.name) ? body.kinds[value.name] : undefined;
    setOwn(values, value.name, readValue(value, kind, learning));
  }
  const metadata: Record<string, unknown> = {};
  for (const [key, text] of row.tags) setOwn(metadata, key, decode(text));
  return {
    body,
    tuple: {
      config: configOf(thread, row.space, row.id),
      checkpoint: { ...body.checkpoint, id: row.id, channel_values: values },
      // The tags are what was put as metadata.
      metadata: metadata as unknown as CheckpointMetadata,
      ...(row.parent === undefined ? {} : { parentConfig: configOf(thread, row.space, row.parent) }),
      pendingWrites: toPendingWrites(row.writes),
    },
  };
}
