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
  isShown,
  pickRows,
  pickThreads,
  type RecallInput,
  type Thread,
  type ThreadsInput,
  toThread,
  toThreadRows,
} from "./convert/list-rows.ts";
import type { Row } from "./convert/rows.ts";
import type { RowFrom } from "./convert/to-rows.ts";
import { readWorkingMemory, toWorkingMemory } from "./convert/working-memory.ts";
import { type MemoryProcessor, memoryProcessor, PROCESSOR_ID } from "./memory-processor.ts";
import type { MemorySettings } from "./memory-settings.ts";
import { toolsOf } from "./memory-tools.ts";
import { saveRows } from "./save-rows.ts";
import { withMemoryDomain } from "./storage-domain.ts";

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
    // What Mastra's server goes by to search: across the person's threads, with what stands around a find. As an option it
    // would ask for a vector store of Mastra.
    this.threadConfig = { ...this.threadConfig, semanticRecall: { topK: 10, messageRange: 2, scope: "resource" } };
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

  /** Mastra's storage, which its server asks whose a message is before it deletes one: that the memory knows. */
  override get storage() {
    return withMemoryDomain(super.storage, {
      getThreadById: (input) => this.getThreadById(input),
      listMessagesById: async ({ messageIds }) => {
        const found = await this.#find(new Set(messageIds));
        return { messages: found.map(({ row }) => row) };
      },
    });
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
    for await (const thread of this.#allThreads(subject)) {
      // A resource without a name owns what nobody owns, and not everything.
      if (subject === undefined || thread.resourceId === subject) threads.push(thread);
    }
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
      const from = messageLimit === undefined ? 0 : Math.max(0, wanted.length - messageLimit);
      await saveRows(target, wanted.slice(from), this.#report);
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
    const threads = Map.groupBy(messages, (row) => row.threadId ?? "");
    if (threads.has("")) {
      throw new MemoryError(
        "INVALID_ARGUMENT",
        "Messages without a threadId belong to no conversation: give them one.",
      );
    }
    const owned = [...threads].map(([id, rows]) => {
      const owners = new Set(rows.flatMap(({ resourceId }) => resourceId ?? []));
      if (owners.size > 1) {
        throw new MemoryError(
          "CONVERSATION_OWNER_MISMATCH",
          `The messages of the thread "${id}" name more than one resource: save each resource's in threads of its own.`,
        );
      }
      return { conversation: this.#conversation(id, [...owners][0]), rows };
    });
    for (const { conversation, rows } of owned) await saveRows(conversation, rows, this.#report);
    return { messages };
  }

  async recall(input: RecallInput) {
    const threads = [input.threadId].flat();
    const rows = (await Promise.all(threads.map((id) => this.#rows(id, input.resourceId)))).flat();
    const { items, ...page } = pickRows(rows, input);
    const found = input.vectorSearchString ? await this.#found(input, items) : [];
    return { messages: [...found, ...items], ...page };
  }

  /** Mastra names messages without their thread: an id that is in more than one is refused, and nothing is deleted. */
  async deleteMessages(given: string[] | { id: string }[]): Promise<void> {
    const ids = new Set(given.map((entry) => (typeof entry === "string" ? entry : entry.id)));
    if (ids.size === 0) return;
    const found = await this.#find(ids);
    for (const [id, of] of Map.groupBy(found, ({ row }) => row.id)) {
      if (new Set(of.map(({ row }) => row.threadId)).size === 1) continue;
      throw new MemoryError(
        "INVALID_ARGUMENT",
        `Two threads have a message with the id "${id}": delete it with deleteMessages of its conversation.`,
      );
    }
    for (const [threadId = "", of] of Map.groupBy(found, ({ row }) => row.threadId)) {
      await this.#conversation(threadId).deleteMessages([...new Set(of.flatMap(({ from }) => from))]);
    }
  }

  /** The rows of these ids in whichever threads they are. */
  async #find(ids: ReadonlySet<string>): Promise<RowFrom[]> {
    const found: RowFrom[] = [];
    for await (const { id, resourceId } of this.#allThreads(undefined)) {
      const rows = toThreadRows(await allTurns(this.#conversation(id)), { threadId: id, resourceId });
      found.push(...rows.filter(({ row }) => ids.has(row.id)));
    }
    return found;
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

  async #rowsFrom(threadId: string, resourceId?: string): Promise<RowFrom[]> {
    const conversation = this.#conversation(threadId, resourceId);
    const { subject = "" } = await conversation.transcript({ limit: 1 });
    if (resourceId === "" && subject !== "") {
      throw new MemoryError("CONVERSATION_OWNER_MISMATCH", `The thread "${threadId}" belongs to a resource: name it.`);
    }
    const turns = (await allTurns(conversation)).filter(isShown);
    return toThreadRows(turns, { threadId, resourceId: subject });
  }

  async #rows(threadId: string, resourceId?: string): Promise<Row[]> {
    return (await this.#rowsFrom(threadId, resourceId)).map(({ row }) => row);
  }

  /** Rows of the person's other conversations, and older ones of this, in which the words are found. */
  async #found({ threadId, resourceId, vectorSearchString = "" }: RecallInput, shown: readonly Row[]): Promise<Row[]> {
    const [first = ""] = [threadId].flat();
    const { hits } = await this.#conversation(first, resourceId).search(vectorSearchString);
    const known = new Set(shown.map(({ id }) => id));
    const found: Row[] = [];
    for (const [id, own] of Map.groupBy(hits, ({ conversation }) => conversation)) {
      const hit = new Set(own.map(({ message }) => message.id));
      for (const { row, from } of await this.#rowsFrom(id)) {
        if (from.some((message) => hit.has(message)) && !known.has(row.id)) found.push(row);
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
