import type { SummarizerInput } from "../contract/models.ts";
import { throwIfAborted } from "../memory/resilience.ts";
import { cutAtSentence } from "../text/sentences.ts";
import type { TokenCounter } from "../text/tokens.ts";
import { sentencesByWorth } from "./choose-sentences.ts";
import { weighSentences } from "./sentence-worth.ts";
import { renderSentences, type SummarySentence, sentencesOfSummary, sentencesOfTurns } from "./summary-sentences.ts";

/** How many of the next best sentences are tried for the room that is left. */
const MAX_TRIES = 40;

/** The sentences of a summary and of new turns that tell most per token. */
export function extractSummary(
  { previous, turns, maxTokens, signal }: SummarizerInput,
  { count, dates }: { count: TokenCounter; dates: boolean },
): string {
  throwIfAborted(signal, "The summary");
  const fresh = sentencesOfTurns(turns);
  if (fresh.length === 0 && previous !== null && count(previous) <= maxTokens) return previous;
  const assistants = new Set(fresh.filter(({ isAssistant }) => isAssistant).map(({ speaker }) => speaker));
  const all = withoutRepeats([...sentencesOfSummary(previous ?? "", assistants), ...fresh]);
  const sentences = dates ? all : all.map((sentence) => ({ ...sentence, day: "" }));
  return choose(sentences, maxTokens, count);
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
