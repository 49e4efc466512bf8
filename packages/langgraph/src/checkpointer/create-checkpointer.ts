import type { BaseCheckpointSaver, CheckpointTuple } from "@langchain/langgraph-checkpoint";
import { type CheckpointRow, type CheckpointThreadRow, type Memory, MemoryError, type Page } from "@throughline/core";
import type { Identify } from "../identify.ts";
import { MemoryCheckpointer } from "./checkpointer.ts";
import type { CheckpointerOptions } from "./checkpointer-options.ts";
import { type KeepRule, planPrune } from "./prune-plan.ts";
import { requirePlace } from "./run-place.ts";

const PAGE = 500;

/** What to keep of threads. */
export interface Retention {
  /** Of each thread so many of the newest checkpoints, 1 or more. */
  keep?: number;
  /** Checkpoints older than this go, but for the newest; in milliseconds. */
  olderThan?: number;
  /** Threads in which nothing happened for so long go altogether; in milliseconds. */
  idleFor?: number;
}

/** What a retention removed, or would remove. */
export interface RetentionResult {
  checkpoints: number;
  /** Threads that went altogether. */
  threads: number;
}

/** A run of {@link importCheckpoints}. */
export interface ImportProgress {
  /** Checkpoints so far. */
  checkpoints: number;
  /** Threads that are whole. */
  threads: number;
}

/** LangGraph's checkpointer on a memory, with what its base class has no name for. */
export class ThroughlineCheckpointer extends MemoryCheckpointer {
  /** Copies a thread with all its namespaces to a new one. Throws `VERSION_CONFLICT` where that has checkpoints already. */
  async copyThread(fromThreadId: string, toThreadId: string): Promise<number> {
    const place = (thread: string) => requirePlace({ configurable: { thread_id: thread } }, this.options.identify).ref;
    const from = place(fromThreadId);
    const [head] = await this.memory.checkpoints.list({ conversation: from.id, limit: 1, heads: true });
    const to = place(toThreadId);
    // The copy is the same person's, unless the app says otherwise.
    const subject = to.subject ?? head?.subject;
    return this.memory.checkpoints.copy(from, subject === undefined ? to : { ...to, subject });
  }

  /**
   * Removes checkpoints of a thread. The newest one stays, and so do the ancestors that a delta channel of a kept one is made
   * of. A run that goes on from a checkpoint that went fails with `NOT_FOUND`. How many went.
   */
  async prune(threadId: string, rule: { keep?: number; olderThan?: number }): Promise<number> {
    const { id } = requirePlace({ configurable: { thread_id: threadId } }, this.options.identify).ref;
    const planned = planPrune(await this.#headsOf(id), ruleOf(rule));
    return planned.length === 0 ? 0 : this.memory.checkpoints.remove({ id }, planned);
  }

  /** Threads that have checkpoints, sorted by id; those of one subject where it is named. */
  listThreads(query: { subject?: string; limit?: number; cursor?: string } = {}): Promise<Page<CheckpointThreadRow>> {
    return this.memory.checkpoints.threads(query);
  }

  /** Applies a retention to every thread. With `dryRun` it counts only. */
  async applyRetention(retention: Retention, options: { dryRun?: boolean } = {}): Promise<RetentionResult> {
    const rule = ruleOf(retention);
    const idleBefore = retention.idleFor === undefined ? undefined : before(retention.idleFor);
    const result: RetentionResult = { checkpoints: 0, threads: 0 };
    for await (const { conversation: id, updatedAt, checkpoints } of this.#threads()) {
      if (idleBefore !== undefined && updatedAt < idleBefore) {
        result.threads += 1;
        result.checkpoints += options.dryRun === true ? checkpoints : await this.memory.checkpoints.remove({ id });
      } else if (rule.keep !== undefined || rule.before !== undefined) {
        const planned = planPrune(await this.#headsOf(id), rule);
        if (planned.length === 0) continue;
        const removes = options.dryRun !== true;
        result.checkpoints += removes ? await this.memory.checkpoints.remove({ id }, planned) : planned.length;
      }
    }
    return result;
  }

  /** @internal Takes one over from another checkpointer. */
  take(tuple: CheckpointTuple): Promise<void> {
    return this.adopt(tuple);
  }

  async *#threads(): AsyncGenerator<CheckpointThreadRow> {
    for (let cursor: string | undefined; ; ) {
      const page = await this.memory.checkpoints.threads(cursor === undefined ? {} : { cursor });
      yield* page.items;
      if (page.cursor === undefined) return;
      cursor = page.cursor;
    }
  }

  async #headsOf(conversation: string): Promise<CheckpointRow[]> {
    const rows: CheckpointRow[] = [];
    for (let after: { id: string; conversation: string; space: string } | undefined; ; ) {
      const query = { conversation, heads: true, limit: PAGE, ...(after === undefined ? {} : { after }) };
      const page = await this.memory.checkpoints.list(query);
      rows.push(...page);
      const last = page.at(-1);
      if (last === undefined || page.length < PAGE) return rows;
      after = { id: last.id, conversation: last.conversation, space: last.space };
    }
  }
}

