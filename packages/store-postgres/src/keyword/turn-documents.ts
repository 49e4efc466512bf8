import type { Session } from "../session.ts";
import { bucketOf } from "./hashes.ts";

type Key = readonly [tenant: string, agent: string, conversation: string];

const OF_TURNS = "tenant = $1 AND agent = $2 AND conversation = $3 AND seq = ANY ($4)";
const POSTINGS_OF = `(SELECT bucket, document, unnest(terms) AS term FROM #document WHERE ${OF_TURNS}) d
  WHERE p.tenant = $1 AND p.bucket = d.bucket AND p.term = d.term AND p.document = d.document`;

/** Parts of a `WITH` that remove the messages of turns from the keyword index; what follows sees what was there before. */
export const REMOVED_OF_TURNS = `removed_postings AS (DELETE FROM #posting p USING ${POSTINGS_OF}),
  removed_documents AS (DELETE FROM #document WHERE ${OF_TURNS})`;

/** Removes the messages of turns from the keyword index. */
export async function removeDocumentsOfTurns(session: Session, key: Key, seqs: readonly number[]): Promise<void> {
  await session.run(`WITH ${REMOVED_OF_TURNS} SELECT 1`, ...key, seqs);
}

/** Takes the messages of turns out of reach of every search, or brings them back. */
export async function setFiled(session: Session, key: Key, seqs: readonly number[], isFiled: boolean): Promise<void> {
  await session.run(`UPDATE #document SET filed = $5 WHERE ${OF_TURNS}`, ...key, seqs, isFiled);
}

/** Files a turn's messages under another subject. Their numbers stay. */
export async function moveDocuments(session: Session, key: Key, seq: number, subject: string): Promise<void> {
  const bucket = bucketOf(key[1], key[2], subject);
  await session.run(`UPDATE #posting p SET bucket = $5 FROM ${POSTINGS_OF}`, ...key, [seq], bucket);
  await session.run(`UPDATE #document SET bucket = $5, subject = $6 WHERE ${OF_TURNS}`, ...key, [seq], bucket, subject);
}
