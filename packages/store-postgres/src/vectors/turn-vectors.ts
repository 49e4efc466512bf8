import type { Message } from "@throughline/core";
import { sameWords } from "@throughline/core/store-kit";
import { STAMP } from "../schema/stamp.ts";
import type { Session } from "../session.ts";
import { writeText } from "../text.ts";

type Key = readonly [tenant: string, agent: string, conversation: string];

const OF_TURNS = "tenant = $1 AND agent = $2 AND conversation = $3 AND seq = ANY ($4)";

/** Removes the vectors of turns. */
export async function removeVectorsOfTurns(session: Session, key: Key, seqs: readonly number[]): Promise<void> {
  await session.run(`DELETE FROM #vector WHERE ${OF_TURNS}`, ...key, seqs);
}

/** Takes the vectors of turns out of reach of every search, or brings them back. */
export async function fileVectors(
  session: Session,
  key: Key,
  seqs: readonly number[],
  isFiled: boolean,
): Promise<void> {
  await session.run(`UPDATE #vector SET filed = $5, stamp = ${STAMP} WHERE ${OF_TURNS}`, ...key, seqs, isFiled);
}

/** Files a turn's vectors under another subject. */
export async function moveVectors(session: Session, key: Key, seq: number, subject: string): Promise<void> {
  await session.run(`UPDATE #vector SET subject = $5, stamp = ${STAMP} WHERE ${OF_TURNS}`, ...key, [seq], subject);
}

/** Keeps the vectors of those messages of a rewritten turn that say what they said. */
export async function keepVectorsOfWords(
  session: Session,
  key: Key,
  seq: number,
  before: readonly Message[],
  after: readonly Message[],
): Promise<void> {
  const said = new Map(before.map((message) => [message.id, message]));
  const kept = [...after.entries()].filter(([, message]) => {
    const same = said.get(message.id);
    return same !== undefined && sameWords(same, message);
  });
  const ids = kept.map(([, { id }]) => writeText(id));
  await session.run(`DELETE FROM #vector WHERE ${OF_TURNS} AND NOT message = ANY ($5::text[])`, ...key, [seq], ids);
  await session.run(
    `UPDATE #vector v SET position = m.position, stamp = ${STAMP} FROM unnest($5::text[], $6::integer[]) m (id, position)
      WHERE ${OF_TURNS} AND v.message = m.id AND v.position <> m.position`,
    ...key,
    [seq],
    ids,
    kept.map(([position]) => position),
  );
}
