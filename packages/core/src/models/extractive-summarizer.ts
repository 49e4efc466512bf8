import type { Summarizer } from "../contract/models.ts";
import { throwIfAborted } from "../memory/resilience.ts";
import { cutAtSentence } from "../text/sentences.ts";
import { estimateTokens, type TokenCounter } from "../text/tokens.ts";
import { sentencesByWorth } from "./choose-sentences.ts";
import { weighSentences } from "./sentence-worth.ts";
import { renderSentences, type SummarySentence, sentencesOfSummary, sentencesOfTurns } from "./summary-sentences.ts";

/** What {@link extractiveSummarizer} can be told. */
export interface ExtractiveSummarizerOptions {
  /** Counts what `maxTokens` limits. @default the estimator used everywhere else */
  tokenizer?: TokenCounter;
  /** Marks the day where it changes, so that "yesterday" still means something. @default true */
  dates?: boolean;
}

/** How many of the next best sentences are tried for the room that is left. */
const MAX_TRIES = 40;

/**
 * A summarizer without a model: it keeps whole sentences of the previous summary and the new turns, those that tell
 * most per token, under their speaker's name, oldest first. The same input gives the same text on every machine; any
 * script works; the text is never longer than `maxTokens`. A turn without words adds nothing.
 */
export function extractiveSummarizer(options: ExtractiveSummarizerOptions = {}): Summarizer {
  const count = options.tokenizer ?? estimateTokens;
  return ({ previous, turns, maxTokens, signal }) => {
    throwIfAborted(signal, "The summary");
    const fresh = sentencesOfTurns(turns);
    if (fresh.length === 0 && previous !== null && count(previous) <= maxTokens) return previous;
    const assistants = new Set(fresh.filter(({ isAssistant }) => isAssistant).map(({ speaker }) => speaker));
    const all = withoutRepeats([...sentencesOfSummary(previous ?? "", assistants), ...fresh]);
    const sentences = options.dates === false ? all.map((sentence) => ({ ...sentence, day: "" })) : all;
    return choose(sentences, maxTokens, count);
  };
}

function withoutRepeats(sentences: readonly SummarySentence[]): SummarySentence[] {
  const seen = new Set<string>();
  return sentences.filter(({ speaker, text }) => {
    const key = `${speaker}\n${text}`;
    return !seen.has(key) && seen.add(key);
  });
}

function choose(sentences: readonly SummarySentence[], maxTokens: number, count: TokenCounter): string {
  const tokens = sentences.map(({ text }) => count(text));
  const order = sentencesByWorth(weighSentences(sentences), tokens);
  const render = (chosen: readonly number[]): string => {
    const inOrder = [...chosen].sort((a, b) => a - b);
    return renderSentences(inOrder.flatMap((index) => sentences[index] ?? []));
  };
  // The longest run of the best that fits, then what still finds room beside it.
  let low = 0;
  let high = order.length;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (count(render(order.slice(0, middle))) <= maxTokens) low = middle;
    else high = middle - 1;
  }
  const chosen = order.slice(0, low);
  let used = count(render(chosen));
  for (const index of order.slice(low, low + MAX_TRIES)) {
    // Labels come on top: what is too large without one needn't be written out.
    if (used + (tokens[index] ?? 0) > maxTokens) continue;
    const more = count(render([...chosen, index]));
    if (more > maxTokens) continue;
    chosen.push(index);
    used = more;
  }
  return chosen.length > 0 ? render(chosen) : cutAtSentence(render(order.slice(0, 1)), maxTokens, count).trim();
}
