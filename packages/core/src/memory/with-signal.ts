import type { MemoryStore } from "../contract/memory-store.ts";
import type { Engine } from "./engine.ts";
import { throwIfAborted } from "./resilience.ts";

type Call = (...args: unknown[]) => Promise<unknown>;

/** One group of a store's methods, none of which begins once the signal has fired. */
function ending<Methods extends object>(methods: Methods, signal: AbortSignal): Methods {
  const view: Record<string, unknown> = Object.create(methods);
  for (const [name, member] of Object.entries(methods)) {
    if (typeof member !== "function") continue;
    const call = member as Call;
    view[name] = async (...args: unknown[]) => {
      throwIfAborted(signal, name);
      return call.apply(methods, args);
    };
  }
  // The view has the members of what it stands before, by its prototype.
  return view as Methods;
}

/** The store as one call with a signal sees it. */
function endingStore(store: MemoryStore, signal: AbortSignal): MemoryStore {
  const view = ending(store, signal);
  return store.keyword === undefined
    ? view
    : Object.defineProperty(view, "keyword", { value: ending(store.keyword, signal) });
}

/**
 * The engine for one call of many steps: once the signal has fired no step begins, and the call ends with `ABORTED`. A
 * step that has begun is done whole, and what the steps before did stays; the same call goes on with the rest.
 */
export function withSignal(engine: Engine, signal: AbortSignal | undefined): Engine {
  if (signal === undefined) return engine;
  return { ...engine, store: async () => endingStore(await engine.store(), signal) };
}
