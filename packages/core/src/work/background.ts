/** Turns that wait for derived work before this process starts it on its own. */
const EAGER_TURNS = 32;

/** The derived work of this process: what it recorded, and what is running. */
export interface Background {
  /** A turn of the conversation was recorded; its derived work is due. */
  recorded(conversation: string): void;
  /** Starts what is due now. */
  run(): Promise<void>;
  /** Starts what is due and waits until nothing is running. */
  settled(): Promise<void>;
}

/**
 * Collects what became due. It runs with `waitUntil` where the host has that, when many turns have come together, and
 * whenever somebody waits for it; no timer is involved. What is never run here is found by any process's sweep.
 */
export function createBackground(options: {
  work: (conversation: string) => Promise<void>;
  waitUntil?: ((work: Promise<unknown>) => void) | undefined;
}): Background {
  const due = new Map<string, number>();
  const running = new Set<Promise<void>>();
  let turns = 0;

  const start = (): void => {
    if (due.size === 0) return;
    const conversations = [...due.keys()];
    due.clear();
    turns = 0;
    const batch = (async () => {
      for (const conversation of conversations) await options.work(conversation);
    })();
    running.add(batch);
    void batch.finally(() => running.delete(batch));
  };
  const run = async (): Promise<void> => {
    start();
    await Promise.all(running);
  };
  return {
    recorded(conversation) {
      due.set(conversation, (due.get(conversation) ?? 0) + 1);
      turns++;
      if (options.waitUntil) options.waitUntil(run());
      else if (turns >= EAGER_TURNS) start();
    },
    run,
    async settled() {
      do await run();
      while (due.size > 0 || running.size > 0);
    },
  };
}