const before = (age: number): string => new Date(Date.now() - age).toISOString();

function ruleOf({ keep, olderThan }: { keep?: number; olderThan?: number }): KeepRule {
  if (keep !== undefined && !(Number.isInteger(keep) && keep >= 1)) {
    throw new MemoryError(
      "INVALID_ARGUMENT",
      "keep is a whole number of checkpoints, 1 or more; deleteThread removes all.",
    );
  }
  for (const age of [olderThan]) {
    if (age !== undefined && !(age >= 0)) {
      throw new MemoryError("INVALID_ARGUMENT", "olderThan is an age in milliseconds.");
    }
  }
  return { ...(keep === undefined ? {} : { keep }), ...(olderThan === undefined ? {} : { before: before(olderThan) }) };
}

/**
 * A checkpointer for `graph.compile({ checkpointer })` that keeps the states of runs with the conversations of a memory, on its
 * store: `thread_id` is the conversation, and erasing the conversation or its subject in the memory erases them.
 */
export function createCheckpointer(memory: Memory, options: CheckpointerOptions = {}): ThroughlineCheckpointer {
  return new ThroughlineCheckpointer(memory, options);
}

/**
 * Takes over what another checkpointer holds: an official one on SQLite, PostgreSQL, Redis or in memory, or any other. Running
 * it again stores nothing twice. Throws what the other one throws.
 */
export async function importCheckpoints(
  memory: Memory,
  source: BaseCheckpointSaver,
  options: {
    /** Only these threads; all where none is named. */
    threads?: readonly string[];
    /** Whose the threads are, as in {@link createCheckpointer}. */
    identify?: Identify;
    onProgress?: (progress: ImportProgress) => void;
  } = {},
): Promise<ImportProgress> {
  const target = createCheckpointer(memory, options.identify === undefined ? {} : { identify: options.identify });
  const threads = new Map<string, CheckpointTuple["config"][]>();
  for (const config of options.threads?.map((thread) => ({ configurable: { thread_id: thread } })) ?? [{}]) {
    for await (const tuple of source.list(config)) {
      const thread = String(tuple.config.configurable?.thread_id);
      threads.set(thread, [...(threads.get(thread) ?? []), tuple.config]);
    }
  }
  const progress: ImportProgress = { checkpoints: 0, threads: 0 };
  for (const configs of threads.values()) {
    // Newest first as they were listed; what follows shares the elements of what comes before.
    for (const config of configs.reverse()) {
      const tuple = await source.getTuple(config);
      if (tuple === undefined) continue;
      await target.take(tuple);
      progress.checkpoints += 1;
      options.onProgress?.({ ...progress });
    }
    progress.threads += 1;
  }
  return progress;
}
