import type { MemoryEvent, MemoryStore, Summarizer } from "../src/index.ts";
import { inMemoryStore } from "../src/index.ts";
import type { Engine } from "../src/memory/engine.ts";
import { resolvePolicy } from "../src/policy/resolve-policy.ts";
import { estimateTokens } from "../src/text/tokens.ts";

/** What an engine for tests of one module is made of. */
export interface TestEngineOptions {
  store?: MemoryStore;
  offloadChars?: number;
  pageChars?: number;
  strict?: boolean;
  readTimeoutMs?: number;
  summarizer?: Summarizer;
}

/** An engine for tests of one module: a clock that moves one second a look, counted ids, and what was emitted. */
export function testEngine(options: TestEngineOptions = {}): {
  engine: Engine;
  events: MemoryEvent[];
  store: MemoryStore;
} {
  const events: MemoryEvent[] = [];
  const store = options.store ?? inMemoryStore();
  const { offloadChars = 30_000, pageChars = 20_000 } = options;
  let now = Date.parse("2026-03-01T09:00:00.000Z");
  let id = 0;
  const clock = () => {
    now += 1_000;
    return new Date(now).toISOString();
  };
  const engine: Partial<Engine> = {
    owner: { tenant: "default", agent: "helper" },
    policy: resolvePolicy({ artifacts: { offloadChars, pageChars } }, undefined).policy,
    options: {},
    strict: options.strict ?? false,
    summarizer: options.summarizer,
    readTimeoutMs: options.readTimeoutMs ?? 5_000,
    writeTimeoutMs: 10_000,
    store: () => Promise.resolve(store),
    now: clock,
    takenApart: new Map(),
    createId: () => `id-${++id}`,
    countTokens: estimateTokens,
    // The draft is an event of the union without its time, which is added here.
    emit: (event) => void events.push({ ...event, at: clock() } as MemoryEvent),
  };
  // The modules under test use none of the members that are left out.
  return { engine: engine as Engine, events, store };
}
