import { messagePromptTokens, promptTokens } from "../budget/prompt-tokens.ts";
import type { Compaction } from "../contract/compaction.ts";
import type { Message } from "../contract/message.ts";
import type { Summarizer } from "../contract/models.ts";
import { MemoryError } from "../errors/memory-error.ts";
import type { EventDraft } from "../memory/engine.ts";
import type { CompactionStrategy } from "../policy/policy.ts";
import { ROUGH_FACTOR, roughTokens, type TokenCounter } from "../text/tokens.ts";
import { editsBetween } from "./edits.ts";
import { mapPrompt } from "./prompt-map.ts";
import { stubMessage } from "./stub.ts";
import { SUMMARY_FRAME_TOKENS, type SummarizedRegion, summarizeMessages } from "./summarize-messages.ts";

/**
 * How far below the threshold a compaction goes, as a part of the threshold: each one breaks the provider's prompt
 * cache once, so the next should be some steps away.
 */
export const TARGET_SHARE = 0.75;

/** How to compact the prompt of one turn. */
export interface CompactorOptions {
  conversation: string;
  strategy: CompactionStrategy;
  /** Share of the budget at which the strategy runs. */
  threshold: number;
  /** Tokens the prompt may hold. */
  budget: number;
  count: TokenCounter;
  /** Absent: tool results are all that is left out. */
  summarizer?: Summarizer | undefined;
  /** Longest summary, in tokens. @default 1024 */
  summaryTokens?: number;
  /** How long the summarizer may hold up a step, in milliseconds. @default 20000 */
  timeoutMs?: number;
  /** How many of the newest steps stay as they are; over the whole budget the newest alone. @default 2 */
  keepSteps?: number;
  emit?: (event: EventDraft) => void;
}

/** One prompt to look at. */
export interface CompactCall {
  /** Tokens sent beside the messages: the system part and the tools' definitions. @default 0 */
  besideTokens?: number;
  signal?: AbortSignal | undefined;
}

/** Compacts the prompts of one turn; made once per turn, so that what it decided holds to the turn's end. */
export interface Compactor {
  /**
   * Answers how to bring the prompt under the threshold, or that there is no need to. Takes the whole prompt of a step,
   * edited by earlier calls or not. Calls run one after the other. Rejects with `ABORTED` only.
   */
  compact(messages: readonly Message[], call?: CompactCall): Promise<Compaction>;
}

interface StandIn {
  message: Message;
  text: string;
  /** The message that it stands before. */
  before: string;
}

