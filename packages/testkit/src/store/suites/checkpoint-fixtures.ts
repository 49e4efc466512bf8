import type {
  CheckpointCommit,
  CheckpointRow,
  CheckpointStore,
  CheckpointWrite,
  MemoryStore,
  PendingWrites,
} from "@throughline/core";
import { expect } from "vitest";
import { at, CHAT } from "../fixtures.ts";

/** The store's checkpoints, which its capabilities promise. */
export function checkpointsOf(store: MemoryStore): CheckpointStore {
  if (store.checkpoints === undefined) throw new Error("The store says it keeps checkpoints and has no `checkpoints`.");
  return store.checkpoints;
}

/** A checkpoint to write that holds nothing. */
export function checkpointOf(id: string, more: Partial<CheckpointWrite> = {}): CheckpointWrite {
  return { space: "", id, now: at(1), values: [], tags: [], body: "{}", ...more };
}

/** Puts a checkpoint that has to be stored. */
export async function put(
  store: MemoryStore,
  write: CheckpointWrite,
  owner = CHAT,
): Promise<Extract<CheckpointCommit, { status: "stored" }>> {
  const commit = await checkpointsOf(store).put(owner, write);
  if (commit.status !== "stored") throw new Error(`The checkpoint ${write.id} is ${commit.status}, not stored.`);
  return commit;
}

/** Writes of one task, each the JSON of its name. */
export function writesOf(checkpoint: string, task: string, ...names: string[]): PendingWrites {
  return {
    space: "",
    checkpoint,
    task,
    path: `path of ${task}`,
    writes: names.map((name, index) => ({ index, name, text: JSON.stringify(name) })),
  };
}

/** The elements of a value, parsed; the text of one that is no list. */
export function heldUnder(row: CheckpointRow | null, name: string): unknown {
  const value = row?.values.find((candidate) => candidate.name === name);
  if (value === undefined) return undefined;
  return typeof value.value === "string" ? JSON.parse(value.value) : JSON.parse(value.elements ?? "null");
}

/** A checkpoint that has to be there. */
export async function readAt(store: MemoryStore, id: string, owner = CHAT): Promise<CheckpointRow> {
  const row = await checkpointsOf(store).read(owner, { space: "", id });
  expect(row?.id).toBe(id);
  // The line above has looked.
  return row as CheckpointRow;
}

/** JSON texts of some values. */
export const texts = (...values: unknown[]): string[] => values.map((value) => JSON.stringify(value));
