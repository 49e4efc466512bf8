import { performance } from "node:perf_hooks";

/** How long something holds the event loop at once, in milliseconds. */
export interface Hold {
  /** By the clock, whatever else the machine did meanwhile. */
  wall: number;
  /** Of the thread's own work. */
  cpu: number;
}

/** Longest time that nothing else got its turn while `work` ran. */
export async function longestHold(work: () => Promise<unknown>): Promise<Hold> {
  const longest: Hold = { wall: 0, cpu: 0 };
  let isOver = false;
  let last = now();
  const tick = (): void => {
    const next = now();
    longest.wall = Math.max(longest.wall, next.wall - last.wall);
    longest.cpu = Math.max(longest.cpu, next.cpu - last.cpu);
    last = next;
    if (!isOver) setImmediate(tick);
  };
  setImmediate(tick);
  await work();
  isOver = true;
  await new Promise((resolve) => setImmediate(resolve));
  return longest;
}

function now(): Hold {
  const { user, system } = process.threadCpuUsage();
  return { wall: performance.now(), cpu: (user + system) / 1_000 };
}
