import type { Checkpoint } from "@langchain/langgraph-checkpoint";
import { MemoryError } from "@throughline/core";
import type { ListKind } from "./channel-values.ts";
import { decode } from "./codec/decode.ts";
import { encode, type UnknownValues } from "./codec/encode.ts";

/** Version of the body's form. */
const FORM = 1;

/** A checkpoint without its id and its values, and what its lists stand for. */
export interface Body {
  checkpoint: Omit<Checkpoint, "id" | "channel_values">;
  kinds: Record<string, ListKind>;
}

/** `array` is what most lists are, and isn't written. */
type WrittenKinds = { [name: string]: Exclude<ListKind, "array"> };

export function writeBody({ checkpoint, kinds }: Body, unknown: UnknownValues): string {
  const written: WrittenKinds = {};
  for (const [name, kind] of Object.entries(kinds)) if (kind !== "array") written[name] = kind;
  return encode([FORM, checkpoint, written], unknown);
}

export function readBody(text: string): Body {
  // What the function above wrote.
  const [form, checkpoint, kinds] = decode(text) as [number, Body["checkpoint"], WrittenKinds];
  if (form !== FORM) {
    throw new MemoryError("STORE_NEWER", "A checkpoint was written by a newer version of @throughline/langgraph.");
  }
  return { checkpoint, kinds };
}
