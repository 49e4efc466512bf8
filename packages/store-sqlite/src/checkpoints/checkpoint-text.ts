import type { CheckpointRow, ElementRange } from "@throughline/core";

/** A checkpoint's values and tags, as they stand in front of its body. */
export interface CheckpointHead {
  values: { name: string; value: string | readonly ElementRange[] }[];
  tags: CheckpointRow["tags"];
}

type Stored = [values: [name: string, value: string | ElementRange[]][], tags: [key: string, text: string][]];

/** One text for the heap: the head in a line of its own, for JSON of ours has no line breaks, and the body. */
export function writeCheckpoint({ values, tags }: CheckpointHead, body: string): string {
  return `${JSON.stringify([values.map(({ name, value }) => [name, value]), tags])}\n${body}`;
}

export function readHead(text: string): CheckpointHead {
  // What the function above wrote.
  const [values, tags] = JSON.parse(text.slice(0, text.indexOf("\n"))) as Stored;
  return { values: values.map(([name, value]) => ({ name, value })), tags };
}

export function readCheckpointBody(text: string): string {
  return text.slice(text.indexOf("\n") + 1);
}
