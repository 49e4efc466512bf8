import type { AgentInputItem, RunContext, RunContextAwareSession, SessionHistoryTransactionArgs } from "@openai/agents";
import {
  type Conversation,
  conversationOf,
  createReport,
  MemoryError,
  type MemorySource,
  type Report,
  type Scope,
} from "@throughline/core";
import { fromItems } from "./convert/from-items.ts";
import { newestItems, type ShownItem, shownItems } from "./convert/session-items.ts";
import { toItems } from "./convert/to-items.ts";
import { appendItems, replaceSuffix, transactionId } from "./session-turns.ts";

/** How a session shows and keeps its history. */
export interface SessionOptions<Context = unknown> {
  /** Which conversation. @default `conversation` in the run's context */
  scope?: Scope<Context>;
  /** What `getSessionId` answers. @default the conversation's id where it is fixed, else `"throughline"` */
  id?: string;
  /**
   * Stored items as the model is shown them: `portable` suits any provider; `exact` has reasoning, ids and the
   * provider's own tools in it. @default "portable"
   */
  replay?: "portable" | "exact";
  /** The summary as a first item. Leave it out where the instructions have it already. @default true */
  summary?: boolean;
  /** Gets what the memory could not keep or carry over. The run goes on. @default a warning on the console */
  onError?(error: MemoryError): void;
}

/** A session of the SDK over a conversation of the memory. */
export interface MemorySession<Context = unknown> extends RunContextAwareSession<Context> {
  applyHistoryTransaction(args: SessionHistoryTransactionArgs, runContext?: RunContext<Context>): Promise<void>;
  runCompaction(): Promise<null>;
}

/**
 * A `Session` for the SDK's own `run`. It shows a window of whole turns behind a summary of what came before, and keeps
 * what it is handed as turns. What goes wrong in keeping is reported and fails no run, except where the memory is strict.
 */
export function createSession<Context = unknown>(
  memory: MemorySource,
  scope?: Scope<Context>,
  options: Omit<SessionOptions<Context>, "scope"> = {},
): MemorySession<Context> {
  const { replay = "portable", summary = true } = options;
  const report = createReport(options.onError);
  const isExact = replay === "exact";
  const find = (runContext: RunContext<Context> | undefined) => conversationOf(memory, scope, runContext?.context);
  const fixed = "begin" in memory ? memory.id : typeof scope === "object" ? scope.id : "throughline";

  const shown = async (conversation: Conversation, limit?: number): Promise<ShownItem[]> => {
    const history = await conversation.history(limit === undefined ? {} : { maxMessages: Math.max(1, limit) });
    return shownItems(history, isExact, report);
  };
  const kept = async (write: Promise<void>): Promise<void> => {
    try {
      await write;
    } catch (error) {
      report(error);
      // Only a strict memory throws what a store can't do, and means it.
      if (MemoryError.isInstance(error) && (error.retryable || error.code.startsWith("STORE_"))) throw error;
    }
  };

  return {
    acceptsRunContext: true,
    getSessionId: async () => options.id ?? fixed,
    async getItems(limit, runContext) {
      const conversation = find(runContext);
      if (limit !== undefined) return newestItems(await shown(conversation, limit), limit);
      const [items, earlier] = await Promise.all([
        shown(conversation),
        summary ? summaryItem(conversation, report) : [],
      ]);
      return [...earlier, ...items.map(({ item }) => item)];
    },
    addItems: (items, runContext) => kept(appendItems(find(runContext), said(items), report)),
    async popItem(runContext) {
      const conversation = find(runContext);
      const items = await shown(conversation);
      const last = items.at(-1);
      if (last !== undefined) await replaceSuffix(conversation, items, items.length - 1, [], report);
      return last?.item;
    },
    async clearSession(runContext) {
      await find(runContext).clear();
    },
    async applyHistoryTransaction({ operationId, transaction }, runContext) {
      const conversation = find(runContext);
      const { id, isApplied } = await transactionId(conversation, operationId, transaction);
      if (isApplied) return;
      if (transaction.type === "append_items") return appendItems(conversation, said(transaction.items), report, id);
      const items = await shown(conversation);
      const from = items.length - transaction.expectedSuffix.length;
      const suffix = items.slice(Math.max(0, from)).map(({ item }) => item);
      if (from < 0 || JSON.stringify(comparable(suffix)) !== JSON.stringify(comparable(transaction.expectedSuffix))) {
        throw new MemoryError("VERSION_CONFLICT", "The end of the history is not what the transaction replaces.");
      }
      await replaceSuffix(conversation, items, from, transaction.replacement, report, id);
    },
    prepareHistoryItemsForPersistenceComparison: comparable,
    /** The whole history stays, and the memory folds it itself: only what is new is kept. */
    replaceHistoryWithCompaction: (items, runContext?: RunContext<Context>) =>
      kept(appendItems(find(runContext), said(items), report)),
    // Folding is work for after the reply, and the memory does it there.
    runCompaction: async () => null,
  };
}

const OPENING = "<memory>";

/** What stands for the turns before the window, escaped and marked as data by the memory itself. */
async function summaryItem(conversation: Conversation, report: Report): Promise<AgentInputItem[]> {
  const summary = await conversation.summary().catch((error: unknown) => {
    report(error);
    return null;
  });
  if (summary === null) return [];
  const { system } = await conversation.begin();
  const [, section] = /(<earlier-in-this-conversation>.*<\/earlier-in-this-conversation>)/s.exec(system) ?? [];
  if (section === undefined) return [];
  const preamble = system.split("\n")[1] ?? "";
  return [{ type: "message", role: "system", content: `${OPENING}\n${preamble}\n${section}\n</memory>` }];
}

/** Items that somebody said: what the memory itself has put into a prompt is never written back. */
const said = (items: readonly AgentInputItem[]): AgentInputItem[] =>
  items.filter((item) => !("role" in item && item.role === "system" && item.content.startsWith(OPENING)));

/** Each item without what a provider or the host adds to it, so that stored and expected ones can be compared. */
const comparable = (items: readonly AgentInputItem[]): AgentInputItem[] =>
  items.map((item) => toItems(fromItems([item]))[0] ?? item);
