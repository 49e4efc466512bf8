import type { FactOwner } from "../contract/owner.ts";
import type { Engine } from "../memory/engine.ts";
import { isPrompt, runWithin } from "../memory/resilience.ts";

/**
 * Runs what writes an owner's facts after what this process writes of them already: writers that compare and set would only
 * undo each other's tries, the more of them the more often. One that hangs holds up the others no longer than a write may take.
 * Throws `TIMEOUT` where its turn doesn't come in that time, and `ABORTED` where the signal fires before: nothing is written then.
 */
export async function takeTurns<T>(
  { factWriters: writers, writeTimeoutMs: ms }: Pick<Engine, "factWriters" | "writeTimeoutMs">,
  owner: FactOwner,
  write: () => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  const key = JSON.stringify([owner.agent, owner.scope, owner.id]);
  const before = writers.get(key);
  const turn = async (): Promise<T> => {
    if (before !== undefined)
      await runWithin(() => before, { ms, what: "The wait for other writers of facts", signal });
    return write();
  };
  const running = turn();
  const end = async (): Promise<void> => {
    // Whoever gave up waiting is no reason for the next one to go ahead of those before it.
    await before;
    await isPrompt(running, ms);
    if (writers.get(key) === ended) writers.delete(key);
  };
  const ended = end();
  writers.set(key, ended);
  return running;
}
