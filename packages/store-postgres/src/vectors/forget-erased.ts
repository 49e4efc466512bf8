import type { MemoryStore } from "@throughline/core";

/**
 * The store, whose calls that take vectors away take the tenant's out of this process's memory as well: whichever call it was,
 * what was erased shall not stay there. Also where a call failed, since what became of it may be unknown.
 */
export function forgetErased<Store extends MemoryStore & Required<Pick<MemoryStore, "vectors">>>(
  store: Store,
  forget: (tenant: string) => void,
): Store {
  const forgetting = <Result>({ tenant }: { tenant: string }, call: Promise<Result>): Promise<Result> =>
    call.finally(() => forget(tenant));
  return {
    ...store,
    changeTurns(owner, changes, options) {
      const running = store.changeTurns(owner, changes, options);
      const isErasing = changes.some(({ action }) => action === "erase" || action === "rewrite");
      return isErasing ? forgetting(owner, running) : running;
    },
    erase: (owner, target, options) => forgetting(owner, store.erase(owner, target, options)),
    vectors: {
      ...store.vectors,
      drop(owner, selection, options) {
        const running = store.vectors.drop(owner, selection, options);
        return options?.dryRun === true ? running : forgetting(owner, running);
      },
    },
  };
}
