import type { FactOwner } from "../contract/owner.ts";
import { MemoryError } from "../errors/memory-error.ts";
import type { Engine } from "../memory/engine.ts";

/**
 * Runs what writes an owner's facts after what this process writes of them already: writers that compare and set would only
 * undo each other's tries, the more of them the more often. Throws `TIMEOUT` where its turn comes too late for whoever waits.
 */
export async function takeTurns<T>(
  { factWriters: writers, writeTimeoutMs }: Pick<Engine, "factWriters" | "writeTimeoutMs">,
  owner: FactOwner,
  write: () => Promise<T>,
): Promise<T> {
  const key = JSON.stringify([owner.agent, owner.scope, owner.id]);
  const before = writers.get(key);
  const began = performance.now();
  const running =
    before === undefined
      ? write()
      : before.then(() => {
          if (performance.now() - began < writeTimeoutMs) return write();
          throw new MemoryError("TIMEOUT", `The fact waited for other writers longer than ${writeTimeoutMs} ms.`);
        });
  const ended = running.then(
    () => {},
    () => {},
  );
  writers.set(key, ended);
  try {
    return await running;
  } finally {
    if (writers.get(key) === ended) writers.delete(key);
  }
}
