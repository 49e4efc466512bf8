import type { MemoryStore } from "../contract/memory-store.ts";
import type { FactCommit } from "../contract/store-facts.ts";
import type { Engine } from "./engine.ts";

/**
 * The guarded store, whose calls that take words away forget what searches took apart: whichever call of the app's it was, those
 * words shall not stay in this process. Also where a call failed, since it may have done a part.
 */
export function forgetTakenApart(
  store: MemoryStore,
  { takenApart, factWords }: Pick<Engine, "takenApart" | "factWords">,
): MemoryStore {
  const forget = (): void => {
    takenApart.clear();
    factWords.clear();
  };
  const forgetting =
    <Given extends unknown[], Result>(call: (...given: Given) => Promise<Result>) =>
    (...given: Given): Promise<Result> =>
      call(...given).finally(forget);
  const { commitFacts } = store;
  const forgetFacts = forgetting(commitFacts);
  return Object.assign(store, {
    changeTurns: forgetting(store.changeTurns),
    erase: forgetting(store.erase),
    purgeExpired: forgetting(store.purgeExpired),
    commitFacts: (owner, commit, options) => (isForgetting(commit) ? forgetFacts : commitFacts)(owner, commit, options),
  } satisfies Partial<MemoryStore>);
}

const isForgetting = ({ erase, tombstones }: FactCommit): boolean =>
  (erase ?? []).length > 0 || (tombstones?.add ?? []).length > 0;