/** Makes the compactor of one turn. */
export function createCompactor(options: CompactorOptions): Compactor {
  const { strategy, budget, count, summarizer, keepSteps = 2, emit = () => {} } = options;
  const trigger = Math.floor(budget * options.threshold);
  const target = Math.floor(trigger * TARGET_SHARE);
  const summaryTokens = Math.max(1, Math.min(options.summaryTokens ?? 1_024, Math.floor(trigger / 4)));

  // What was decided in this turn. It only grows, so that the same beginning of a prompt has the same edits.
  const stubbed = new Set<string>();
  const removed = new Set<string>();
  const summaries = new Map<SummarizedRegion, StandIn>();
  let summarizerFailed = false;

  const applyDecided = (messages: readonly Message[]): Message[] => {
    const given = new Set(messages.map(({ id }) => id));
    return messages.flatMap((message) => {
      if (removed.has(message.id)) return [];
      const before = [...summaries.values()].filter(
        (entry) => entry.before === message.id && !given.has(entry.message.id),
      );
      return [...before.map((entry) => entry.message), stubbed.has(message.id) ? stubMessage(message) : message];
    });
  };

  const compactNow = async (messages: readonly Message[], call: CompactCall): Promise<Compaction> => {
    if (call.signal?.aborted) {
      throw new MemoryError("ABORTED", "compact was aborted.", { cause: call.signal.reason });
    }
    const beside = call.besideTokens ?? 0;
    const nothingDecided = stubbed.size + removed.size === 0;
    // Counting properly takes milliseconds for each step; far under the threshold a rough count is enough to say so.
    const rough = nothingDecided ? promptTokens(messages, roughTokens) + beside : Number.POSITIVE_INFINITY;
    if (rough * ROUGH_FACTOR < trigger) {
      return { strategy, compacted: false, before: rough, after: rough, edits: [], messages: [...messages] };
    }

    const counted = new Map<Message, number>();
    const tokens = (of: readonly Message[]): number =>
      of.reduce((sum, message) => {
        const known = counted.get(message) ?? messagePromptTokens(message, count);
        counted.set(message, known);
        return sum + known;
      }, 0);
    const size = (of: readonly Message[]) => tokens(of) + beside;

    const before = size(messages);
    let prompt = applyDecided(messages);
    let after = nothingDecided ? before : size(prompt);
    let compacted = false;

    const stub = (from: number, to: number): void => {
      const next = prompt.map((message, index) => (index >= from && index < to ? stubMessage(message) : message));
      next.forEach((message, index) => {
        if (message === prompt[index]) return;
        stubbed.add(message.id);
        compacted = true;
      });
      prompt = next;
      after = size(prompt);
    };

    /** Stubs in earlier turns first; in the newest one only where that is not enough. */
    const stubResults = (steps: number): void => {
      const { turn, recent } = mapPrompt(prompt, steps);
      stub(0, Math.min(turn, recent));
      if (after > target) stub(turn, recent);
    };

    const summarizeRegion = async (region: SummarizedRegion): Promise<void> => {
      if (summarizer === undefined || summarizerFailed) return;
      const map = mapPrompt(prompt, keepSteps);
      const from = region === "conversation" ? 0 : map.answer;
      const cuts = region === "conversation" ? map.exchanges : map.steps;
      const known = summaries.get(region);
      // The host's own system messages are not the conversation.
      const inRegion = (to: number) => prompt.slice(from, to).filter(({ role }) => role !== "system");
      const gain = (to: number) => tokens(inRegion(to)) - summaryTokens - SUMMARY_FRAME_TOKENS;
      const cut = cuts.find((to) => after - gain(to) <= target) ?? cuts.at(-1);
      if (cut === undefined || gain(cut) <= 0) return;
      const taken = inRegion(cut);
      const fresh = taken.filter(({ id }) => id !== known?.message.id);
      const next = prompt[cut];
      if (fresh.length === 0 || next === undefined) return;
      try {
        const { message, text } = await summarizeMessages({
          region,
          previous: known?.text ?? null,
          messages: fresh,
          conversation: options.conversation,
          summarizer,
          maxTokens: summaryTokens,
          timeoutMs: options.timeoutMs ?? 20_000,
          count,
          signal: call.signal,
        });
        if (tokens([message]) >= tokens(taken)) {
          throw new MemoryError("SUMMARIZER_FAILED", "The summary is as long as what it stands for.");
        }
        const gone = new Set(taken.map(({ id }) => id));
        for (const id of gone) removed.add(id);
        summaries.set(region, { message, text, before: next.id });
        prompt = [...prompt.slice(0, cut).filter(({ id }) => !gone.has(id)), message, ...prompt.slice(cut)];
        after = size(prompt);
        compacted = true;
      } catch (error) {
        if (MemoryError.isInstance(error) && error.code === "ABORTED") throw error;
        // Once a turn is enough: a summarizer that is down must not hold up every step. The next turn tries again.
        summarizerFailed = true;
        emit({
          type: "memory.work_failed",
          conversation: options.conversation,
          work: "compact",
          code: "SUMMARIZER_FAILED",
        });
      }
    };

    const summarize = async (): Promise<void> => {
      await summarizeRegion("conversation");
      if (after >= trigger) await summarizeRegion("turn");
    };

    if (after >= trigger) {
      if (strategy === "summarize") await summarize();
      if (after >= trigger) stubResults(keepSteps);
      if (strategy !== "summarize" && strategy !== "compact_tool_results" && after >= trigger) await summarize();
      if (after > budget) stubResults(1);
    }
    if (compacted) emit({ type: "memory.compacted", conversation: options.conversation, strategy, before, after });
    return { strategy, compacted, before, after, edits: editsBetween(messages, prompt), messages: prompt };
  };

  let running: Promise<unknown> = Promise.resolve();
  return {
    compact(messages, call = {}) {
      const next = running.then(() => compactNow(messages, call));
      running = next.catch(() => {});
      return next;
    },
  };
}
