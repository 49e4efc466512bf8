import { setImmediate } from "node:timers/promises";
import type { AgentOwner, NearMessage, VectorModel } from "@throughline/core";
import { agentKey } from "../conversation-rows.ts";
import type { Session } from "../session.ts";
import { readText, writeText } from "../text.ts";
import { modelNumber } from "./vector-model.ts";

/** Vectors made ready between two pauses: about a millisecond. */
export const AT_ONCE = 64;

/** A message's vector, and all that a search answers of it but its score. */
export type KnownVector = Omit<NearMessage, "score" | "subject"> & { subject: string; vector: Float32Array };

/** What became of a subject's vectors of one model. */
export interface NearChanges {
  /** How many there are. */
  count: number;
  /** All their stamps, by exclusive or. */
  stamps: bigint;
  /** Those behind the stamp that was asked from, in the order of their stamps; `null` where there are more than were asked for. */
  written: { stamp: bigint; known: KnownVector }[] | null;
}

const CHANGES = "SELECT #near_changes($1, $2, $3, $4, $5, $6, $7) AS answer";

/** What was written after a stamp, in one trip. `null` where an id holds what tells the columns apart. */
export async function readChanges(
  session: Session,
  rowLevelSecurity: boolean,
  owner: AgentOwner,
  { subject, model, after, most }: { subject: string; model: VectorModel; after: bigint; most: number },
): Promise<NearChanges | null> {
  const found = await session.prepared<{ answer: string }>(
    "changes",
    CHANGES,
    rowLevelSecurity,
    ...agentKey(owner),
    writeText(subject),
    modelNumber(model),
    String(after),
    most,
  );
  if (found === undefined) throw new Error("A function answers with one row.");
  const [head = "", ...lines] = found.answer.split("\x1e");
  const [count, stamps, isReversed] = head.split("\x1f");
  const changes = { count: Number(count), stamps: BigInt(stamps ?? 0) };
  if (changes.count > most) return { ...changes, written: null };
  const { dimensions } = model;
  // One piece of memory for all that came together.
  const floats = new Float32Array(dimensions * lines.length);
  const written: NearChanges["written"] = [];
  for (const [index, line] of lines.entries()) {
    if (index % AT_ONCE === AT_ONCE - 1) await setImmediate();
    const columns = line.split("\x1f");
    if (columns.length !== COLUMNS) return null;
    const [stamp, conversation, turn, seq, position, message, role, createdAt, bytes] = columns as Columns;
    const vector = floats.subarray(dimensions * index, dimensions * (index + 1));
    if (!readFloats(bytes, isReversed === "t", vector)) return null;
    written.push({
      stamp: BigInt(stamp),
      known: {
        conversation: readText(conversation),
        turn: readText(turn),
        seq: Number(seq),
        position: Number(position),
        message: readText(message),
        // As it was written.
        role: role as NearMessage["role"],
        subject,
        createdAt,
        vector,
      },
    });
  }
  return { ...changes, written };
}

/** As many as {@link COLUMNS}. */
type Columns = [string, string, string, string, string, string, string, string, string];
const COLUMNS = 9;

/** Fills a vector from what the database sent of it; false where that is of another length. */
function readFloats(base64: string, isReversed: boolean, vector: Float32Array): boolean {
  const all = Buffer.from(base64, "base64");
  // What is reversed has its length in front.
  const bytes = isReversed ? all.subarray(4).swap32() : all;
  if (bytes.length !== vector.byteLength) return false;
  new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength).set(bytes);
  return true;
}
