import type { MemoryStore } from "../contract/memory-store.ts";
import type { TakenApart } from "../search/turn-documents.ts";

/**
 * The guarded store, whose calls that take words away forget what searches took apart: whichever call of the app's it was, those
 * words shall not stay in this process. Also where a call failed, since it may have done a part.
 */
export function forgetTakenApart(store: MemoryStore, takenApart: Map<string, TakenApart>): MemoryStore {
  const forgetting =
    <Given extends unknown[], Result>(call: (...given: Given) => Promise<Result>) =>
    (...given: Given): Promise<Result> =>
      call(...given).finally(() => takenApart.clear());
  return Object.assign(store, {
    changeTurns: forgetting(store.changeTurns),
    erase: forgetting(store.erase),
    purgeExpired: forgetting(store.purgeExpired),
  });
}
