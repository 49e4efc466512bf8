import { createModelLimits } from "../budget/model-limits.ts";
import { carriesOver } from "../carry-over/segments.ts";
import { checkId } from "../checks/ids.ts";
import type { MemoryEvent } from "../contract/events.ts";
import type { Memory, MemoryOptions } from "../contract/memory.ts";
import type { MemoryStore } from "../contract/memory-store.ts";
import { createConversation } from "../conversation/create-conversation.ts";
import { createOpenTurns } from "../conversation/open-turns.ts";
import { MemoryError } from "../errors/memory-error.ts";
import { distillerFromPolicy } from "../models/distiller-from-policy.ts";
import { summarizerFromPolicy } from "../models/summarizer-from-policy.ts";
import { resolvePolicy } from "../policy/resolve-policy.ts";
import { describeEmbedding, describeVectors } from "../search/describe-vectors.ts";
import { inMemoryStore } from "../stores/in-memory-store.ts";
import { createTracing, traceMemory } from "../telemetry/trace-memory.ts";
import { estimateTokens } from "../text/tokens.ts";
import { createBackground } from "../work/background.ts";
import { startTimers } from "../work/start-timers.ts";
import { checkOptions } from "./check-options.ts";
import { checkpointsLater } from "./checkpoints-later.ts";
import type { Engine, EventDraft } from "./engine.ts";
import { importForgetKey } from "./forget-key.ts";
import { forgetTakenApart } from "./forget-taken-apart.ts";
import { guard } from "./guard.ts";
import { guardStore } from "./guard-store.ts";
import { lastWrites } from "./last-writes.ts";
import { later } from "./later.ts";
import { listReported } from "./list-conversations.ts";
import { createMoments } from "./moments.ts";
import { createOperator } from "./operator.ts";
import { createRecords } from "./records.ts";
import { sentenceOf } from "./resilience.ts";
import { storeFromUrl } from "./resolve-store.ts";
import { searchMessages } from "./search-later.ts";
import { createSubject } from "./subject.ts";
import { warn } from "./warn.ts";

const distill = later(async () => (await import("../extract/distill.ts")).distill);
const ingestEvent = later(async () => (await import("../extract/timeline.ts")).ingestEvent);
const reindex = later(async () => (await import("../search/reindex.ts")).reindex);
const doDueWork = later(async () => (await import("../work/work-on-conversation.ts")).doDueWork);
const foldDueWork = later(async () => (await import("../work/work-on-conversation.ts")).foldDueWork);

const DEFAULT_READ_TIMEOUT_MS = 5_000;
const DEFAULT_WRITE_TIMEOUT_MS = 10_000;
const SWEEP_LIMIT = 100;

/** The environment, where the runtime has one. */
const processEnv = (): Record<string, string | undefined> =>
  (globalThis as { process?: { env?: Record<string, string | undefined> } }).process?.env ?? {};

/**
 * Makes the memory of one agent. Nothing connects before the first use. Throws `AGENT_REQUIRED`, `INVALID_ID`,
 * `INVALID_ARGUMENT` and `INVALID_POLICY`; what can't be honoured otherwise is degraded, warned of once and listed in the manifest.
 */
export function createMemory(options: MemoryOptions = {}): Memory {
  const engine = createEngine(options);
  const { agent, tenant } = engine.owner;
  let closing: Promise<void> | null = null;
  let timers: { stop(): void } | null = null;
  const memory: Memory = {
    agent,
    tenant,
    conversation(ref) {
      if (typeof ref !== "object" || ref === null) {
        const example = 'memory.conversation({ id: "chat-1", subject: "ana" })';
        throw new MemoryError("INVALID_ARGUMENT", `memory.conversation takes { id, subject }, as in ${example}.`);
      }
      checkId(ref.id, "conversation id");
      if (ref.subject !== undefined) checkId(ref.subject, "subject id");
      if (ref.login !== undefined) checkId(ref.login, "login id");
      return createConversation(engine, ref);
    },
    subject(id) {
      checkId(id, "subject id");
      return guard(createSubject(engine, id), "subject");
    },
    conversations: (filter) => listReported(engine, filter),
    operator: guard(createOperator(engine), "operator"),
    records: (namespace) => guard(createRecords(engine, namespace), "records"),
    checkpoints: guard(checkpointsLater(engine), "checkpoints"),
    async search(query, filter) {
      if ("subject" in filter) {
        checkId(filter.subject, "subject id");
        return searchMessages(engine, { kind: "named", subject: filter.subject }, query, filter);
      }
      if (filter.conversation === undefined) {
        throw new MemoryError(
          "INVALID_ARGUMENT",
          "memory.search: say whose messages: give a subject or a conversation.",
        );
      }
      checkId(filter.conversation, "conversation id");
      // The memory's own span is the one; the handle inside has none.
      return createConversation({ ...engine, tracing: undefined }, { id: filter.conversation }).search(query, filter);
    },
    async manifest() {
      const store = await engine.store();
      const { conversation, longTerm, search } = engine.policy;
      return {
        agent,
        tenant,
        source: engine.source,
        tiers: {
          conversation: conversation.enabled,
          carryOver: carriesOver(engine),
          facts: longTerm.enabled,
          search: search.enabled,
        },
        extraction: engine.policy.extract.when,
        store: { name: store.name, capabilities: { ...store.capabilities }, vectors: await describeVectors(engine) },
        embedding: await describeEmbedding(engine),
        degraded: [...engine.degraded],
        policy: structuredClone(engine.policy),
      };
    },
    ingest: (event, options) => ingestEvent(engine, event, options),
    distill: ({ signal } = {}) => distill(engine, signal),
    reindex: (reindexOptions) => reindex(engine, reindexOptions),
    start() {
      if (closing) throw closedError();
      timers ??= startTimers(engine);
    },
    sweep: ({ limit = SWEEP_LIMIT, signal } = {}) => doDueWork(engine, { limit, signal }),
    settled: () => engine.background.settled(),
    flush: () => engine.background.settled(),
    close() {
      closing ??= (async () => {
        timers?.stop();
        await lastWrites(engine);
        await engine.close();
      })();
      return closing;
    },
  };
  return traceMemory(engine, guard(memory, "memory"));
}

