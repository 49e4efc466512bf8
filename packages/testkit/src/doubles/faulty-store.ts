import { MemoryError, type MemoryErrorCode, type MemoryStore } from "@throughline/core";

/** Which call fails, and how. */
export interface Fault {
  /** The number of the failing call, from 1, counted over all methods but `close`. */
  failAt: number;
  /**
   * `before`: the call fails and nothing happens. `after`: what it did is done and its answer is lost, as when a
   * connection drops. @default "before"
   */
  when?: "before" | "after";
  /** @default "STORE_UNREACHABLE" */
  code?: MemoryErrorCode;
}

/** A store that fails at one call, with how many calls there were. */
export interface FaultyStore extends MemoryStore {
  /** Calls so far, the failing one included. */
  readonly calls: () => number;
}

/** Wraps a store so that one of its calls fails; every other goes through. */
export function faultyStore(
  store: MemoryStore,
  { failAt, when = "before", code = "STORE_UNREACHABLE" }: Fault,
): FaultyStore {
  let calls = 0;
  const fail = (): never => {
    throw new MemoryError(code, `Call ${failAt} fails, as scripted.`);
  };
  const wrap = <Part extends object>(part: Part): Part =>
    // The same members with the same signatures: a call only fails where it would have answered.
    Object.fromEntries(
      Object.entries(part).map(([name, member]) => {
        if (typeof member !== "function" || name === "close") return [name, member];
        const call = async (...given: unknown[]) => {
          calls += 1;
          const fails = calls === failAt;
          if (fails && when === "before") fail();
          const answer: unknown = await member(...given);
          return fails ? fail() : answer;
        };
        return [name, call];
      }),
    ) as Part;
  return {
    ...wrap(store),
    ...(store.keyword === undefined ? {} : { keyword: wrap(store.keyword) }),
    calls: () => calls,
  };
}
