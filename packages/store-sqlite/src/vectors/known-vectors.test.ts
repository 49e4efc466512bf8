import { expect, it } from "vitest";
import { nodeDriver } from "../driver.ts";
import { putBytes } from "../heap.ts";
import { openSession } from "../open-session.ts";
import { KnownVectors } from "./known-vectors.ts";
import { writeVector } from "./vector-body.ts";
import { vectorKey } from "./vector-sets.ts";

const SETTINGS = { driver: nodeDriver, synchronous: "normal", readOnly: false, cacheBytes: 1_000_000 } as const;
const SET = 1;

/** Ten vectors in the rows of one conversation; and whatever stands for them in the heap from now on is worth nothing. */
async function openTen() {
  const session = await openSession({ ...SETTINGS, path: ":memory:" });
  session.run("INSERT INTO vector_set (bucket, model, dimensions, next, sealed) VALUES (1, 1, 100, 10, 0)");
  session.run(
    `INSERT INTO conversation (agent, id, subject, created_at, updated_at, last_seq, turns, messages, cleared_through,
      settled_seq, indexed_seq, version, summary, summaries) VALUES (1, 'c', 1, '', '', 10, 10, 10, 0, 0, 0, 1, 0, 0)`,
  );
  const bodies = Array.from({ length: 10 }, (_, number) => {
    const vector = new Float32Array(100).fill(number);
    const body = putBytes(session, writeVector({ vector, turn: `t${number}`, message: `m${number}` }));
    session.run(
      `INSERT INTO vector (key, conversation, seq, message, position, role, created_at, hidden, body)
        VALUES (?, 1, ?, ?, 0, 0, '2026', 0, ?)`,
      vectorKey(SET, number),
      number + 1,
      number,
      body,
    );
    return body;
  });
  const known = new KnownVectors();
  const read = (...numbers: number[]) => {
    const found = known.read(session, SET, numbers, 100);
    return found.map((one) => one && [one.vector[0], one.place.turn, one.place.message, one.place.conversation]);
  };
  const spoil = () => {
    for (const body of bodies) session.run("UPDATE heap SET data = zeroblob(410) WHERE ref = ?", body);
  };
  return { session, known, read, spoil };
}

const expected = (...numbers: number[]) => numbers.map((number) => [number, `t${number}`, `m${number}`, "c"]);
const SPOILT = [0, "", "", "c"];

it("Z7: exact vectors are kept within their budget, those read last first, and read again where they aren't", async () => {
  const { session, known, read, spoil } = await openTen();
  expect(read(0, 1, 2, 3)).toEqual(expected(0, 1, 2, 3));
  read(0);
  read(4);
  // Each takes 1,100 bytes: four are kept.
  known.trim(4_500);
  // From here on only what is kept can be answered.
  spoil();
  expect(read(0, 2, 3, 4)).toEqual(expected(0, 2, 3, 4));
  expect(read(1)).toEqual([SPOILT]);
  known.trim(0);
  expect(read(0)).toEqual([SPOILT]);
  session.close();
});

it.each([
  ["changed", "UPDATE vector SET position = 1 WHERE seq = 9"],
  ["went", "DELETE FROM vector WHERE seq = 9"],
  ["was filed elsewhere", `UPDATE vector SET key = ${vectorKey(2, 0)} WHERE seq = 9`],
])("E3: what is kept of a set counts no more once a row of it %s", async (_, change) => {
  const { session, read, spoil } = await openTen();
  expect(read(0, 1)).toEqual(expected(0, 1));
  spoil();
  expect(read(0)).toEqual(expected(0));
  session.run(change);
  expect(read(0, 1)).toEqual([SPOILT, SPOILT]);
  session.close();
});

it.each([
  ["of the subject", undefined],
  ["of another subject by now", "UPDATE conversation SET subject = 2"],
  ["of no subject", "UPDATE conversation SET subject = NULL"],
])("E3: what is kept counts no more once its conversation went, one %s", async (whose, change) => {
  const { session, read } = await openTen();
  if (change !== undefined) session.run(change);
  if (whose === "of another subject by now") session.run("INSERT INTO former_subject VALUES (1, 1)");
  if (whose === "of no subject") session.run("INSERT INTO bucket (ref, agent, conversation) VALUES (1, 1, 1)");
  expect(read(0, 1)).toEqual(expected(0, 1));
  session.run("DELETE FROM conversation");
  expect(read(0, 1)).toEqual([undefined, undefined]);
  session.close();
});
