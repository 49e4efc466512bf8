import type { Engine } from "./engine.ts";

/** As it was when this was loaded: a test that takes its place afterwards would have a memory wait for the test's clock. */
const { setTimeout } = globalThis;

/** How often the event loop comes round for turns that are under way: some of them nobody will ever end. */
const ROUNDS = 16;

/**
 * Waits for turns that end as the memory is closed: a host hears that a run was stopped, and says so, some moments later.
 */
export async function lastWrites({ openTurns, background }: Pick<Engine, "openTurns" | "background">): Promise<void> {
  await background.settled();
  for (let round = 0; round < ROUNDS && (await openTurns.areUnderWay()); round++) {
    await new Promise((resolve) => setTimeout(resolve, 0));
    await background.settled();
  }
}
