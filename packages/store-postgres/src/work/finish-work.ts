import type { ConversationOwner, VectorDocument, WorkResult } from "@throughline/core";
import { isAnother } from "@throughline/core/store-kit";
import { parse } from "../context.ts";
import { keyOf, lockConversation, toConversation } from "../conversation-rows.ts";
import { sqlState } from "../errors.ts";
import { termArrays } from "../keyword/hashes.ts";
import { firstNumber, indexDocuments } from "../keyword/index-documents.ts";
import type { Session } from "../session.ts";
import { toInteger, writeText } from "../text.ts";
import { putVectors } from "../vectors/put-vectors.ts";
import { type VectorColumn, vectorTable } from "../vectors/vector-column.ts";
import { modelNumber, vectorBytes, vectorText } from "../vectors/vector-model.ts";
import { settleWork } from "./leases.ts";

/** What became of a result. */
export interface Finished {
  indexed: boolean;
  vectors: number;
}

const FINISH = `SELECT #finish_work(${Array.from({ length: 29 }, (_, index) => `$${index + 1}`).join(", ")}) AS answer`;

/**
 * An ordinary result in one trip; `null`, with nothing written, where it is not that: where a turn or its messages aren't as
 * they were read, or an index holds them already. `column` is how vectors are kept, where there are any.
 */
export async function finishOrdinaryWork(
  session: Session,
  { rowLevelSecurity, schema }: { rowLevelSecurity: boolean; schema: string },
  owner: ConversationOwner,
  result: WorkResult,
  column: VectorColumn | null,
): Promise<Finished | null> {
  const { index, vectors, settlement } = result;
  const { createdAt, holder, watermarks = {}, settledSeq, release = true } = settlement;
  const { index: indexed, ...marks } = watermarks;
  const kept = vectors === undefined || column === null ? [] : vectorRows(column, vectors.documents);
  const documents = index?.documents ?? [];
  const terms = await termArrays(documents);
  try {
    const found = await session.prepared<{ answer: string }>(
      "finish",
      FINISH,
      rowLevelSecurity,
      ...keyOf(owner),
      createdAt ?? null,
      index === undefined ? null : toInteger(index.after),
      index === undefined ? null : toInteger(index.through),
      firstNumber(),
      documents.map(({ seq }) => seq),
      documents.map(({ turn }) => writeText(turn)),
      documents.map(({ position }) => position),
      documents.map(({ message }) => writeText(message)),
      documents.map(({ role }) => role),
      documents.map(({ group }) => group === "tool"),
      documents.map(({ length }) => length),
      documents.map(({ createdAt }) => createdAt),
      documents.map(({ place }) => place),
      terms,
      documents.map(({ terms }) => `{${terms.map(([, frequency]) => frequency).join(",")}}`),
      vectors === undefined ? null : modelNumber(vectors.model),
      vectorTable(schema),
      column?.kind === "bytes",
      kept.length === 0 ? null : JSON.stringify(kept),
      kept.length,
      writeText(holder),
      release,
      Object.keys(marks).length === 0 ? null : JSON.stringify(marks),
      indexed === undefined ? null : toInteger(indexed),
      settledSeq === undefined ? null : toInteger(settledSeq),
    );
    if (found === undefined) throw new Error("A function answers with one row.");
    return parse<Finished>(found.answer);
  } catch (error) {
    // Undone, to be looked at; or another one has the same numbers.
    if (["23505", "TL001"].includes(sqlState(error) ?? "")) return null;
    throw error;
  }
}

/** Any result, in a transaction. */
export async function finishWork(
  session: Session,
  owner: ConversationOwner,
  { index, vectors, settlement }: WorkResult,
  column: VectorColumn | null,
): Promise<Finished> {
  const claimed = await lockConversation(session, owner);
  if (claimed === undefined || isAnother(toConversation(claimed), settlement)) return { indexed: false, vectors: 0 };
  const indexed = index !== undefined && (await indexDocuments(session, owner, index));
  const kept = vectors === undefined || column === null ? 0 : await putVectors(session, column, owner, vectors);
  await settleWork(session, owner, settlement);
  return { indexed, vectors: kept };
}

/** Rows as the table's columns read them from JSON; of one message twice the later one counts. */
function vectorRows(column: VectorColumn, documents: readonly VectorDocument[]): object[] {
  const rows = new Map<string, object>();
  for (const { turn, seq, position, message, role, createdAt, vector } of documents) {
    rows.set(JSON.stringify([seq, message]), {
      seq,
      message: writeText(message),
      turn: writeText(turn),
      position,
      role,
      created_at: createdAt,
      v: column.kind === "bytes" ? `\\x${Buffer.from(vectorBytes(vector)).toString("hex")}` : vectorText(vector),
    });
  }
  return [...rows.values()];
}
