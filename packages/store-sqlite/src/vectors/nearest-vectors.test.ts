import { join } from "node:path";
import { VectorArenas } from "@throughline/core/store-kit";
import { sqliteStore } from "@throughline/store-sqlite";
import { expect, it } from "vitest";
import { AGENT, chat, temporaryDirectory } from "../../test/support/fixtures.ts";
import { directions, MODEL, sayAll } from "../../test/support/vectors.ts";
import { nodeDriver } from "../driver.ts";
import { openSession } from "../open-session.ts";
import { KnownVectors } from "./known-vectors.ts";
import { nearestVectors } from "./nearest-vectors.ts";

/** How many vectors were read since it was last looked at what may stay. */
class Watched extends KnownVectors {
  most = 0;
  #since = 0;

  override read(...given: Parameters<KnownVectors["read"]>): ReturnType<KnownVectors["read"]> {
    const found = super.read(...given);
    this.#since += found.length;
    this.most = Math.max(this.most, this.#since);
    return found;
  }

  override trim(budgetBytes: number): void {
    this.#since = 0;
    super.trim(budgetBytes);
  }
}

it("Z7: of however many messages that are alike, no more exact vectors are kept at once than there is room for", async () => {
  const path = join(temporaryDirectory(), "memory.db");
  const store = sqliteStore({ path });
  const [vector = expect.fail()] = directions(1);
  await sayAll(
    store,
    chat("a"),
    "ann",
    Array.from({ length: 900 }, () => vector),
  );
  await store.close();
  const session = await openSession({
    path,
    driver: nodeDriver,
    synchronous: "normal",
    readOnly: true,
    cacheBytes: 1_000_000,
  });
  const known = new Watched();
  const cache = { arenas: new VectorArenas(50_000), known, bytes: 100_000 };
  const query = { model: MODEL, vector, floor: 0.5, limit: 10 };
  const steps = nearestVectors(session, cache, AGENT, { kind: "subject", subject: "ann" }, query);
  let step = steps.next();
  while (step.done !== true) step = steps.next();
  expect(step.value).toHaveLength(10);
  // A batch of exact scores.
  expect(known.most).toBeLessThanOrEqual(64);
  session.close();
});
