import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { MemoryStore } from "@throughline/core";
import type { StoreBench, StoreCase } from "./store-suite.ts";

/** Where one case's store lives. */
export interface StorePlace {
  /** A fresh temporary directory, removed after the case. */
  readonly directory: string;
  /** Unique among places; fits a database's or a schema's name. */
  readonly name: string;
}

/** How the kit gets at a store. */
export interface StoreHooks {
  /** Makes a store in an empty place. */
  create(place: StorePlace): MemoryStore | Promise<MemoryStore>;
  /**
   * Opens a place again, while other handles on it are open or after they were closed. Required where the store is
   * `durable` or `multiProcess`.
   */
  reopen?(place: StorePlace): MemoryStore | Promise<MemoryStore>;
  /** The raw bytes behind the stores of a directory. Without it nothing is shown about erased bytes. */
  peek?(directory: string): Uint8Array[] | Promise<Uint8Array[]>;
  /** Removes what the place holds outside its directory; called after every handle was closed. */
  destroy?(place: StorePlace): void | Promise<void>;
}

let places = 0;

/** Runs one case on a fresh place and clears up after it. Rejects where the store breaks the case's promise. */
export async function runStoreCase(hooks: StoreHooks, storeCase: StoreCase): Promise<void> {
  await withPlace(hooks, async (store, place, handles) => {
    const reopen = async (): Promise<MemoryStore> => {
      if (hooks.reopen === undefined)
        throw new Error("The case needs `reopen`, which describeMemoryStore wasn't given.");
      const handle = await hooks.reopen(place);
      handles.push(handle);
      return handle;
    };
    const bench: StoreBench = {
      store,
      another: reopen,
      reopened: async () => {
        for (const handle of handles) await handle.close();
        return reopen();
      },
      peek: async () => {
        if (hooks.peek === undefined) throw new Error("The case needs `peek`, which describeMemoryStore wasn't given.");
        return hooks.peek(place.directory);
      },
    };
    await storeCase.run(bench);
  });
}

/** Makes a store in a fresh place, hands it over and clears up, whatever happens. */
export async function withPlace<Result>(
  hooks: StoreHooks,
  work: (store: MemoryStore, place: StorePlace, handles: MemoryStore[]) => Promise<Result>,
): Promise<Result> {
  places += 1;
  const directory = await mkdtemp(join(tmpdir(), "throughline-"));
  const place: StorePlace = { directory, name: `kit_${process.pid}_${places}` };
  const handles: MemoryStore[] = [];
  try {
    const store = await hooks.create(place);
    handles.push(store);
    return await work(store, place, handles);
  } finally {
    for (const handle of handles) await handle.close();
    await hooks.destroy?.(place);
    await rm(directory, { recursive: true, force: true, maxRetries: 3 });
  }
}
