import type { VectorIndex } from "@throughline/core";
import { VectorArenas } from "@throughline/core/store-kit";
import type { Database } from "../database.ts";
import { dropVectors } from "./drop-vectors.ts";
import { KnownVectors } from "./known-vectors.ts";
import { nearestVectors } from "./nearest-vectors.ts";
import { checkBatch, putVectors } from "./put-vectors.ts";

/** Share of the cache that exact floats always get; they have what comparing leaves besides. */
const EXACT_SHARE = 0.25;

/** Vectors in the file: all of an owner's are compared, in memory as far as `cacheBytes` goes. */
export function sqliteVectors(database: Database, cacheBytes: number): VectorIndex {
  const arenas = new VectorArenas(cacheBytes * (1 - EXACT_SHARE));
  const cache = { arenas, known: new KnownVectors(), bytes: cacheBytes };
  return {
    put: async (owner, batch, call) => {
      checkBatch(batch);
      return database.writeSteps(call, (session) => putVectors(session, owner, batch));
    },
    nearest: (owner, scope, query, call) =>
      database.readSteps(call, (session) => nearestVectors(session, cache, owner, scope, query)),
    drop: async (owner, selection, call) => {
      const isDryRun = call?.dryRun === true;
      const dropped = await database.eraseSteps(call, (session) => dropVectors(session, owner, selection, isDryRun));
      database.scrub();
      return dropped;
    },
    describe: (call) => database.read(call, () => `exact, ${arenas.kind}`),
  };
}
