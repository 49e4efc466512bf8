import { expect, it } from "vitest";
import { nodeDriver } from "../driver.ts";
import { openSession } from "../open-session.ts";
import { Pace } from "../steps.ts";
import { ROWS_AT_ONCE } from "./each-row.ts";
import { eachTermRow } from "./term-rows.ts";

it("Z6: the rows of many terms are read once each, in the order of their blocks, however many a term has", async () => {
  const session = await openSession({
    path: ":memory:",
    driver: nodeDriver,
    synchronous: "normal",
    readOnly: false,
    cacheBytes: 1_000_000,
  });
  // Terms 1 … 100: most have a row, some as many as a statement reads, one less, one more, and several times as many.
  const rowsOf = (term: number): number =>
    [0, 1, ROWS_AT_ONCE - 1, ROWS_AT_ONCE, ROWS_AT_ONCE + 1, 3 * ROWS_AT_ONCE + 7][term % 20] ?? 1;
  const insert = (bucket: number, term: number, tool: number, block: number) =>
    session.run(
      "INSERT INTO posting (bucket, term, tool, block, data) VALUES (?, ?, ?, ?, ?)",
      bucket,
      term,
      tool,
      block,
      Uint8Array.of(term),
    );
  session.transaction(() => {
    for (let term = 1; term <= 100; term++) {
      for (let block = 0; block < rowsOf(term); block++) insert(7, term, 0, 2 * block);
      insert(7, term, 1, 0);
      insert(8, term, 0, 0);
    }
  });
  const asked = [...Array.from({ length: 120 }, (_, index) => 120 - index), 5, 5, 40];
  const seen = new Map<number, number[]>();
  const steps = eachTermRow(session, { bucket: 7, tool: 0, terms: asked }, new Pace(), ([term, block, data]) => {
    expect([...data]).toEqual([term]);
    seen.set(term, [...(seen.get(term) ?? []), block]);
  });
  while (steps.next().done !== true);
  for (let term = 1; term <= 100; term++) {
    expect(seen.get(term) ?? [], `term ${term}`).toEqual(Array.from({ length: rowsOf(term) }, (_, row) => 2 * row));
  }
  expect([...seen.keys()].every((term) => term <= 100)).toBe(true);
  session.close();
});
