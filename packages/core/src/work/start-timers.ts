import type { Engine } from "../memory/engine.ts";
import { later } from "../memory/later.ts";
import { codeOf } from "../memory/resilience.ts";
import { ofRetention, ofSweep } from "../telemetry/span-tables.ts";
import { traced } from "../telemetry/with-spans.ts";

const distill = later(async () => (await import("../extract/distill.ts")).distill);
const lastPass = later(async () => (await import("../extract/distill.ts")).lastPass);
const sweepRetention = later(async () => (await import("../memory/retention.ts")).sweepRetention);
const doDueWork = later(async () => (await import("./work-on-conversation.ts")).doDueWork);

/** How often due work of other processes is looked for, in milliseconds. */
const SWEEP_MS = 30_000;
/** How often retention is applied, by one process at a time, in milliseconds. */
const RETENTION_MS = 3_600_000;
const SWEEP_LIMIT = 100;
/** Timers take no longer wait than this; a longer one would fire at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** A timer that doesn't keep the process alive, where the runtime can say so. */
function every(ms: number, work: () => Promise<unknown>): { stop(): void } {
  let running = false;
  const timer = setInterval(() => {
    if (running) return;
    running = true;
    void work().finally(() => {
      running = false;
    });
  }, ms);
  (timer as { unref?: () => void }).unref?.();
  return { stop: () => clearInterval(timer) };
}

/** Starts the timers of scheduled work: sweeping, and retention under a lease. Due work of this process starts at once. */
export function startTimers(engine: Engine): { stop(): void } {
  engine.background.eager();
  const guarded = (work: string, run: () => Promise<unknown>) => async () => {
    try {
      await run();
    } catch (error) {
      engine.emit({ type: "memory.work_failed", work, code: codeOf(error) });
    }
  };
  const timers = [
    every(
      SWEEP_MS,
      guarded("sweep", () =>
        traced(engine.tracing, "memory.sweep", () => doDueWork(engine, { limit: SWEEP_LIMIT }), ofSweep),
      ),
    ),
    every(
      RETENTION_MS,
      guarded("retention", async () => {
        const store = await engine.store();
        const lease = { name: "retention", holder: engine.holder, now: engine.now(), leaseMs: RETENTION_MS / 2 };
        if (!(await store.claimLease(engine.owner, lease))) return;
        await traced(engine.tracing, "memory.retention", () => sweepRetention(engine), ofRetention);
      }),
    ),
  ];
  const { when, intervalMs } = engine.policy.extract;
  if (when === "scheduled" && engine.distiller !== undefined) {
    timers.push(
      every(
        Math.min(intervalMs, MAX_TIMER_MS),
        guarded("distill", async () => {
          const last = await lastPass(engine);
          // Another process has its timers too: one pass in an interval is enough.
          if (last !== null && Date.parse(engine.now()) - Date.parse(last) < intervalMs / 2) return;
          await traced(
            engine.tracing,
            "memory.distill",
            () => distill(engine),
            ({ found }) => ({ "memory.facts": found }),
          );
        }),
      ),
    );
  }
  return {
    stop() {
      for (const timer of timers) timer.stop();
    },
  };
}
