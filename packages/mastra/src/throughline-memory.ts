import { MastraMemory } from "@mastra/core/memory";
import type { InputProcessor, OutputProcessor } from "@mastra/core/processors";
import {
  type Conversation,
  createReport,
  type FactScope,
  type Memory,
  MemoryError,
  type Outcome,
  type Report,
  type Turn,
  toJson,
} from "@throughline/core";
import {
  isOfRow,
  pickRows,
  pickThreads,
  type RecallInput,
  type Thread,
  type ThreadsInput,
  toThread,
  toThreadRows,
} from "./convert/list-rows.ts";
import type { Row } from "./convert/rows.ts";
import { readWorkingMemory, toWorkingMemory } from "./convert/working-memory.ts";
import { type MemoryProcessor, memoryProcessor, PROCESSOR_ID } from "./memory-processor.ts";
import type { MemorySettings } from "./memory-settings.ts";
import { toolsOf } from "./memory-tools.ts";
import { saveRows } from "./save-rows.ts";

type CloneInput = Parameters<MastraMemory["cloneThread"]>[0];
type WorkingInput = Parameters<MastraMemory["getWorkingMemory"]>[0];

/**
 * The memory as an agent's `memory`, without any storage of Mastra: threads are conversations, resources are subjects, and
 * a working memory is a list of facts.
 *
 * @example
 * new Agent({ id: "guide", name: "Guide", instructions, model, memory: new ThroughlineMemory(memory) });
 */
export class ThroughlineMemory extends MastraMemory {
  readonly #memory: Memory;
  readonly #settings: MemorySettings;
  readonly #processor: MemoryProcessor;
  readonly #report: Report;

  constructor(memory: Memory, settings: MemorySettings = {}) {
    super({ name: "throughline" });
    this.#memory = memory;
    this.#settings = settings;
    this.#report = createReport(settings.onError);
    this.#processor = memoryProcessor(memory, settings, true);
  }

  // What the base class makes of its own storage.