const closedError = (): MemoryError =>
  new MemoryError("STORE_CLOSED", "The memory was closed; make another one with createMemory.");

function createEngine(options: MemoryOptions): Engine {
  const env = options?.env ?? processEnv();
  checkOptions(options, env.AGENT_MEMORY_URL);
  const agent = options.agent ?? env.AGENT_ID;
  if (agent === undefined || agent === "") {
    throw new MemoryError("AGENT_REQUIRED", "createMemory needs an agent id: pass { agent }, or set AGENT_ID.");
  }
  checkId(agent, "agent id");
  const tenant = options.tenant ?? "default";
  checkId(tenant, "tenant id");
  const resolved = resolvePolicy(options.policy, env.AGENT_MEMORY_CONFIG);
  const { degraded, source } = resolved;
  const inPolicy = new Set(degraded.map(({ field }) => field));
  const extraction = distillerFromPolicy(resolved.policy, options.distiller, env);
  const policy = { ...resolved.policy, extract: { ...resolved.policy.extract, when: extraction.when } };
  if (extraction.degraded) {
    degraded.push(extraction.degraded);
    inPolicy.add(extraction.degraded.field);
  }
  const fromPolicy = options.summarizer ? null : summarizerFromPolicy(policy.summarize, env);
  if (fromPolicy?.degraded) {
    degraded.push(fromPolicy.degraded);
    inPolicy.add(fromPolicy.degraded.field);
  }
  const summarizer = options.summarizer ?? fromPolicy?.summarizer ?? undefined;
  if (resolved.asksFor.carryOver && summarizer === undefined) {
    const reason =
      "there is no summarizer to carry anything over with; pass { summarizer }, or name one under summarize";
    degraded.push({ field: "carryOver", wanted: true, got: false, reason });
    inPolicy.add("carryOver");
  }
  if (options.distiller && extraction.when === "off" && extraction.degraded === null && source !== "off") {
    const reason = "the policy leaves extraction off; set extract.when to after-reply or scheduled";
    degraded.push({ field: "distiller", wanted: "extraction", got: null, reason });
  }
  const clock = options.clock ?? (() => new Date());
  const createId = options.createId ?? (() => crypto.randomUUID());
  const url = env.AGENT_MEMORY_URL;
  const unset = options.store === undefined && (url === undefined || url === "");
  if (unset) {
    degraded.push({
      field: "store",
      wanted: "a durable store",
      got: "in-memory",
      reason: "no store was given and AGENT_MEMORY_URL is not set; what is remembered ends with the process",
    });
  }
  const emit: Engine["emit"] = (event, cause) => {
    if (options.onEvent === undefined) {
      if (event.type === "memory.not_embedded") warn(event.reason);
      else if (event.type.endsWith("_failed")) warn(describeFailure(event, sentenceOf(cause)));
      return;
    }
    try {
      options.onEvent({ ...event, at: clock().toISOString() } as MemoryEvent);
    } catch (error) {
      warn("onEvent threw", error);
    }
  };
  let latest = { ms: Number.NaN, text: "" };
  const now = (): string => {
    // A turn asks many times within one millisecond, and writing a time out costs more than telling it.
    const ms = clock().getTime();
    if (ms !== latest.ms) latest = { ms, text: new Date(ms).toISOString() };
    return latest.text;
  };
  let opened: Promise<MemoryStore> | null = null;
  const open = async (): Promise<MemoryStore> => {
    const store = options.store ?? (unset ? inMemoryStore() : await storeFromUrl(url as string));
    return forgetTakenApart(guardStore(store, engine.writeTimeoutMs), engine);
  };
  let closed = false;
  let forgetKey: Promise<CryptoKey> | null = null;
  const loadForgetKey = async (): Promise<CryptoKey> => {
    const { key, source: from } = await importForgetKey(options.forgetKey ?? env.AGENT_MEMORY_FORGET_KEY, engine.store);
    if (from === "fallback") {
      const reason =
        "the store keeps no secret; give forgetKey, or short forgotten values can be guessed from the database";
      degraded.push({ field: "forgetKey", wanted: "a secret key", got: "a fixed one", reason });
      warn(`forgetKey: ${reason}`);
    }
    return key;
  };
  const engine: Engine = {
    owner: { tenant, agent },
    policy,
    source,
    degraded,
    options,
    strict: options.strict ?? false,
    tracing: createTracing(options, agent),
    summarizer,
    distiller: extraction.distiller,
    dates: { resolver: null },
    distilling: { run: null },
    readTimeoutMs: options.readTimeoutMs ?? DEFAULT_READ_TIMEOUT_MS,
    writeTimeoutMs: options.writeTimeoutMs ?? DEFAULT_WRITE_TIMEOUT_MS,
    // Not the app's createId: two processes may count alike.
    holder: `worker-${crypto.randomUUID()}`,
    async close() {
      closed = true;
      // A store of a URL that was never used isn't opened only to be closed; one that the app made may hold a handle.
      if (opened) await (await opened).close();
      else await options.store?.close();
    },
    store() {
      if (closed) return Promise.reject(closedError());
      opened ??= open().catch((error: unknown) => {
        // The next use tries again: the package may be there, or the server up, by then.
        opened = null;
        throw error;
      });
      return opened;
    },
    now,
    moments: createMoments(now),
    createId,
    countTokens: options.tokenizer ?? estimateTokens,
    limits: createModelLimits(options.contextWindow === undefined ? {} : { contextWindow: options.contextWindow }),
    emit,
    openTurns: createOpenTurns(),
    inWork: new Map(),
    factWriters: new Map(),
    inFold: new Map(),
    takenApart: new Map(),
    factWords: new Map(),
    embedderPause: { since: Number.NEGATIVE_INFINITY, sinceFloors: Number.NEGATIVE_INFINITY },
    embedding: { last: null, told: null },
    forgetKey() {
      forgetKey ??= loadForgetKey().catch((error: unknown) => {
        forgetKey = null;
        throw error;
      });
      return forgetKey;
    },
    background: createBackground({
      work: async (conversation) => {
        try {
          return (await doDueWork(engine, { limit: 1, conversation })).failed;
        } catch (error) {
          // Nothing is lost: the watermark hasn't moved, so the next sweep finds this work again.
          emit({ type: "memory.work_failed", conversation, work: "claim", code: codeOf(error) }, error);
          return 1;
        }
      },
      fold: (conversation) => foldDueWork(engine, conversation),
      deadlineMs: options.readTimeoutMs ?? DEFAULT_READ_TIMEOUT_MS,
      now: () => clock().getTime(),
      waitUntil: options.waitUntil,
    }),
  };
  for (const { field, reason } of degraded) {
    warn(`${inPolicy.has(field) ? "policy." : ""}${field}: ${reason}`);
    reportDegraded(emit, field, reason, degraded);
  }
  return engine;
}

