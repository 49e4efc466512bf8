import { expect, it } from "vitest";
import { nodeDriver } from "../driver.ts";
import { putBytes } from "../heap.ts";
import { openSession } from "../open-session.ts";
import { VectorBodies } from "./vector-bodies.ts";
import { writeVector } from "./vector-body.ts";

const SETTINGS = { driver: nodeDriver, synchronous: "normal", readOnly: false, cacheBytes: 1_000_000 } as const;

it("Z7: exact vectors are kept within their budget, those read last first, and read again where they aren't", async () => {
  const session = await openSession({ ...SETTINGS, path: ":memory:" });
  const rows = Array.from({ length: 10 }, (_, key) => {
    const vector = new Float32Array(100).fill(key);
    return { key, body: putBytes(session, writeVector({ vector, turn: `t${key}`, message: `m${key}` })) };
  });
  // Each takes 800 bytes: four are kept.
  const bodies = new VectorBodies(3_500);
  const read = (...keys: number[]) => {
    const found = bodies.read(
      session,
      rows.filter(({ key }) => keys.includes(key)),
      100,
    );
    return keys.map((key) => [found.get(key)?.vector[0], found.get(key)?.turn, found.get(key)?.message]);
  };
  const expected = (...keys: number[]) => keys.map((key) => [key, `t${key}`, `m${key}`]);
  expect(read(0, 1, 2, 3)).toEqual(expected(0, 1, 2, 3));
  read(0);
  read(4);
  // From here on only what is kept can be answered.
  for (const { body } of rows) session.run("UPDATE heap SET data = zeroblob(410) WHERE ref = ?", body);
  expect(read(0, 2, 3, 4)).toEqual(expected(0, 2, 3, 4));
  expect(read(1)).toEqual([[0, "", ""]]);
  bodies.forget(0);
  expect(read(0)).toEqual([[0, "", ""]]);
  session.close();
});