  override async getInputProcessors(configured: readonly unknown[] = []): Promise<InputProcessor[]> {
    return isThere(configured) ? [] : [this.#processor];
  }

  override async getOutputProcessors(configured: readonly unknown[] = []): Promise<OutputProcessor[]> {
    return isThere(configured) ? [] : [this.#processor];
  }

  override listTools(): ReturnType<MastraMemory["listTools"]> {
    const { tools = {}, identify, onError } = this.#settings;
    if (tools === false) return {};
    return toolsOf(this.#memory, { ...tools, ...(identify && { identify }), ...(onError && { onError }) }, true);
  }

  override settled(): Promise<void> {
    return this.#memory.settled();
  }

  // Threads.

  async getThreadById({ threadId }: { threadId: string }): Promise<Thread | null> {
    const info = await this.#conversation(threadId).info();
    return info && toThread(info);
  }

  async listThreads(input: ThreadsInput) {
    const threads: Thread[] = [];
    const subject = input.filter?.resourceId;
    for await (const thread of this.#allThreads(subject)) threads.push(thread);
    const { items, ...page } = pickThreads(threads, input);
    return { threads: items, ...page };
  }

  async saveThread({ thread }: { thread: Thread }): Promise<Thread> {
    const { id, resourceId, title, metadata } = thread;
    const change = {
      ...(title === undefined || title === "" ? {} : { title }),
      ...(metadata === undefined
        ? {}
        : { metadata: toJson(metadata, "A thread's metadata") as { [key: string]: never } }),
    };
    // A record's JSON is an object.
    await this.#conversation(id, resourceId).update(change);
    return this.#thread(id);
  }

  async updateThread({ id, title, metadata }: { id: string; title?: string; metadata?: Record<string, unknown> }) {
    const thread = await this.#thread(id);
    const change = { ...(title === undefined ? {} : { title }), ...(metadata === undefined ? {} : { metadata }) };
    return this.saveThread({ thread: { ...thread, ...change } });
  }

  async deleteThread(threadId: string): Promise<void> {
    await this.#conversation(threadId).delete();
  }

  override async updateThreadResourceId({ threadId, resourceId }: { threadId: string; resourceId: string }) {
    await this.#conversation(threadId).rebindSubject(resourceId, { restamp: "all" });
    return this.#thread(threadId);
  }

  async cloneThread({ sourceThreadId, newThreadId, resourceId, title, metadata, options }: CloneInput) {
    const source = await this.#thread(sourceThreadId);
    const id = newThreadId ?? this.generateId();
    const target = this.#conversation(id, resourceId ?? source.resourceId);
    if (options === undefined) {
      await this.#conversation(sourceThreadId).clone(id);
      if (resourceId !== undefined && resourceId !== source.resourceId) {
        await this.#conversation(id).rebindSubject(resourceId, { restamp: "all" });
      }
    } else {
      const { messageLimit, messageFilter: { startDate, endDate, messageIds } = {} } = options;
      const filter = { dateRange: { ...(startDate && { start: startDate }), ...(endDate && { end: endDate }) } };
      const { items } = pickRows(await this.#rows(sourceThreadId), {
        threadId: sourceThreadId,
        perPage: false,
        filter,
      });
      const wanted = items.filter((row) => messageIds?.includes(row.id) ?? true);
      await saveRows(target, wanted.slice(messageLimit === undefined ? 0 : -messageLimit), this.#report);
    }
    const from = { clone: { sourceThreadId, clonedAt: new Date().toISOString() } };
    const named = title ?? (source.title ? `Clone of ${source.title}` : "");
    const thread = await this.saveThread({
      thread: {
        ...source,
        id,
        resourceId: resourceId ?? source.resourceId,
        title: named,
        metadata: { ...source.metadata, ...metadata, ...from },
      },
    });
    return { thread, clonedMessages: await this.#rows(id) };
  }

  // Messages.

  async saveMessages({ messages }: { messages: Row[] }) {
    for (const [threadId, rows] of Map.groupBy(messages, (row) => row.threadId ?? "")) {
      if (threadId === "") {
        throw new MemoryError(
          "INVALID_ARGUMENT",
          "Messages without a threadId belong to no conversation: give them one.",
        );
      }
      await saveRows(this.#conversation(threadId, rows[0]?.resourceId), rows, this.#report);
    }
    return { messages };
  }

  async recall(input: RecallInput) {
    const threads = [input.threadId].flat();
    const rows = (await Promise.all(threads.map((id) => this.#rows(id, input.resourceId)))).flat();
    const { items, ...page } = pickRows(rows, input);
    const found = input.vectorSearchString ? await this.#found(input, items) : [];
    return { messages: [...found, ...items], ...page };
  }

  async deleteMessages(given: string[] | { id: string }[]): Promise<void> {
    const ids = new Set(given.map((entry) => (typeof entry === "string" ? entry : entry.id)));
    if (ids.size === 0) return;
    // Mastra names messages without their thread.
    for await (const { id } of this.#allThreads(undefined)) {
      const conversation = this.#conversation(id);
      const turns = await allTurns(conversation);
      const gone = turns
        .flatMap(({ messages }) => messages.map((message) => message.id))
        .filter((own) => isOfRow(own, ids));
      if (gone.length > 0) await conversation.deleteMessages(gone);
    }
  }

  // Working memory.

  async getWorkingMemory(input: WorkingInput): Promise<string | null> {
    const { facts } = await this.#conversation(input.threadId, input.resourceId).recall({
      scope: scopeOf(input),
      n: MAX_FACTS,
    });
    return toWorkingMemory(facts.toReversed());
  }

  async getWorkingMemoryTemplate(): Promise<null> {
    return null;
  }

  /** Remembers what the text says. What it leaves out stays: an agent's slip is not a wish to forget. */
  async updateWorkingMemory(input: WorkingInput & { workingMemory: string }): Promise<void> {
    const conversation = this.#conversation(input.threadId, input.resourceId);
    const known = new Set(await this.#values(conversation, scopeOf(input)));
    for (const { key, value } of readWorkingMemory(input.workingMemory)) {
      if (key === undefined && known.has(value)) continue;
      const scope = scopeOf(input);
      this.#check(await conversation.remember({ value, scope, ...(key === undefined ? {} : { key }) }));
    }
  }

  async __experimental_updateWorkingMemoryVNext(input: WorkingInput & { workingMemory: string }) {
    await this.updateWorkingMemory(input);
    return { success: true, reason: "remembered as facts" };
  }

  // What the members above share.

  #conversation(id: string, subject?: string): Conversation {
    return this.#memory.conversation({ id, ...(subject ? { subject } : {}) });
  }

  async #thread(id: string): Promise<Thread> {
    const info = await this.#conversation(id).info();
    if (info === null) throw new MemoryError("NOT_FOUND", `There is no thread "${id}".`);
    return toThread(info);
  }

  async *#allThreads(subject: string | undefined): AsyncGenerator<Thread> {
    let cursor: string | undefined;
    do {
      const page = await this.#memory.conversations({
        limit: 500,
        ...(subject ? { subject } : {}),
        ...(cursor ? { cursor } : {}),
      });
      yield* page.items.map(toThread);
      cursor = page.cursor;
    } while (cursor !== undefined);
  }

  async #rows(threadId: string, resourceId?: string): Promise<Row[]> {
    const conversation = this.#conversation(threadId, resourceId);
    const { subject = "" } = await conversation.transcript({ limit: 1 });
    return toThreadRows(await allTurns(conversation), { threadId, resourceId: subject });
  }

  /** Rows of the person's other conversations, and older ones of this, in which the words are found. */
  async #found({ threadId, resourceId, vectorSearchString = "" }: RecallInput, shown: readonly Row[]): Promise<Row[]> {
    const [first = ""] = [threadId].flat();
    const { hits } = await this.#conversation(first, resourceId).search(vectorSearchString);
    const known = new Set(shown.map(({ id }) => id));
    const found: Row[] = [];
    for (const [id, own] of Map.groupBy(hits, ({ conversation }) => conversation)) {
      for (const row of await this.#rows(id)) {
        const isHit = own.some(({ message }) => isOfRow(message.id, new Set([row.id])));
        if (isHit && !known.has(row.id)) found.push(row);
      }
    }
    return found;
  }

  async #values(conversation: Conversation, scope: FactScope) {
    return (await conversation.recall({ scope, n: MAX_FACTS })).facts.map(({ value }) => value);
  }

  #check(outcome: Outcome): void {
    if (outcome.status === "refused" || outcome.status === "failed") this.#report(outcome);
  }
}

const MAX_FACTS = 500;

const isThere = (configured: readonly unknown[]): boolean =>
  configured.some((processor) => (processor as { id?: unknown } | null)?.id === PROCESSOR_ID);

/** Mastra keeps a working memory for a resource where nothing else is said. */
function scopeOf({ resourceId, memoryConfig }: WorkingInput): FactScope {
  const config = memoryConfig?.workingMemory;
  const isThreads = config !== undefined && "scope" in config && config.scope === "thread";
  return isThreads || !resourceId ? "conversation" : "user";
}

async function allTurns(conversation: Conversation): Promise<Turn[]> {
  const turns: Turn[] = [];
  let cursor: string | undefined;
  do {
    const page = await conversation.transcript({ limit: 500, ...(cursor === undefined ? {} : { cursor }) });
    turns.push(...page.turns);
    cursor = page.cursor;
  } while (cursor !== undefined);
  return turns;
}