const codeOf = (error: unknown): string => (MemoryError.isInstance(error) ? error.code : "STORE_FAILED");

function reportDegraded(emit: Engine["emit"], field: string, reason: string, all: Engine["degraded"]): void {
  const entry = all.find((candidate) => candidate.field === field);
  if (field === "compaction.strategy") {
    emit({ type: "memory.config.invalid_strategy", got: String(entry?.wanted), used: String(entry?.got) });
  } else if (field === "conversation.maxTokens") {
    emit({ type: "memory.config.max_tokens_raised", got: Number(entry?.wanted), used: Number(entry?.got) });
  } else emit({ type: "memory.config.degraded", field, reason });
}

/** A failure in one line: what failed, its code and what the code's own sentence says, never what was said. */
function describeFailure(event: EventDraft, sentence?: string): string {
  const why = sentence === undefined ? "" : `: ${sentence}`;
  switch (event.type) {
    case "memory.read_failed":
      return `reading for ${event.operation} failed (${event.code}); the reply goes on without it${why}`;
    case "memory.write_failed":
      return `writing ${event.operation} failed (${event.code}) after ${event.attempts} tries${why}`;
    case "memory.work_failed":
      return `background work ${event.work} failed (${event.code}); it will be tried again${why}`;
    default:
      return event.type;
  }
}
